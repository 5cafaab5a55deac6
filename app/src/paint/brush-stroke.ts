import type { SkinWeights } from "../../../src/index.ts";
import { type Lists, mixedRow } from "../../../src/parts.ts";
import { giveWeight, readRow, writeRow } from "./edit-row.ts";

/** Effects of the brush. */
export type Brush = "add" | "subtract" | "smooth" | "replace";

/** Vertices under the brush and its strength at each, 0 to 1. */
export interface Touched {
  vertex: number;
  reach: number;
}

/** Inputs of a dab. */
export interface Dab {
  kind: Brush;
  joint: number;
  /** 0 to 1. */
  strength: number;
  locked: ReadonlySet<number>;
  /** Neighbors of each vertex. */
  neighbors: Lists;
}

/**
 * Finds the vertices within a ball. Vertices that face away from its center are included only if the brush paints
 * through thin parts.
 *
 * @param positions P×3
 * @param normals P×3, unit length
 */
export function touchedVertices(
  positions: Float32Array,
  normals: Float32Array,
  center: ArrayLike<number>,
  normal: ArrayLike<number>,
  radius: number,
  isThrough = false,
): Touched[] {
  const touched: Touched[] = [];
  for (let v = 0; v * 3 < positions.length; v++) {
    const at = v * 3;
    const distance = Math.hypot(
      positions[at] - center[0],
      positions[at + 1] - center[1],
      positions[at + 2] - center[2],
    );
    if (distance >= radius) continue;
    const facing =
      normals[at] * normal[0] + normals[at + 1] * normal[1] + normals[at + 2] * normal[2];
    if (facing < -0.2 && !isThrough) continue;
    touched.push({ vertex: v, reach: (1 - (distance / radius) ** 2) ** 2 });
  }
  return touched;
}

/** Applies one dab of the brush to the weights, in place; rows stay sorted and sum to 1. */
export function dab(weights: SkinWeights, touched: readonly Touched[], settings: Dab): void {
  // Read all rows before writing any, so that the order of vertices does not matter.
  const rows = touched.map((place) => dabbedRow(weights, place, settings));
  touched.forEach(({ vertex }, i) => {
    writeRow(weights, vertex, rows[i], settings.locked);
  });
}

function dabbedRow(
  weights: SkinWeights,
  { vertex, reach }: Touched,
  { kind, joint, strength, locked, neighbors }: Dab,
): Map<number, number> {
  const row = readRow(weights, vertex);
  const amount = strength * reach;
  const own = row.get(joint) ?? 0;
  switch (kind) {
    case "add":
      return giveWeight(row, joint, own + amount, locked);
    case "subtract":
      return giveWeight(row, joint, own - amount, locked);
    case "replace":
      return giveWeight(row, joint, own + (strength - own) * reach, locked);
    case "smooth": {
      const { starts, items } = neighbors;
      const around = items.subarray(starts[vertex], starts[vertex + 1]);
      const { joints, values } = mixedRow(weights, vertex, around, amount);
      const mean = new Map(joints.map((other, i) => [other, values[i]]));
      return giveWeight(withJoints(row, mean, locked), joint, mean.get(joint) ?? 0, locked);
    }
  }
}

/** A row with a single joint borrows its neighbors' joints, so that the remaining weight has a joint to go to. */
function withJoints(
  row: Map<number, number>,
  mean: ReadonlyMap<number, number>,
  locked: ReadonlySet<number>,
): Map<number, number> {
  if (row.size > 1 || [...row.keys()].some((joint) => locked.has(joint))) return row;
  const out = new Map(row);
  for (const [joint, weight] of mean) {
    if (!out.has(joint) && !locked.has(joint)) out.set(joint, weight);
  }
  const total = [...out.values()].reduce((sum, weight) => sum + weight, 0);
  for (const [joint, weight] of out) out.set(joint, weight / total);
  return out;
}
