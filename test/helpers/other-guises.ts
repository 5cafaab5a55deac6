import type { Character } from "../../src/character/character.ts";
import { createRandom, shuffled } from "../../src/math/random.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

/** Returns the character with each point moved. */
export function moved(character: Character, move: (p: Float32Array) => number[]): Character {
  const all = (points: Float32Array) =>
    Float32Array.from(
      Array.from({ length: points.length / 3 }, (_, i) =>
        move(points.subarray(i * 3, i * 3 + 3)),
      ).flat(),
    );
  return {
    ...character,
    mesh: { ...character.mesh, positions: all(character.mesh.positions) },
    skeleton: { ...character.skeleton, positions: all(character.skeleton.positions) },
  };
}

/** Largest difference in each row of two tables, for the vertices that both have. */
export function differences(a: SkinWeights, b: SkinWeights, vertices: number): number[] {
  const rowOf = ({ influences, joints, weights }: SkinWeights, v: number) => {
    const row = new Map<number, number>();
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      row.set(joints[i], (row.get(joints[i]) ?? 0) + weights[i]);
    }
    return row;
  };
  return Array.from({ length: vertices }, (_, v) => {
    const [x, y] = [rowOf(a, v), rowOf(b, v)];
    const names = [...x.keys(), ...y.keys()];
    return Math.max(...names.map((j) => Math.abs((x.get(j) ?? 0) - (y.get(j) ?? 0))));
  });
}

/** Fraction of rows that differ by more than a limit. */
export function shareBeyond(limit: number, apart: number[]): number {
  return apart.filter((value) => value > limit).length / apart.length;
}

/** Returns the character with its joints in another order, and each joint's old index. */
export function renumbered(character: Character): { character: Character; order: number[] } {
  const { names, parents, positions } = character.skeleton;
  const order = shuffled(names.length, createRandom("numbering"));
  const skeleton = {
    names: order.map((joint) => names[joint]),
    parents: Int32Array.from(order, (joint) => order.indexOf(parents[joint])),
    positions: Float32Array.from(
      order.flatMap((joint) => [...positions.subarray(joint * 3, joint * 3 + 3)]),
    ),
  };
  return { character: { ...character, skeleton }, order };
}
