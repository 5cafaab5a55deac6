import { composeMat4, identityMat4, invertMat4, multiplyMat4 } from "../../math/mat4.ts";
import { multiplyQuaternions, quaternionFromAxisAngle } from "../../math/quaternion.ts";
import { type FbxNode, numberOf, vectorOf } from "./fbx-node.ts";

/** Units of FBX time per second. */
export const TICKS = 46186158000;

const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

// The order in which axes rotate, by FBX's number for it.
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 2, 0],
  [1, 0, 2],
  [2, 0, 1],
  [2, 1, 0],
];

const NO_ROTATION = [0, 0, 0, 1];

/** The animatable components of a model's transform. */
export interface FbxPose {
  translation: number[];
  /** Degrees about x, y, z. */
  rotation: number[];
  scale: number[];
}

/** Returns translation, rotation and scale of a model at rest. */
export function restPose(model: FbxNode): FbxPose {
  return {
    translation: vectorOf(model, "Lcl Translation", [0, 0, 0]),
    rotation: vectorOf(model, "Lcl Rotation", [0, 0, 0]),
    scale: vectorOf(model, "Lcl Scaling", [1, 1, 1]),
  };
}

/**
 * Returns a model's matrix relative to its parent, with pivots, offsets, pre- and post-rotation:
 * T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ (FBX SDK documentation).
 */
export function localFbxMatrix(model: FbxNode, pose: FbxPose = restPose(model)): number[] {
  // The SDK ignores pre- and post-rotation unless RotationActive is set, but no exporter writes a
  // rotation it does not mean.
  const order = ORDERS[numberOf(model, "RotationOrder", 0)] ?? ORDERS[0];
  const rotate = (name: string) => eulerMatrix(vectorOf(model, name, [0, 0, 0]), ORDERS[0]);
  const move = (name: string, sign = 1) => moveMatrix(vectorOf(model, name, [0, 0, 0]), sign);
  return [
    moveMatrix(pose.translation),
    move("RotationOffset"),
    move("RotationPivot"),
    rotate("PreRotation"),
    eulerMatrix(pose.rotation, order),
    invertMat4(identityMat4(), rotate("PostRotation"))!,
    move("RotationPivot", -1),
    move("ScalingOffset"),
    move("ScalingPivot"),
    scaleMatrix(pose.scale),
    move("ScalingPivot", -1),
  ].reduce((product, next) => multiplyMat4(product, product, next), identityMat4());
}

/** Returns the transform of a mesh inside its model, which children do not inherit. */
export function geometricMatrix(model: FbxNode): number[] {
  const move = moveMatrix(vectorOf(model, "GeometricTranslation", [0, 0, 0]));
  const rotation = eulerMatrix(vectorOf(model, "GeometricRotation", [0, 0, 0]), ORDERS[0]);
  const scale = scaleMatrix(vectorOf(model, "GeometricScaling", [1, 1, 1]));
  return multiplyMat4(move, multiplyMat4(move, move, rotation), scale);
}

/** Matrix from the axes and unit of a file to y up, z forward, meters. */
export function axisMatrix(settings: FbxNode | undefined): number[] {
  const unit = numberOf(settings, "UnitScaleFactor", 1) / 100;
  const row = (name: string, axis: number) => {
    const vector = [0, 0, 0];
    vector[numberOf(settings, name, axis)] = numberOf(settings, `${name}Sign`, 1);
    return vector;
  };
  const x = row("CoordAxis", 0);
  const y = row("UpAxis", 1);
  // The third axis follows from the other two, so that nothing is mirrored.
  const z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const columns = [0, 1, 2].flatMap((c) => [x[c] * unit, y[c] * unit, z[c] * unit, 0]);
  return [...columns, 0, 0, 0, 1];
}

/** Returns the matrix of rotations about the axes, by default first x, then y, then z. */
export function eulerMatrix(degrees: number[], order: number[] = ORDERS[0]): number[] {
  const rotations = order.map((axis) =>
    quaternionFromAxisAngle(AXES[axis], (degrees[axis] * Math.PI) / 180),
  );
  const rotation = rotations.reduce((before, next) => multiplyQuaternions(next, before));
  return composeMat4([0, 0, 0], rotation);
}

function moveMatrix(by: number[], sign = 1): number[] {
  return composeMat4(
    by.map((value) => sign * value),
    NO_ROTATION,
  );
}

function scaleMatrix(by: number[]): number[] {
  return composeMat4([0, 0, 0], NO_ROTATION, by);
}
