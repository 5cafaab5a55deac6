import type { Character, SkinWeights } from "../../../src/index.ts";
import { readRow, writeRow } from "./edit-row.ts";

/** Which vertex and which joint lies across the middle plane x = 0. */
export interface Mirror {
  /** P, -1 where nothing lies there. */
  vertices: Int32Array;
  /** J; a joint without a partner is its own. */
  joints: Int32Array;
}

/** How far, in longest sides, a partner may be from the mirrored place. */
const VERTEX_REACH = 0.02;
const JOINT_REACH = 0.04;

/** Finds partners across x = 0, the middle of a prepared character. */
export function findMirror({ mesh, skeleton }: Character): Mirror {
  const joints = partners(skeleton.positions, JOINT_REACH);
  return {
    vertices: partners(mesh.positions, VERTEX_REACH),
    joints: joints.map((partner, joint) => (partner < 0 ? joint : partner)),
  };
}

/**
 * Copies the weights of one side to the other, with joints exchanged, in place.
 *
 * Locked joints keep what they have where the copy would change it; vertices without a partner stay.
 *
 * @param from 1 copies x > 0 to x < 0, -1 the other way
 */
export function mirrorWeights(
  weights: SkinWeights,
  positions: Float32Array,
  { vertices, joints }: Mirror,
  from: 1 | -1,
  locked: ReadonlySet<number>,
): void {
  vertices.forEach((partner, v) => {
    if (partner < 0 || partner === v || positions[v * 3] * from >= 0) return;
    const mine = readRow(weights, v);
    const held = [...mine].filter(([joint]) => locked.has(joint));
    const left = 1 - held.reduce((sum, [, weight]) => sum + weight, 0);
    const copied = [...readRow(weights, partner)]
      .map(([joint, weight]) => [joints[joint], weight] as const)
      .filter(([joint]) => !locked.has(joint));
    const total = copied.reduce((sum, [, weight]) => sum + weight, 0);
    if (total <= 0) return;
    const row = new Map<number, number>(held);
    for (const [joint, weight] of copied) {
      row.set(joint, (row.get(joint) ?? 0) + (weight / total) * left);
    }
    writeRow(weights, v, row, locked);
  });
}

/** For each point the one nearest to its mirror image within reach, -1 where there is none. */
function partners(points: Float32Array, reach: number): Int32Array {
  const cells = new Map<string, number[]>();
  const cell = (value: number) => Math.floor(value / reach);
  const key = (x: number, y: number, z: number) => `${x},${y},${z}`;
  const count = points.length / 3;
  for (let i = 0; i < count; i++) {
    const name = key(cell(points[i * 3]), cell(points[i * 3 + 1]), cell(points[i * 3 + 2]));
    const list = cells.get(name);
    if (list) list.push(i);
    else cells.set(name, [i]);
  }
  return Int32Array.from({ length: count }, (_, i) => {
    const [x, y, z] = [-points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
    let best = -1;
    let nearest = reach;
    for (let offset = 0; offset < 27; offset++) {
      const near = cells.get(
        key(
          cell(x) + (offset % 3) - 1,
          cell(y) + (Math.floor(offset / 3) % 3) - 1,
          cell(z) + Math.floor(offset / 9) - 1,
        ),
      );
      for (const other of near ?? []) {
        const at = other * 3;
        const distance = Math.hypot(points[at] - x, points[at + 1] - y, points[at + 2] - z);
        if (distance < nearest) [best, nearest] = [other, distance];
      }
    }
    return best;
  });
}
