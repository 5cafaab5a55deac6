import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Group,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
} from "three";
import type { Skeleton } from "../../../src/index.ts";

/** The joints and bones, drawn over the body. */
export interface SkeletonOverlay {
  group: Group;
  /** J×3, as posed. */
  joints: Float32Array;
  pose(matrices: Float32Array | undefined): void;
  select(joint: number): void;
  dispose(): void;
}

const JOINT = [1, 1, 1];
const SELECTED = [1, 0.45, 0.05];

/** Draws a skeleton: a dot a joint, a line a bone, the chosen joint in orange. */
export function createSkeletonOverlay(skeleton: Skeleton): SkeletonOverlay {
  const { positions, parents } = skeleton;
  const joints = positions.slice();
  const bones = [...parents.keys()].filter((joint) => parents[joint] >= 0);
  const lines = new BufferGeometry();
  lines.setAttribute("position", new BufferAttribute(new Float32Array(bones.length * 6), 3));
  lines.setAttribute("color", new BufferAttribute(new Float32Array(bones.length * 6), 3));
  const dots = new BufferGeometry();
  dots.setAttribute("position", new BufferAttribute(joints, 3));
  dots.setAttribute("color", new BufferAttribute(new Float32Array(joints.length), 3));
  const over = { vertexColors: true, depthTest: false, transparent: true };
  const lineMaterial = new LineBasicMaterial({ ...over, opacity: 0.75 });
  const dot = dotTexture();
  const dotMaterial = new PointsMaterial({ ...over, size: 11, sizeAttenuation: false, map: dot });
  const group = new Group();
  group.add(new LineSegments(lines, lineMaterial), new Points(dots, dotMaterial));
  for (const child of group.children) {
    child.renderOrder = 10;
    child.frustumCulled = false;
  }
  const overlay: SkeletonOverlay = {
    group,
    joints,
    pose(matrices) {
      for (let joint = 0; joint * 3 < joints.length; joint++) movePoint(joint, matrices);
      const ends = lines.getAttribute("position") as BufferAttribute;
      bones.forEach((joint, i) => {
        ends.array.set(joints.subarray(joint * 3, joint * 3 + 3), i * 6);
        ends.array.set(joints.subarray(parents[joint] * 3, parents[joint] * 3 + 3), i * 6 + 3);
      });
      ends.needsUpdate = true;
      dots.getAttribute("position").needsUpdate = true;
    },
    select(selected) {
      const colors = dots.getAttribute("color") as BufferAttribute;
      parents.forEach((_, joint) => {
        colors.array.set(joint === selected ? SELECTED : JOINT, joint * 3);
      });
      colors.needsUpdate = true;
      const ends = lines.getAttribute("color") as BufferAttribute;
      bones.forEach((joint, i) => {
        // The bone of a joint runs to its children.
        const color = parents[joint] === selected ? SELECTED : [0.1, 0.12, 0.18];
        ends.array.set([...color, ...color], i * 6);
      });
      ends.needsUpdate = true;
    },
    dispose() {
      for (const part of [lines, dots, lineMaterial, dotMaterial, dot]) part.dispose();
    },
  };
  overlay.pose(undefined);
  overlay.select(-1);
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
}

/** A white disc with a dark rim, so that it is seen on any color. */
function dotTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  if (pen) {
    pen.fillStyle = "#1b2130";
    pen.arc(32, 32, 30, 0, 2 * Math.PI);
    pen.fill();
    pen.beginPath();
    pen.fillStyle = "#ffffff";
    pen.arc(32, 32, 21, 0, 2 * Math.PI);
    pen.fill();
  }
  return new CanvasTexture(canvas);
}
