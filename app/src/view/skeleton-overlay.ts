import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Color,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Skeleton } from "../../../src/index.ts";
import { jointColor } from "./colors.ts";

/** The joints and bones, drawn over the body. */
export interface SkeletonOverlay {
  group: Group;
  /** J×3, as posed. */
  joints: Float32Array;
  pose(matrices: Float32Array | undefined): void;
  paint(look: OverlayLook): void;
  dispose(): void;
}

/** Which parts of a skeleton are visible, and how. */
export interface OverlayLook {
  selected: number;
  hovered?: number | undefined;
  hidden: ReadonlySet<number>;
  /** Whether bones have the colors of the surface that they move. */
  isColored: boolean;
}

/** Radius of a joint as a fraction of the bones at it, with bounds in heights of the character. */
const BALL = 0.17;
const [SMALLEST, LARGEST] = [0.0022, 0.011];
/** Width of a bone as a fraction of its length, and its maximum. */
const [WIDTH, WIDEST] = [0.11, 0.024];
/** Where a bone is widest, as a fraction from its joint. */
const WAIST = 0.16;
/** A dark outline separates bones from any background. */
const RIM = 0.0016;

const JOINT = new Color(0.95, 0.97, 1);
const BONE = new Color(0.62, 0.68, 0.78);
const SELECTED = new Color(1, 0.45, 0.05);
const SELECTED_BONE = new Color(0.9, 0.12, 0.01);
const HOVERED = new Color(1, 0.85, 0.45);

/** Draws a skeleton: a ball per joint and an octahedron per bone, scaled with the length of the bones. */
export function createSkeletonOverlay(skeleton: Skeleton): SkeletonOverlay {
  const { positions, parents } = skeleton;
  const count = parents.length;
  const joints = positions.slice();
  const bones = [...parents.keys()].filter((joint) => parents[joint] >= 0);
  const lengthOf = (joint: number) => distance(positions, joint, parents[joint]);
  const balls = ballSizes(skeleton, bones.map(lengthOf), bones);
  const over = { depthTest: false, depthWrite: false, transparent: true };
  const material = new MeshBasicMaterial({ ...over, vertexColors: true, opacity: 0.94 });
  const rim = new MeshBasicMaterial({ ...over, color: 0x0c1018, side: BackSide, opacity: 0.7 });
  const octahedron = boneShape();
  const ball = new IcosahedronGeometry(1, 2);
  const white = new Float32Array(ball.getAttribute("position").count * 3).fill(1);
  ball.setAttribute("color", new BufferAttribute(white, 3));
  const parts = {
    boneRims: new InstancedMesh(octahedron, rim, Math.max(1, bones.length)),
    bones: new InstancedMesh(octahedron, material, Math.max(1, bones.length)),
    ballRims: new InstancedMesh(ball, rim, count),
    balls: new InstancedMesh(ball, material, count),
  };
  parts.bones.count = parts.boneRims.count = bones.length;
  const group = new Group();
  Object.values(parts).forEach((part, i) => {
    part.renderOrder = 10 + i;
    part.frustumCulled = false;
    group.add(part);
  });
  let hidden: ReadonlySet<number> = new Set();
  const overlay: SkeletonOverlay = {
    group,
    joints,
    pose(matrices) {
      for (let joint = 0; joint < count; joint++) movePoint(joint, matrices);
      // Hidden bones are placed when they become visible.
      if (group.visible) place();
    },
    paint({ selected, hovered, hidden: unseen, isColored }) {
      hidden = unseen;
      const colorOf = (joint: number, plain: Color, chosen: Color) => {
        if (joint === selected) return chosen;
        if (joint === hovered) return HOVERED;
        return isColored ? jointColor(joint) : plain;
      };
      // The bone of a joint runs to its children.
      bones.forEach((joint, i) => {
        parts.bones.setColorAt(i, colorOf(parents[joint], BONE, SELECTED_BONE));
      });
      for (let joint = 0; joint < count; joint++) {
        parts.balls.setColorAt(joint, colorOf(joint, JOINT, SELECTED));
      }
      for (const { instanceColor } of [parts.bones, parts.balls]) {
        if (instanceColor) instanceColor.needsUpdate = true;
      }
      place();
    },
    dispose() {
      for (const part of [octahedron, ball, material, rim]) part.dispose();
      for (const part of Object.values(parts)) part.dispose();
    },
  };
  overlay.pose(undefined);
  return overlay;

  function movePoint(joint: number, matrices: Float32Array | undefined): void {
    const [x, y, z] = positions.subarray(joint * 3, joint * 3 + 3);
    for (let axis = 0; axis < 3; axis++) {
      const m = joint * 16 + axis;
      joints[joint * 3 + axis] = matrices
        ? matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z + matrices[m + 12]
        : positions[joint * 3 + axis];
    }
  }

  function place(): void {
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const [from, to, along] = [new Vector3(), new Vector3(), new Vector3()];
    const size = new Vector3();
    bones.forEach((joint, i) => {
      const parent = parents[joint];
      from.fromArray(joints, parent * 3);
      along.copy(to.fromArray(joints, joint * 3)).sub(from);
      const length = hidden.has(parent) ? 0 : along.length();
      if (length > 0) turn.setFromUnitVectors(UP, along.divideScalar(length));
      const width = Math.min(WIDEST, WIDTH * length);
      parts.bones.setMatrixAt(i, matrix.compose(from, turn, size.set(width, length, width)));
      const wide = length > 0 ? width + RIM : 0;
      parts.boneRims.setMatrixAt(i, matrix.compose(from, turn, size.set(wide, length, wide)));
    });
    turn.identity();
    for (let joint = 0; joint < count; joint++) {
      from.fromArray(joints, joint * 3);
      const radius = hidden.has(joint) ? 0 : balls[joint];
      parts.balls.setMatrixAt(joint, matrix.compose(from, turn, size.setScalar(radius)));
      const wide = radius > 0 ? radius + RIM : 0;
      parts.ballRims.setMatrixAt(joint, matrix.compose(from, turn, size.setScalar(wide)));
    }
    for (const part of Object.values(parts)) part.instanceMatrix.needsUpdate = true;
  }
}

const UP = new Vector3(0, 1, 0);

function distance(points: Float32Array, a: number, b: number): number {
  return Math.hypot(
    points[a * 3] - points[b * 3],
    points[a * 3 + 1] - points[b * 3 + 1],
    points[a * 3 + 2] - points[b * 3 + 2],
  );
}

/** J, radii from the shortest bone at each joint, so that the dots of many joints do not hide a face. */
function ballSizes({ parents }: Skeleton, lengths: number[], bones: number[]): Float32Array {
  const shortest = new Float32Array(parents.length).fill(Infinity);
  bones.forEach((joint, i) => {
    if (lengths[i] <= 0) return;
    for (const end of [joint, parents[joint]]) shortest[end] = Math.min(shortest[end], lengths[i]);
  });
  return shortest.map((length) => Math.min(LARGEST, Math.max(SMALLEST, BALL * length)));
}

/** An octahedron from the origin to (0, 1, 0), half a unit wide each way; its faces are light and dark. */
function boneShape(): BufferGeometry {
  const waist = [
    [1, WAIST, 0],
    [0, WAIST, 1],
    [-1, WAIST, 0],
    [0, WAIST, -1],
  ];
  const corners: number[] = [];
  const colors: number[] = [];
  waist.forEach((a, i) => {
    const b = waist[(i + 1) % 4];
    const light = [1, 0.72, 0.5, 0.82][i];
    corners.push(...a, 0, 1, 0, ...b, ...b, 0, 0, 0, ...a);
    for (const shade of [light, light * 0.8]) for (let c = 0; c < 9; c++) colors.push(shade);
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(corners), 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 3));
  // Faces are oriented outward.
  const order = Array.from(
    { length: corners.length / 3 },
    (_, i) => i - (i % 3) + ((3 - (i % 3)) % 3),
  );
  geometry.setIndex(order);
  return geometry;
}
