import { lose } from "../losses.ts";
import { childOf } from "../tree.ts";
import type { FbxDocument } from "./fbx-document.ts";
import { numberOf, vectorOf } from "./fbx-node.ts";

/** Objects that are read, looked at where they belong, or say nothing beyond what is read. */
const READ =
  /^(?:Model|Geometry|NodeAttribute|Deformer|Material|Texture|LayeredTexture|Video|Pose|AnimationStack|AnimationLayer|AnimationCurveNode|AnimationCurve|GlobalSettings|SceneInfo|Document|GlobalInfo)$/;

const GEOMETRIES = new Set(["Mesh", "Shape", ""]);

const DEFORMERS = new Set(["Skin", "Cluster", "BlendShape", "BlendShapeChannel"]);

const ATTRIBUTES = /^(?:LimbNode|Limb|Root|Null|Mesh|Light|Camera|CameraSwitcher|)$/;

/** Layers that are read, follow from the mesh, or only say how to edit it. */
const LAYERS =
  /^LayerElement(?:Normal|UV|Color|Material|Smoothing|Tangent|Binormal|Texture|Hole|PolygonGroup|Visibility)$/;

/** Counts what an FBX has that no part of its reader takes: other objects, layers, custom properties. */
export function loseUnread(document: FbxDocument): void {
  const { lost } = document;
  loseInheritance(document);
  for (const { kind, type, node } of document.objects.values()) {
    if (!READ.test(kind)) lose(lost, `${kind} objects`);
    else if (kind === "Geometry" && !GEOMETRIES.has(type)) lose(lost, `${type} geometries`);
    else if (kind === "Deformer" && !DEFORMERS.has(type)) lose(lost, `${type} deformers`);
    else if (kind === "NodeAttribute" && !ATTRIBUTES.test(type)) lose(lost, `${type} objects`);
    for (const { name } of node.children) {
      if (name.startsWith("LayerElement") && !LAYERS.test(name)) {
        lose(lost, `layers of ${name.slice("LayerElement".length)}`);
      }
    }
    const properties = childOf(node, "Properties70")?.children ?? [];
    const custom = properties.filter(({ values }) => /U/.test(String(values[3] ?? "")));
    lose(lost, "custom properties", custom.length);
  }
}

/**
 * Models that take the size of those above in another way than glTF: without (2) or after their own turn
 * (0). It shows only where something is scaled, or scaled unevenly.
 */
function loseInheritance({ objects, lost }: FbxDocument): void {
  const models = [...objects.values()].filter(({ kind }) => kind === "Model");
  const scales = models.map(({ node }) => vectorOf(node, "Lcl Scaling", [1, 1, 1]));
  const differ = (a: number, b: number) => Math.abs(a - b) > 1e-4;
  const isScaled = scales.some((scale) => scale.some((value) => differ(value, 1)));
  const isUneven = scales.some(([x, y, z]) => differ(x, y) || differ(y, z));
  const odd = models.filter(({ node }) => {
    const way = numberOf(node, "InheritType", 1);
    return (way === 0 && isUneven) || (way === 2 && isScaled);
  });
  lose(lost, "models that take size from above in another way than glTF", odd.length);
}
