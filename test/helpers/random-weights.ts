import type { Character } from "../../src/character/character.ts";
import { createRandom } from "../../src/math/random.ts";
import { type SkinWeights, weightsFromDense } from "../../src/weights/skin-weights.ts";

/** Random weights, with the same row for vertices at the same position. */
export function randomWeights({ mesh, skeleton }: Character, seed: string): SkinWeights {
  const random = createRandom(seed);
  const J = skeleton.names.length;
  const rows = new Map<string, number[]>();
  const all = Array.from({ length: mesh.positions.length / 3 }, (_, v) => {
    const place = mesh.positions.subarray(v * 3, v * 3 + 3).join();
    const row = rows.get(place) ?? Array.from({ length: J }, () => (random() < 0.5 ? random() : 0));
    row[v % J] += rows.has(place) ? 0 : 0.5;
    rows.set(place, row);
    return row;
  });
  return weightsFromDense(Float32Array.from(all.flat()), J);
}

/** V×J. */
export function dense({ influences, joints, weights }: SkinWeights, J: number): number[][] {
  return Array.from({ length: joints.length / influences }, (_, v) => {
    const row = new Array<number>(J).fill(0);
    for (let i = v * influences; i < (v + 1) * influences; i++) row[joints[i]] += weights[i];
    return row;
  });
}
