import { numpy as np, valueAndGrad } from "@jax-js/jax";
import { expect } from "vitest";
import {
  type ExportedGraph,
  exportFunction,
  type TensorSpec,
} from "../../src/compile/export-function.ts";
import { reverseList } from "../../src/compile/reverse-list.ts";
import type { TraceableFunction } from "../../src/compile/trace-function.ts";
import { createRandom, type Random } from "../../src/math/random.ts";
import type { HostTensor } from "../../src/onnx/runtime.ts";
import { createSession } from "../../src/onnx/session.ts";

/** Named jax-js arrays. */
export type Arrays = Record<string, np.Array>;

/** A function to export once and compare with jax-js at several sizes. */
export interface Case {
  inputs: Record<string, TensorSpec>;
  /** For each index input, the symbol that counts the rows it points into. */
  rows?: Record<string, string>;
  fn: (arrays: Arrays) => Arrays;
}

/** Sizes at which an exported graph is compared. */
export const SIZES: Record<string, number>[] = [
  { V: 1, B: 1, C: 2 },
  { V: 7, B: 3, C: 5 },
  { V: 40, B: 11, C: 4 },
];

/** The value of a loss on all outputs, and its gradient for each float input. */
export function withGradients({ inputs, fn }: Case): (arrays: Arrays) => Arrays {
  const names = Object.keys(inputs).filter((name) => inputs[name]!.dtype === "float32");
  return (arrays) => {
    const free = Object.fromEntries(names.map((name) => [name, arrays[name]!]));
    const rest = Object.fromEntries(
      Object.entries(arrays).filter(([name]) => !names.includes(name)),
    );
    const loss = (parameters: Arrays, others: Arrays) => {
      const outputs = Object.values(fn({ ...parameters, ...others }));
      // Smooth, different for each output, and bounded for masked values of -1e30.
      const terms = outputs.map((y, k) => np.sum(np.tanh(y.mul(0.3 + 0.1 * k))));
      return terms.reduce((a, b) => a.add(b));
    };
    const [value, gradient] = valueAndGrad(loss)(free, rest) as unknown as [np.Array, Arrays];
    const named = names.map((name) => [`d_${name}`, gradient[name]!]);
    return { value, ...Object.fromEntries(named) };
  };
}

function randomTensor(
  spec: TensorSpec,
  sizes: Record<string, number>,
  limit: number,
  random: Random,
) {
  const shape = spec.shape.map((size) => (typeof size === "string" ? sizes[size]! : size));
  const size = shape.reduce((product, length) => product * length, 1);
  const draw = {
    float32: () => 2 * random() - 1,
    int32: () => Math.floor(random() * limit),
    bool: () => Number(random() < 0.5),
  };
  const values = Array.from({ length: size }, draw[spec.dtype]);
  const kind = { float32: Float32Array, int32: Int32Array, bool: Uint8Array }[spec.dtype];
  return { dtype: spec.dtype, shape, data: kind.from(values) } as HostTensor;
}

/** Converts an array to jax-js. */
export function toJax({ dtype, shape, data }: HostTensor): np.Array {
  if (dtype === "bool") return np.array(Array.from(data, Boolean)).reshape(shape);
  return np.array(data as Float32Array, { shape, dtype: dtype as np.DType });
}

/** Random inputs of a function, and the feeds of its graph. */
export interface RandomFeeds {
  data: Record<string, HostTensor>;
  feeds: Record<string, HostTensor>;
}

/** Feeds of a graph for random data at the given sizes, including reverse lists. */
export function randomFeeds(
  graph: ExportedGraph,
  { inputs, rows = {} }: Case,
  sizes: Record<string, number>,
  seed: number,
): RandomFeeds {
  const random = createRandom(seed);
  const data = Object.fromEntries(
    Object.entries(inputs).map(([name, spec]) => [
      name,
      randomTensor(spec, sizes, sizes[rows[name] ?? ""] ?? 1, random),
    ]),
  );
  const feeds: Record<string, HostTensor> = { ...data };
  for (const list of graph.reverseLists) {
    const height = typeof list.rows === "string" ? sizes[list.rows]! : list.rows;
    const { data: slots, degree } = reverseList(data[list.of]!.data as Int32Array, height);
    feeds[list.name] = { dtype: "int32", shape: [height, degree], data: slots };
  }
  return { data, feeds };
}

/** Fails unless two arrays agree to 1e-4 of the larger one. */
export function expectClose(name: string, got: HostTensor, want: np.Array): void {
  expect(got.shape, name).toEqual(want.shape);
  const values = want.dataSync();
  let scale = 1e-3;
  let worst = 0;
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]!) > 1e20) {
      expect(got.data[i], name).toBeCloseTo(Number(values[i]), -24);
      continue;
    }
    scale = Math.max(scale, Math.abs(Number(values[i])));
    worst = Math.max(worst, Math.abs(Number(values[i]) - Number(got.data[i])));
  }
  expect(worst / scale, `${name}: relative difference`).toBeLessThan(1e-4);
}

/** Exports a function once and compares it with jax-js at all sizes; 1e-4 relative. */
export async function compareWithJax(
  item: Case,
  fn: (arrays: Arrays) => Arrays,
): Promise<ExportedGraph> {
  const graph = exportFunction({ fn: fn as TraceableFunction, inputs: item.inputs });
  const session = await createSession(graph.model, { threads: 1 });
  for (const [seed, sizes] of SIZES.entries()) {
    const { data, feeds } = randomFeeds(graph, item, sizes, seed);
    const got = await session.run(feeds);
    const want = fn(Object.fromEntries(Object.entries(data).map(([name, t]) => [name, toJax(t)])));
    for (const [name, array] of Object.entries(want)) {
      expectClose(`${name} at V = ${sizes.V}`, got[name]!, array);
    }
  }
  await session.dispose();
  return graph;
}
