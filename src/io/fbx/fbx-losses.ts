import { type Losses, lose } from "../losses.ts";
import type { FbxDocument, FbxObject } from "./fbx-document.ts";
import { childOf, numberOf } from "./fbx-node.ts";

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
export function loseUnread({ objects, root }: FbxDocument, lost: Losses): void {
  for (const object of objects.values()) {
    const { kind, type, node } = object;
    if (!READ.test(kind)) lose(lost, `${kind} objects`);
    else if (kind === "Geometry" && !GEOMETRIES.has(type)) lose(lost, `${type} geometries`);
    else if (kind === "Deformer" && !DEFORMERS.has(type)) lose(lost, `${type} deformers`);
    else if (kind === "NodeAttribute" && !ATTRIBUTES.test(type)) lose(lost, `${type} objects`);
    for (const { name } of node.children) {
      if (name.startsWith("LayerElement") && !LAYERS.test(name)) {
        lose(lost, `layers of ${name.slice("LayerElement".length)}`);
      }
    }
    loseProperties(object, lost);
  }
  lose(lost, "takes of FBX 6", childOf(root, "Takes")?.children.filter(isMovingTake).length ?? 0);
}

/** FBX 7 repeats its takes in a list of names and times; only FBX 6 has models and their curves there. */
function isMovingTake({ name, children }: FbxDocument["root"]): boolean {
  return name === "Take" && children.some((child) => child.name === "Model");
}

function loseProperties({ kind, node }: FbxObject, lost: Losses): void {
  const properties = childOf(node, "Properties70")?.children ?? [];
  const custom = properties.filter(({ values }) => /U/.test(String(values[3] ?? "")));
  lose(lost, "custom properties", custom.length);
  if (kind === "Model" && numberOf(node, "InheritType", 1) !== 1) {
    lose(lost, "models that take scale from above in another way than glTF");
  }
}
