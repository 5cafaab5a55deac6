import { numpy as np } from "@jax-js/jax";
import { beforeAll, describe, expect, test } from "vitest";
import { type ExportRequest, exportFunction } from "./export-function.ts";
import { startJax } from "./jax.ts";
import type { TraceableFunction } from "./trace-function.ts";

beforeAll(startJax);

const x = { dtype: "float32", shape: ["V", 4] } as const;
const inputs: ExportRequest["inputs"] = {
  x: { ...x, shape: ["V", 4] },
  i: { dtype: "int32", shape: ["V"] },
};

function refusal(fn: TraceableFunction): () => void {
  return () => exportFunction({ fn, inputs });
}

describe("unsupported programs are refused by name", () => {
  test("a primitive without a rule", () => {
    expect(refusal(({ x }) => ({ y: np.sort(x!, 1) }))).toThrow('primitive "sort"');
  });
  test("an element type without a rule", () => {
    expect(refusal(({ i }) => ({ y: i!.astype(np.uint32) }))).toThrow("uint32");
  });
  test("a size that leaked into a factor", () => {
    expect(refusal(({ x }) => ({ y: np.mean(x!, 0) }))).toThrow(
      /constant of operation "mul".*symbolic/,
    );
  });
  test("a size that leaked through a function", () => {
    const fn: TraceableFunction = ({ x }) => ({ y: x!.add(Math.sqrt(Math.log(x!.shape[0]!))) });
    expect(refusal(fn)).toThrow("symbolic size");
  });
  test("a constant array whose shape depends on the rows", () => {
    const fn: TraceableFunction = ({ x }) => {
      const V = x!.shape[0]!;
      return { y: x!.mul(np.arange(V).astype(np.float32).reshape([V, 1])) };
    };
    expect(refusal(fn)).toThrow("constant array of shape [V]");
  });
  test("a size that is not a product of symbols", () => {
    const fn: TraceableFunction = ({ x }) => ({ y: np.concatenate([x!, np.ones([1, 4])], 0) });
    expect(refusal(fn)).toThrow("product of symbols");
  });
  test("a program that depends on the size", () => {
    const fn: TraceableFunction = ({ x }) => ({ y: x!.shape[0]! % 4 === 1 ? np.exp(x!) : x! });
    expect(refusal(fn)).toThrow("symbolic size");
  });
  test("a gather by two indices at once", () => {
    const fn: TraceableFunction = ({ x, i }) => ({ y: x!.slice(i!.ref, i!) });
    expect(refusal(fn)).toThrow('"gather"');
  });
  test("an output with the name of an input", () => {
    expect(refusal(({ x }) => ({ x: np.exp(x!) }))).toThrow('"x" is both an input and');
  });
  test("a symbol that no input defines", () => {
    const request: ExportRequest = {
      fn: ({ W }) => ({ y: np.concatenate([W!, np.zeros([1013, 2])], 1) }),
      inputs: {},
      initializers: { W: { shape: [1013, 2], data: new Float32Array(2026) } },
    };
    expect(exportFunction(request).outputs[0]!.spec.shape).toEqual([1013, 4]);
    expect(() => exportFunction({ ...request, inputs: { W: x as never } })).toThrow("both input");
  });
});

test("a static size is not mistaken for a symbol that divides it", () => {
  // 1009 is the first sentinel, 2 x 1013 the next one doubled.
  const request: ExportRequest = {
    fn: ({ x, W }) => ({ y: np.matmul(x!, W!).reshape([-1, 2, 1013]) }),
    inputs: {
      x: { dtype: "float32", shape: ["V", 1009] },
      W: { dtype: "float32", shape: [1009, 2026] },
    },
  };
  const spec = { dtype: "float32", shape: ["V", 2, 1013] };
  expect(exportFunction(request).outputs).toEqual([{ name: "y", spec }]);
  expect(() => exportFunction({ ...request, symbols: { V: 1009 } })).toThrow("symbolic size");
  expect(exportFunction({ ...request, symbols: { V: 7919 } }).outputs).toEqual([
    { name: "y", spec },
  ]);
});
