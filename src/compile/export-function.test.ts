import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lax, nn, numpy as np } from "@jax-js/jax";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, compareWithJax, withGradients } from "../../test/helpers/compare-with-jax.ts";
import type { ExportedGraph, TensorSpec } from "./export-function.ts";
import { startJax } from "./jax.ts";

const float = (...shape: (number | string)[]): TensorSpec => ({ dtype: "float32", shape });
const index = (...shape: (number | string)[]): TensorSpec => ({ dtype: "int32", shape });
const bool = (...shape: (number | string)[]): TensorSpec => ({ dtype: "bool", shape });

function layerNorm(x: np.Array): np.Array {
  const centered = x.ref.sub(np.mean(x, -1, { keepdims: true }));
  const variance = np.mean(np.square(centered.ref), -1, { keepdims: true });
  return centered.div(np.sqrt(variance.add(1e-5)));
}

const CASES: Record<string, Case> = {
  "elementwise with broadcasting": {
    inputs: { x: float("V", 5), column: float("V", 1), row: float(5), s: float() },
    fn: ({ x, column, row, s }) => {
      const y = np.exp(x!.ref.mul(row!.ref)).add(column!.ref).sub(s!.ref);
      const z = np
        .sin(x!.ref)
        .div(np.sqrt(np.square(column!).add(1)))
        .mul(np.cos(row!));
      return { y, z, w: np.log(np.square(x!).add(s!).add(3)) };
    },
  },
  "sums and maxima over each axis": {
    inputs: { x: float("V", 4, 3) },
    fn: ({ x }) => ({
      rows: np.sum(x!.ref, 0),
      middle: np.max(x!.ref, 1),
      last: np.min(x!.ref, 2),
      all: np.sum(np.square(x!.ref)),
      mean: np.mean(x!, [1, 2]),
    }),
  },
  "sum over a repeated dimension": {
    inputs: { x: float(4), n: float("V", 1) },
    fn: ({ x, n }) => ({
      y: np.sum(np.broadcastTo(x!, [n!.shape[0]!, 4]), 0),
      z: np.sum(np.broadcastTo(n!.ref, [n!.shape[0]!, 6]), 1),
    }),
  },
  "matrix products in all orders": {
    inputs: { x: float("V", 5), y: float("V", 3), W: float(5, 3), U: float(3, 5) },
    fn: ({ x, y, W, U }) => ({
      plain: np.matmul(x!.ref, W!.ref),
      right: np.matmul(x!.ref, np.transpose(U!.ref)),
      left: np.matmul(np.transpose(x!.ref), y!.ref),
      both: np.matmul(np.transpose(W!.ref), np.transpose(x!.ref)),
      gram: np.matmul(x!.ref, np.transpose(x!)),
      cross: np.matmul(np.matmul(y!, U!), W!),
    }),
  },
  "matrix products of stacks": {
    inputs: { x: float("V", 4, 5), y: float("V", 5, 3), W: float(5, 2), v: float(5) },
    fn: ({ x, y, W, v }) => ({
      stack: np.matmul(x!.ref, y!.ref),
      shared: np.matmul(x!.ref, W!),
      vector: np.matmul(x!.ref, v!),
      turned: np.matmul(np.transpose(y!, [0, 2, 1]), np.transpose(x!.ref, [0, 2, 1])),
      pairs: np.einsum(x!.ref, [0, 1, 2], x!, [0, 3, 2], [0, 3, 1]),
    }),
  },
  "products with several free and summed axes": {
    inputs: { x: float("V", 4, 5), y: float("V", 4, 3), z: float("B", 4, 5) },
    fn: ({ x, y, z }) => ({
      outer: np.einsum(x!.ref, [0, 1, 2], y!, [0, 1, 3], [2, 3]),
      rows: np.einsum(x!.ref, [0, 1, 2], z!.ref, [3, 1, 2], [0, 3]),
      wide: np.einsum(x!.ref, [0, 1, 2], z!, [3, 4, 2], [1, 0, 4, 3]),
      dots: np.einsum(x!.ref, [0, 1, 2], x!, [0, 1, 2], [0, 1]),
    }),
  },
  "neighbor maximum": {
    inputs: { x: float("V", 6), i: index("V", 3) },
    rows: { i: "V" },
    fn: ({ x, i }) => ({ y: np.max(np.take(x!, i!, 0), 1) }),
  },
  "maximum over many neighbors": {
    inputs: { x: float("V", 5), y: float("V", 2, 3), i: index("V", 19), j: index("V", 16) },
    rows: { i: "V", j: "V" },
    fn: ({ x, y, i, j }) => ({
      near: np.max(np.take(x!, i!, 0), 1),
      far: np.max(np.take(y!, j!, 0), 1),
    }),
  },
  "gathers that share, flatten and reshape their index": {
    inputs: { x: float("V", 6), b: float("B", 2), i: index("V", 3), k: index("V", 2) },
    rows: { i: "V", k: "B" },
    fn: ({ x, b, i, k }) => {
      const V = x!.shape[0]!;
      const near = np.take(x!.ref, i!.ref, 0).reshape([V, 18]);
      const flat = np.take(np.square(x!), i!.reshape([V * 3]), 0);
      return { near, flat, bones: np.take(b!, k!, 0).reshape([V, 4]) };
    },
  },
  "gather of a vector": {
    inputs: { x: float("B"), i: index("V", "C") },
    rows: { i: "B" },
    fn: ({ x, i }) => ({ y: np.sum(np.take(x!, i!, 0), 1) }),
  },
  "concatenate and split": {
    inputs: { x: float("V", 2), y: float("V", 3), row: float(4) },
    fn: ({ x, y, row }) => {
      const V = x!.shape[0]!;
      const joined = np.concatenate([x!, np.broadcastTo(row!, [V, 4]), y!], 1);
      const [a, b, c] = np.split(joined, [1, 5], 1) as [np.Array, np.Array, np.Array];
      return { ab: a.mul(b), c: np.concatenate([c.ref, c], 0) };
    },
  },
  "a split into many parts": {
    inputs: { x: float("V", 11), W: float(20, 6) },
    fn: ({ x, W }) => {
      const parts = np.split(x!, 11, 1);
      const weight = W!.slice([4, 10], []);
      const product = np.matmul(np.concatenate(parts.slice(2, 8), 1), weight);
      return { y: product.reshape([-1, 2, 3]), z: parts[9]!.mul(parts[10]!) };
    },
  },
  "choices, extrema and masks": {
    inputs: { x: float("V", 4), y: float("V", 4), mask: bool("V", 1) },
    fn: ({ x, y, mask }) => ({
      where: np.where(np.less(x!.ref, y!.ref), x!.ref, np.square(y!.ref)),
      masked: np.where(mask!, x!.ref, -1e30).reshape([-1]),
      larger: np.maximum(x!.ref, y!.ref),
      smaller: np.minimum(x!.ref, y!.ref),
      clipped: np.clip(x!.ref, -0.5, 0.25),
      counted: np.equal(np.floor(x!), np.ceil(y!)).astype(np.float32),
    }),
  },
  activations: {
    inputs: { x: float("V", 4) },
    fn: ({ x }) => ({
      leaky: nn.leakyRelu(x!.ref, 0.2),
      relu: nn.relu(x!.ref),
      sigmoid: nn.sigmoid(x!.ref),
      tanh: np.tanh(x!.ref),
      gelu: nn.gelu(x!.ref),
      exact: nn.gelu(x!.ref, { approximate: false }),
      elu: nn.elu(x!),
    }),
  },
  "softmax and logarithms of it": {
    inputs: { x: float("V", 5), y: float(3, "V") },
    fn: ({ x, y }) => ({
      last: nn.softmax(x!.ref, -1),
      log: nn.logSoftmax(x!, -1),
      first: nn.softmax(y!, 1),
    }),
  },
  "layer norm": {
    inputs: { x: float("V", 8), W: float(8, 3) },
    fn: ({ x, W }) => ({ y: np.matmul(layerNorm(x!), W!) }),
  },
  "root mean square norm": {
    inputs: { x: float("V", 8), y: float("V", 3, 8), gain: float(8) },
    fn: ({ x, y, gain }) => {
      const norm = (a: np.Array) => {
        const power = np.sum(np.square(a.ref), -1).mul(1 / 8);
        const scale = np.reciprocal(np.sqrt(power.add(1e-5)));
        return a.mul(scale.reshape([...a.shape.slice(0, -1), 1])).mul(gain!.ref);
      };
      return { flat: norm(x!), turned: norm(np.transpose(y!, [1, 0, 2])) };
    },
  },
  "slices, padding and reversal": {
    inputs: { x: float("V", 6) },
    fn: ({ x }) => ({
      slice: x!.ref.slice([], [2, 5]),
      padded: np.pad(x!.ref, [
        [0, 0],
        [1, 2],
      ]),
      turned: np.flip(x!, 1),
    }),
  },
  "reshapes across transposes": {
    inputs: { x: float("V", 4, 6), y: float(12, "V", 2) },
    fn: ({ x, y }) => {
      const V = x!.shape[0]!;
      const a = np.transpose(x!, [1, 0, 2]).reshape([4, V, 2, 3]);
      const b = np.transpose(y!.reshape([4, 3, V, 2]), [0, 2, 3, 1]);
      const joined = a.add(b);
      return {
        heads: np.transpose(joined.ref, [1, 0, 3, 2]).reshape([V, 24]),
        flat: joined.reshape([-1]),
      };
    },
  },
  "constants and passed-through inputs": {
    inputs: { x: float("V", 3) },
    fn: ({ x }) => ({
      same: x!.ref,
      zeros: np.zerosLike(x!.ref),
      table: np.matmul(x!, np.array([1, 2, 3, 4, 5, 6], { shape: [3, 2] })),
      one: np.array(1),
    }),
  },
  "stopped gradients": {
    inputs: { x: float("V", 3) },
    fn: ({ x }) => ({ y: x!.ref.mul(lax.stopGradient(np.exp(x!))) }),
  },
};

const folder = mkdtempSync(join(tmpdir(), "heterskin-onnx-"));
const models: string[] = [];
function keep(name: string, graph: ExportedGraph): void {
  const path = join(folder, `${name.replaceAll(/\W+/g, "-")}.onnx`);
  writeFileSync(path, graph.model);
  models.push(path);
}

beforeAll(startJax);
afterAll(() => rmSync(folder, { recursive: true }));

describe("an exported function equals jax-js at three sizes", () => {
  for (const [name, item] of Object.entries(CASES)) {
    test(name, async () => keep(name, await compareWithJax(item, item.fn)));
  }
});

describe("exported gradients equal jax-js at three sizes", () => {
  for (const [name, item] of Object.entries(CASES)) {
    test(name, async () =>
      keep(`gradient ${name}`, await compareWithJax(item, withGradients(item))),
    );
  }
});

test("ONNX Runtime opens all these graphs without warnings", () => {
  expect(models.length).toBe(2 * Object.keys(CASES).length);
  const script = `
    const { InferenceSession } = require("onnxruntime-node");
    (async () => {
      for (const path of ${JSON.stringify(models)}) {
        const session = await InferenceSession.create(path, { logSeverityLevel: 2 });
        await session.release();
      }
      console.log("opened");
    })();`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("opened");
});
