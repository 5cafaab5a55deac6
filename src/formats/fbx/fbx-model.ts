import { composeMat4 } from "../../math/mat4.ts";
import { cross, dot, normalize, scale as scaled, subtract } from "../../math/vec3.ts";
import { decomposeNode } from "../gltf/node-tree.ts";
import type { FbxPose } from "./fbx-transform.ts";
import { numbers, properties, property } from "./new-fbx.ts";
import { type RawFbxNode, rawNode } from "./raw-fbx.ts";

const DEGREES = 180 / Math.PI;

/** A node of the scene to be created. */
export interface NewModel extends FbxPose {
  id: bigint;
  name: string;
  /** Null, LimbNode, Mesh, Camera or Light. */
  type: string;
  /** Whether faces are shown from behind; default true. */
  isDoubleSided?: boolean;
}

/** Creates a model; scale is inherited as in glTF. */
export function fbxModel(model: NewModel): RawFbxNode {
  const vector = (label: string, values: number[]) => numbers(label, [label, "", "A"], ...values);
  const { id, name, type, translation, rotation, scale, isDoubleSided = true } = model;
  return rawNode(
    "Model",
    [id, `${name}\0\x01Model`, type],
    rawNode("Version", [{ int: 232 }]),
    properties(
      property(["InheritType", "enum"], { int: 1 }),
      vector("Lcl Translation", translation),
      vector("Lcl Rotation", rotation),
      vector("Lcl Scaling", scale),
    ),
    rawNode("Shading", [{ flag: true }]),
    rawNode("Culling", [isDoubleSided ? "CullingOff" : "CullingOnCCW"]),
  );
}

/** Creates the attribute that makes a model a bone. */
export function limbAttribute(id: bigint, name: string): RawFbxNode {
  return rawNode(
    "NodeAttribute",
    [id, `${name}\0\x01NodeAttribute`, "LimbNode"],
    properties(numbers("Size", ["double", "Number", ""], 1)),
    rawNode("TypeFlags", ["Skeleton"]),
  );
}

/** Returns the pose of a matrix without shear; of another, the nearest that has none. */
export function poseOfMatrix(matrix: ArrayLike<number>): FbxPose {
  const node = decomposeNode(matrix);
  const m = node.matrix;
  if (!m) return poseOf(node);
  // Gram-Schmidt keeps the first axis, and the plane of the first two.
  const x = normalize(m.slice(0, 3));
  const second = m.slice(4, 7);
  const y = normalize(subtract(second, scaled(x, dot(second, x))));
  const z = cross(x, y);
  const axes = [x, y, z];
  const scale = axes.map((axis, i) => dot(m.slice(i * 4, i * 4 + 3), axis));
  const rotation = eulerOf([...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1]);
  return { translation: m.slice(12, 15), rotation, scale };
}

/** Returns the pose of a node with translation, rotation and scale. */
export function poseOf(node: {
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}): FbxPose {
  const { translation = [0, 0, 0], rotation, scale = [1, 1, 1] } = node;
  return { translation, rotation: rotation ? eulerOfQuaternion(rotation) : [0, 0, 0], scale };
}

/** Returns the angles in degrees about x, then y, then z, of a quaternion. */
export function eulerOfQuaternion(rotation: ArrayLike<number>): number[] {
  return eulerOf(composeMat4([0, 0, 0], rotation));
}

/** Angles in degrees about x, then y, then z, of a matrix without scale. */
function eulerOf(m: number[]): number[] {
  const y = Math.asin(Math.min(Math.max(-m[2], -1), 1));
  // In gimbal lock x and z rotate about the same axis: all of the angle is assigned to x.
  const isLocked = Math.abs(m[2]) > 1 - 1e-9;
  const x = isLocked ? Math.atan2(Math.sign(-m[2]) * m[4], m[5]) : Math.atan2(m[6], m[10]);
  const z = isLocked ? 0 : Math.atan2(m[1], m[0]);
  return [x, y, z].map((angle) => angle * DEGREES);
}
