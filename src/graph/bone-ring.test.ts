import { expect, test } from "vitest";
import { boneRing } from "./build-skin-graph.ts";
import { BONE_NEIGHBORS } from "./skin-graph.ts";

/** A skeleton whose joint j is at x = j * j. */
function skeleton(parents: number[]): Parameters<typeof boneRing>[0] {
  return {
    names: parents.map((_, j) => `j${j}`),
    parents: Int32Array.from(parents),
    positions: Float32Array.from(parents.flatMap((_, j) => [j * j, 0, 0])),
  };
}

function rows(parents: number[]): Set<number>[] {
  const ring = boneRing(skeleton(parents));
  return parents.map(
    (_, b) => new Set(ring.subarray(b * BONE_NEIGHBORS, (b + 1) * BONE_NEIGHBORS)),
  );
}

test("a bone has its parent and its children, in any order in the file", () => {
  expect(rows([2, 2, -1, 2])).toEqual([
    new Set([2]),
    new Set([2]),
    new Set([0, 1, 3]),
    new Set([2]),
  ]);
});

test("a single bone has itself", () => {
  expect(rows([-1])).toEqual([new Set([0])]);
});

test("with too many children the farthest are kept next to the parent", () => {
  // Joint 1 under 0 has the children 2 to 12.
  const parents = [-1, 0, ...Array(11).fill(1)];
  expect(rows(parents)[1]).toEqual(new Set([0, 6, 7, 8, 9, 10, 11, 12]));
});

test("among equally far children the first are kept, despite rounding", () => {
  const parents = [-1, ...Array(12).fill(0)];
  const ring = (noise: number) => {
    const positions = Float32Array.from(
      parents.flatMap((_, j) => {
        const length = j === 0 ? 0 : 0.3 + noise * (j % 3);
        return [length * Math.cos(j), length * Math.sin(j), 0];
      }),
    );
    return boneRing({ ...skeleton(parents), positions });
  };
  expect(ring(1e-6)).toEqual(ring(0));
  expect(ring(-1e-6)).toEqual(ring(0));
});
