import { numpy as np } from "@jax-js/jax";
import { beforeAll, describe, test } from "vitest";
import {
  type Arrays,
  type Case,
  compareWithJax,
  withGradients,
} from "../../test/helpers/compare-with-jax.ts";
import { createRandom, type Random } from "../math/random.ts";
import { startJax } from "./jax.ts";

/** An array with its symbolic shape, which steers the program, so that it is the same at all sizes. */
interface Value {
  array: np.Array;
  dims: (number | string)[];
}

const sizesOf = ({ array }: Value) => array.shape;
const pick = <T>(random: Random, list: T[]): T => list[Math.floor(random() * list.length)]!;
const range = (count: number) => [...Array(count).keys()];

/** One random step: reads values of the pool and returns a new one, or undefined if the shapes do not match. */
type Step = (pool: Value[], inputs: Arrays, random: Random) => Value | undefined;

const STEPS: Step[] = [
  (pool, _, random) => {
    const x = pick(random, pool);
    const f = pick(random, [np.tanh, np.square, np.sin, np.negative, np.abs]);
    return { ...x, array: f(x.array.ref) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    const y = pick(
      random,
      pool.filter((other) => String(other.dims) === String(x.dims)),
    );
    const f = pick(random, [np.add, np.multiply, np.subtract, np.maximum]);
    return { ...x, array: f(x.array.ref, y.array.ref) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    if (x.dims.length === 0) return undefined;
    const axis = Math.floor(random() * x.dims.length);
    const f = pick(random, [np.max, np.sum]);
    const reduced = f(x.array.ref, axis, { keepdims: true });
    return { ...x, array: np.tanh(reduced).add(x.array.ref) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    if (x.dims.length < 2) return undefined;
    const axis = Math.floor(random() * x.dims.length);
    const array = pick(random, [np.max, np.sum])(x.array.ref, axis).mul(0.3);
    return { array, dims: x.dims.toSpliced(axis, 1) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    const perm = range(x.dims.length)
      .map((axis) => [random(), axis] as const)
      .sort(([a], [b]) => a - b)
      .map(([, axis]) => axis);
    return { array: np.transpose(x.array.ref, perm), dims: perm.map((axis) => x.dims[axis]!) };
  },
  (pool, { W, U }, random) => {
    const x = pick(random, pool);
    const weight = { 4: W!, 6: U! }[x.dims.at(-1)!];
    if (!weight) return undefined;
    const array = np.matmul(x.array.ref, weight.ref);
    return { array, dims: [...x.dims.slice(0, -1), x.dims.at(-1) === 4 ? 6 : 4] };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    const at = x.dims.findIndex((size) => size === 4 || size === 6);
    if (at < 0 || x.dims.length > 3) return undefined;
    const parts = [2, Number(x.dims[at]) / 2];
    const array = x.array.ref.reshape(sizesOf(x).toSpliced(at, 1, ...parts));
    return { array, dims: x.dims.toSpliced(at, 1, ...parts) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    const at = x.dims.findIndex(
      (size, i) => typeof size === "number" && typeof x.dims[i + 1] === "number",
    );
    if (at < 0) return undefined;
    const merged = Number(x.dims[at]) * Number(x.dims[at + 1]);
    const array = x.array.ref.reshape(sizesOf(x).toSpliced(at, 2, merged));
    return { array, dims: x.dims.toSpliced(at, 2, merged) };
  },
  (pool, _, random) => {
    const x = pick(random, pool);
    const y = pick(random, pool);
    const [a, b] = [pick(random, range(x.dims.length)), pick(random, range(y.dims.length))];
    if (a === undefined || b === undefined || x.dims[a] !== y.dims[b]) return undefined;
    if (x.dims.length + y.dims.length > 5) return undefined;
    const left = range(x.dims.length);
    const right = range(y.dims.length).map((axis) => (axis === b ? a : 10 + axis));
    const out = [...left, ...right].filter((name) => name !== a);
    const dims = [...x.dims.toSpliced(a, 1), ...y.dims.toSpliced(b, 1)];
    return { array: np.einsum(x.array.ref, left, y.array.ref, right, out).mul(0.2), dims };
  },
  (pool, { i }, random) => {
    const x = pick(random, pool);
    if (x.dims[0] !== "V" || x.dims.length > 3) return undefined;
    const near = np.take(x.array.ref, i!.ref, 0);
    if (random() < 0.5) return { array: np.max(near, 1), dims: x.dims };
    return { array: near, dims: ["V", 3, ...x.dims.slice(1)] };
  },
];

/** A program of 12 random steps; the same seed takes the same steps at every size. */
function randomProgram(seed: number): Case {
  return {
    inputs: {
      x: { dtype: "float32", shape: ["V", 4] },
      y: { dtype: "float32", shape: ["V", "B", 6] },
      W: { dtype: "float32", shape: [4, 6] },
      U: { dtype: "float32", shape: [6, 4] },
      i: { dtype: "int32", shape: ["V", 3] },
    },
    rows: { i: "V" },
    fn: (inputs) => {
      const random = createRandom(seed);
      const pool: Value[] = [
        { array: inputs.x!, dims: ["V", 4] },
        { array: inputs.y!, dims: ["V", "B", 6] },
      ];
      for (let made = 0, tries = 0; made < 12 && tries < 100; tries++) {
        const value = pick(random, STEPS)(pool, inputs, random);
        if (!value) continue;
        pool.push({ ...value, array: np.tanh(value.array) });
        made++;
      }
      const last = pool.slice(-4).map(({ array }, k) => [`out${k}`, array.ref]);
      return Object.fromEntries(last);
    },
  };
}

beforeAll(startJax);

describe("random programs and their gradients equal jax-js at three sizes", () => {
  for (const seed of range(16)) {
    test(`seed ${seed}`, async () => {
      const program = randomProgram(seed);
      await compareWithJax(program, withGradients(program));
    });
  }
});
