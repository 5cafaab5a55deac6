import { numpy as np } from "@jax-js/jax";
import type { FeedArray } from "../src/graph/graph-feeds.ts";
import type { Tensor } from "../src/network/ops.ts";

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

/** The numbers of a tensor, which stays usable. */
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
