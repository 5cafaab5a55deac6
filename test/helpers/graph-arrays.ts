import { numpy as np } from "@jax-js/jax";
import { expect } from "vitest";
import { longestGroup } from "../../src/graph/collate.ts";
import type { FeedArray } from "../../src/graph/graph-feeds.ts";
import { CHUNK, type Segments } from "../../src/graph/segments.ts";
import { normal, type Random } from "../../src/math/random.ts";
import type { Tensor } from "../../src/network/ops.ts";
import type { Scope } from "../../src/network/parameters.ts";
import type { SegmentTensors } from "../../src/network/segment-pool.ts";

/** Feeds as jax-js arrays. */
export function feedTensors(feeds: Record<string, FeedArray>): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(feeds).map(([name, { dims, data }]) => [
      name,
      np
        .array(data, { dtype: data instanceof Int32Array ? np.int32 : np.float32 })
        .reshape(dims.length > 0 ? dims : []),
    ]),
  );
}

/** Reads the numbers of a tensor, which stays usable. */
export async function valuesOf(tensor: Tensor): Promise<Float32Array> {
  return (await tensor.ref.data()) as Float32Array;
}

/** A float tensor of the given shape. */
export function floats(data: ArrayLike<number>, shape: number[]): Tensor {
  return np.array(Float32Array.from(data)).reshape(shape);
}

/** An index tensor of the given shape. */
export function indices(data: ArrayLike<number>, shape: number[]): Tensor {
  return np.array(Int32Array.from(data), { dtype: np.int32 }).reshape(shape);
}

/** Rows of normally distributed numbers. */
export function randomRows(random: Random, rows: number, columns: number): number[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => normal(random)));
}

/** A scope whose parameters are drawn on request; `arrays` holds them afterwards. */
export function drawingScope(random: Random): Scope & { arrays: Record<string, number[][]> } {
  const arrays: Record<string, number[][]> = {};
  return {
    arrays,
    parameter(name, shape) {
      const width = shape[shape.length - 1];
      const rows = shape.length > 1 ? shape[0] : 1;
      arrays[name] = randomRows(random, rows, width);
      return floats(arrays[name].flat(), shape);
    },
  };
}

/** The tensors of a partition. */
export function segmentTensors(segments: Segments, rowShape?: number[]): SegmentTensors {
  const C = segments.chunkGroup.length;
  const R = longestGroup(segments);
  return {
    rowChunk: indices(segments.rowChunk, rowShape ?? [segments.rowChunk.length]),
    chunkRows: indices(segments.chunkRows, [C, CHUNK]),
    chunkValid: floats(segments.chunkValid, [C, CHUNK]),
    chunkGroup: indices(segments.chunkGroup, [C]),
    groupChunks: indices(segments.groupChunks, [segments.groups, R]),
    groupValid: floats(segments.groupValid, [segments.groups, R]),
    inverseCount: floats(segments.inverseCount, [segments.groups]),
  };
}

/** leakyRelu(x W + b) row by row. */
export function denseRows(x: number[][], W: number[][], b?: number[][]): number[][] {
  return linearRows(x, W, b).map((row) => row.map(leaky));
}

/** x W + b row by row. */
export function linearRows(x: number[][], W: number[][], b?: number[][]): number[][] {
  return x.map((row) =>
    W[0].map((_, o) =>
      row.reduce((sum, value, f) => sum + value * W[f][o], b === undefined ? 0 : b[0][o]),
    ),
  );
}

/** The paper's activation. */
export function leaky(x: number): number {
  return x > 0 ? x : 0.2 * x;
}

/** Fails unless a tensor contains these rows, up to the rounding of float32. */
export async function expectRows(tensor: Tensor, rows: number[][], digits = 3): Promise<void> {
  const got = await valuesOf(tensor);
  const expected = rows.flat();
  expect(got.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(got[i], `number ${i}`).toBeCloseTo(value, digits);
  });
}
