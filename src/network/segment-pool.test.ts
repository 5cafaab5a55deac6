import { beforeAll, expect, test } from "vitest";
import { floats, segmentTensors, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { buildSegments } from "../graph/segments.ts";
import { createRandom, normal } from "../math/random.ts";
import { poolSegments, spreadSegments } from "./segment-pool.ts";

beforeAll(startJax);

test.each([
  [1, undefined],
  [2, undefined],
  [3, 8],
  [4, 16],
])(
  "pools and spreads like loops, with empty groups and loose rows (seed %i, slots at once: %s)",
  async (seed, slotsAtOnce) => {
    const random = createRandom(seed);
    const [N, G, F] = [150, 6, 3];
    // Group 4 stays empty, group 0 has most rows, and some rows belong to none.
    const group = Int32Array.from({ length: N }, () => {
      const pick = random();
      return pick < 0.1 ? -1 : pick < 0.7 ? 0 : [1, 2, 3, 5][Math.floor(random() * 4)];
    });
    const x = Array.from({ length: N }, () => Array.from({ length: F }, () => normal(random)));
    const segments = {
      ...segmentTensors(buildSegments(group, G)),
      ...(slotsAtOnce && { slotsAtOnce }),
    };
    const pooled = poolSegments(floats(x.flat(), [N, F]), segments);
    const [max, mean, variance] = await Promise.all(
      [pooled.max, pooled.mean, pooled.variance].map(valuesOf),
    );
    for (let g = 0; g < G; g++) {
      const rows = x.filter((_, i) => group[i] === g);
      for (let f = 0; f < F; f++) {
        const column = rows.map((row) => row[f]);
        const average = column.reduce((a, b) => a + b, 0) / Math.max(1, column.length);
        const spread = column.reduce((a, b) => a + (b - average) ** 2, 0);
        expect(max[g * F + f]).toBeCloseTo(column.length > 0 ? Math.max(...column) : 0, 4);
        expect(mean[g * F + f]).toBeCloseTo(average, 4);
        expect(variance[g * F + f]).toBeCloseTo(spread / Math.max(1, column.length), 4);
      }
    }
    const values = Array.from({ length: G * F }, () => normal(random));
    const spreadOut = await valuesOf(spreadSegments(floats(values, [G, F]), segments));
    group.forEach((g, row) => {
      for (let f = 0; f < F && g >= 0; f++) {
        expect(spreadOut[row * F + f]).toBeCloseTo(values[g * F + f], 5);
      }
    });
  },
);

test("one group of all rows needs no lists", async () => {
  const random = createRandom(5);
  const [N, F] = [70, 3];
  const x = floats(
    Array.from({ length: N * F }, () => normal(random)),
    [N, F],
  );
  const lists = segmentTensors(buildSegments(new Int32Array(N), 1));
  const [listed, whole] = [lists, { ...lists, isWhole: true }].map((s) => poolSegments(x, s));
  for (const kind of ["max", "mean", "variance"] as const) {
    expect(whole[kind].shape).toEqual([1, F]);
    expect(await valuesOf(whole[kind])).toBeAllClose(await valuesOf(listed[kind]), 1e-5);
  }
  const row = floats([1, 2, 3], [1, F]);
  const spread = await valuesOf(spreadSegments(row, { ...lists, isWhole: true }));
  expect(spread).toEqual(await valuesOf(spreadSegments(row, lists)));
});
