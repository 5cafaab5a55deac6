import { composeMat4 } from "../../math/mat4.ts";
import { quaternionFromAxisAngle } from "../../math/quaternion.ts";
import { reportLoss } from "../losses.ts";
import type { SceneCamera, SceneLight, SceneNode } from "../scene/scene.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { type FbxNode, numberOf, vectorOf } from "./fbx-node.ts";

const LIGHT_TYPES: readonly SceneLight["type"][] = ["point", "directional", "spot"];

const DEGREE = Math.PI / 180;

/** Whether a model is one of the built-in viewport cameras of FBX files. */
export function isProducer({ type, name }: FbxObject): boolean {
  return type === "CameraSwitcher" || (type === "Camera" && /^Producer /.test(name));
}

/**
 * Reads the camera or light of a model as a child node: FBX cameras look along x and lights along -y,
 * in glTF both look along -z.
 *
 * @param unit meters per unit of the file
 */
export function readFbxCamera(
  document: FbxDocument,
  model: FbxObject,
  parent: number,
  unit: number,
): SceneNode | undefined {
  if (model.type !== "Camera" && model.type !== "Light") return undefined;
  const node = belowOf(document, model, "NodeAttribute")[0]?.node ?? model.node;
  const isCamera = model.type === "Camera";
  const rotation = quaternionFromAxisAngle(isCamera ? [0, 1, 0] : [1, 0, 0], -Math.PI / 2);
  const matrix = composeMat4([0, 0, 0], rotation);
  if (isCamera) return { name: model.name, parent, matrix, camera: cameraOf(node, unit) };
  const light = lightOf(node);
  if (!light) reportLoss(document.losses, "area and volume lights");
  return light && { name: model.name, parent, matrix, light };
}

function cameraOf(node: FbxNode, unit: number): SceneCamera {
  const near = Math.max(numberOf(node, "NearPlane", 10) * unit, 1e-4);
  const far = Math.max(numberOf(node, "FarPlane", 4000) * unit, near * 10);
  const height = positive(numberOf(node, "FilmHeight", 0));
  const aspect = positive(numberOf(node, "FilmWidth", 0)) / height || 1.5;
  if (numberOf(node, "CameraProjectionType", 0) === 1) {
    return { ymag: (positive(numberOf(node, "OrthoZoom", 1)) || 1) / 2, aspect, near, far };
  }
  const focal = positive(numberOf(node, "FocalLength", 0));
  const wide = numberOf(node, "FieldOfView", 40) * DEGREE;
  // The film is in inches, the focal length in millimeters.
  const yfov =
    focal && height
      ? 2 * Math.atan((height * 25.4) / 2 / focal)
      : 2 * Math.atan(Math.tan(wide / 2) / aspect);
  return { yfov: Math.min(Math.max(yfov, 0.01), 3.1), aspect, near, far };
}

function lightOf(node: FbxNode): SceneLight | undefined {
  const type = LIGHT_TYPES[numberOf(node, "LightType", 0)];
  if (!type) return undefined;
  const cone = numberOf(node, "OuterAngle", numberOf(node, "Cone angle", 45));
  return {
    type,
    color: vectorOf(node, "Color", [1, 1, 1]).map((value) => Math.min(Math.max(value, 0), 1)),
    // FBX intensities are percentages.
    intensity: Math.max(numberOf(node, "Intensity", 100), 0) / 100,
    angle: (cone / 2) * DEGREE,
  };
}

function positive(value: number): number {
  return value > 0 ? value : 0;
}
