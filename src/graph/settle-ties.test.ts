import { expect, test } from "vitest";
import { createRandom, shuffled } from "../math/random.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { settleTies } from "./graph-input.ts";

const JOINTS = 9;
const VERTICES = 40;

/** Distances from a few values, so that ties are common; `order` is the index of each joint. */
function tied(seed: number, order: number[], noise: number) {
  const random = createRandom(`ties ${seed}`);
  const places = Array.from({ length: JOINTS * 3 }, () => Math.round(random() * 3) / 10);
  const values = Array.from({ length: VERTICES * JOINTS }, () => Math.ceil(random() * 3) / 10);
  const shake = (value: number): number => value + noise * (random() - 0.5);
  const skeleton: Skeleton = {
    names: order.map((joint) => `joint ${joint}`),
    parents: Int32Array.from(order, () => -1),
    positions: Float32Array.from(
      order.flatMap((joint) => [0, 1, 2].map((a) => shake(places[joint * 3 + a]))),
    ),
  };
  const rows = Array.from({ length: VERTICES }, (_, v) =>
    order
      .map((joint, bone) => ({ bone, distance: shake(values[v * JOINTS + joint]) }))
      .sort((a, b) => a.distance - b.distance || a.bone - b.bone),
  );
  const distances = {
    k: JOINTS,
    bones: Int32Array.from(rows.flatMap((row) => row.map(({ bone }) => bone))),
    distances: Float32Array.from(rows.flatMap((row) => row.map(({ distance }) => distance))),
  };
  const settled = settleTies(distances, skeleton);
  return Array.from(settled.bones, (bone) => skeleton.names[bone]);
}

test.each([1, 2, 3])(
  "the order of candidates depends on neither numbering nor rounding (seed %i)",
  (seed) => {
    const plain = Array.from({ length: JOINTS }, (_, joint) => joint);
    const other = [...shuffled(JOINTS, createRandom(`order ${seed}`))];
    const expected = tied(seed, plain, 0);
    expect(tied(seed, other, 0)).toEqual(expected);
    expect(tied(seed, other, 1e-6)).toEqual(expected);
    expect(tied(seed, plain, 1e-6)).toEqual(expected);
  },
);

test("only ties are moved, and empty slots stay last", () => {
  const skeleton: Skeleton = {
    names: ["a", "b", "c"],
    parents: Int32Array.of(-1, 0, 1),
    positions: Float32Array.of(0.5, 0, 0, 0.2, 0, 0, 0.1, 0, 0),
  };
  const distances = {
    k: 4,
    bones: Int32Array.of(0, 1, 2, -1, 2, 1, -1, -1),
    distances: Float32Array.of(0.1, 0.2, 0.2, Infinity, 0.3, 0.4, Infinity, Infinity),
  };
  expect([...settleTies(distances, skeleton).bones]).toEqual([0, 2, 1, -1, 2, 1, -1, -1]);
});
