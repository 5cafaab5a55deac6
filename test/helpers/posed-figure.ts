import type { Character } from "../../src/character/character.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { type SkinWeights, weightsFromDense } from "../../src/weights/skin-weights.ts";
import { joinMeshes } from "./join-meshes.ts";

type Point = [number, number, number];

/** A sphere of latitudes and longitudes, its poles welded. */
export function sphere([x, y, z]: Point, radius: number, bands = 8): Mesh {
  const positions: number[] = [x, y + radius, z];
  const triangles: number[] = [];
  const corners = bands * 2;
  for (let band = 1; band < bands; band++) {
    const tilt = (band / bands) * Math.PI;
    for (let corner = 0; corner < corners; corner++) {
      const turn = (corner / corners) * 2 * Math.PI;
      positions.push(
        x + radius * Math.sin(tilt) * Math.cos(turn),
        y + radius * Math.cos(tilt),
        z + radius * Math.sin(tilt) * Math.sin(turn),
      );
    }
  }
  const last = positions.length / 3;
  positions.push(x, y - radius, z);
  for (let corner = 0; corner < corners; corner++) {
    const next = (corner + 1) % corners;
    triangles.push(0, 1 + next, 1 + corner);
    for (let band = 0; band < bands - 2; band++) {
      const [a, b] = [1 + band * corners + corner, 1 + band * corners + next];
      triangles.push(a, b, a + corners, b, b + corners, a + corners);
    }
    const end = 1 + (bands - 2) * corners;
    triangles.push(last, end + corner, end + next);
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A joint: its name, the name of its parent, its position. */
export type FigureJoint = [name: string, parent: string, position: Point];
/** A loose part and the weights of a vertex by joint name. */
export type FigurePart = [mesh: Mesh, row: (p: Point) => Record<string, number>];

/** A character of loose parts with given weights; its longest side should be about 1. */
export function figure(
  joints: FigureJoint[],
  parts: FigurePart[],
): Character & { weights: SkinWeights } {
  const names = joints.map(([name]) => name);
  const mesh = joinMeshes(...parts.map(([part]) => part));
  const rows = parts.flatMap(([{ positions }, row]) =>
    Array.from({ length: positions.length / 3 }, (_, v) => {
      const weights = row([...positions.subarray(v * 3, v * 3 + 3)] as Point);
      return names.map((name) => weights[name] ?? 0);
    }),
  );
  return {
    name: "figure",
    mesh,
    skeleton: {
      names,
      parents: Int32Array.from(joints, ([, parent]) => names.indexOf(parent)),
      positions: Float32Array.from(joints.flatMap(([, , position]) => position)),
    },
    weights: weightsFromDense(rows.flat(), names.length),
  };
}

/** The joints of a small figure, 1 high, arms to the sides. */
export const JOINTS: FigureJoint[] = [
  ["hips", "", [0, 0.45, 0]],
  ["chest", "hips", [0, 0.65, 0]],
  ["head", "chest", [0, 0.85, 0]],
  ["jaw", "head", [0, 0.87, 0.06]],
  ["arm_L", "chest", [0.15, 0.75, 0]],
  ["hand_L", "arm_L", [0.4, 0.75, 0]],
  ["arm_R", "chest", [-0.15, 0.75, 0]],
  ["hand_R", "arm_R", [-0.4, 0.75, 0]],
  ["leg_L", "hips", [0.06, 0.4, 0]],
  ["foot_L", "leg_L", [0.06, 0.05, 0]],
  ["toe_L", "foot_L", [0.06, 0.03, 0.1]],
  ["leg_R", "hips", [-0.06, 0.4, 0]],
  ["foot_R", "leg_R", [-0.06, 0.05, 0]],
  ["toe_R", "foot_R", [-0.06, 0.03, 0.1]],
];

/** Chest and head, which other parts touch. */
export const BODY: FigurePart[] = [
  [sphere([0, 0.65, 0], 0.14, 36), () => ({ chest: 1 })],
  [sphere([0, 0.9, 0], 0.1, 24), () => ({ head: 1 })],
];

/** Returns the weight of a joint in a vertex. */
export function weightAt(
  { influences, joints, weights }: SkinWeights,
  vertex: number,
  joint: number,
): number {
  let sum = 0;
  for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
    if (joints[slot] === joint) sum += weights[slot];
  }
  return sum;
}
