import { describe, expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { readOnnx, requireMetadata } from "./onnx-reader.ts";
import { type OnnxGraph, writeOnnx } from "./onnx-writer.ts";
import { createSession } from "./session.ts";

const graph: OnnxGraph = {
  nodes: [
    {
      op: "Gemm",
      inputs: ["x", "W"],
      outputs: ["y"],
      attributes: { transB: 1, alpha: { float: 0.5 } },
    },
    { op: "Transpose", inputs: ["y"], outputs: ["z"], attributes: { perm: [1, 0] } },
  ],
  inputs: [{ name: "x", type: "float32", shape: ["V", 2] }],
  outputs: [{ name: "z", type: "float32", shape: [3, "V"] }],
  initializers: [{ name: "W", shape: [3, 2], data: Float32Array.of(1, 2, 3, 4, 5, -6.5) }],
  metadata: { "heterskin.model": '{"k":8,"name":"Käfer ☀"}', empty: "" },
};

test("inputs, outputs, parameters and metadata are read back as written", () => {
  const read = readOnnx(writeOnnx(graph));
  expect(read.inputs).toEqual(graph.inputs);
  expect(read.outputs).toEqual(graph.outputs);
  expect(read.metadata).toEqual(graph.metadata);
  expect(read.parameters).toEqual({ W: { shape: [3, 2], data: graph.initializers[0]!.data } });
  expect(read.nodeCount).toBe(2);
  expect(requireMetadata(read, "heterskin.model")).toContain("Käfer");
});

test("names of sizes are restored from a model that hides them from the planner", () => {
  const plain = writeOnnx(graph);
  const hidden = writeOnnx({ ...graph, anonymousSizes: true });
  expect(hidden.length).toBeLessThan(plain.length);
  expect(readOnnx(hidden).inputs).toEqual(graph.inputs);
  expect(readOnnx(hidden).outputs).toEqual(graph.outputs);
});

test("reading does not depend on the offset of the bytes in their buffer", () => {
  const bytes = writeOnnx(graph);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(readOnnx(shifted.subarray(3))).toEqual(readOnnx(bytes));
});

test("ONNX Runtime computes the graph", async () => {
  const session = await createSession(writeOnnx(graph), { provider: "cpu" });
  const x = { dtype: "float32" as const, shape: [2, 2], data: Float32Array.of(1, 0, 1, 2) };
  const { z } = await session.run({ x });
  expect([...z!.data]).toEqual([0.5, 2.5, 1.5, 5.5, 2.5, -4]);
  expect(z!.shape).toEqual([3, 2]);
  await session.dispose();
});

describe("a file that is not a HeterSkin model is refused in one sentence", () => {
  const bytes = writeOnnx(graph);
  const cases: Record<string, Uint8Array> = {
    text: new TextEncoder().encode("this is not a model at all"),
    nothing: new Uint8Array(0),
    "half a model": bytes.subarray(0, bytes.length >> 1),
    "a glTF file": new TextEncoder().encode("glTF\u0002\u0000\u0000\u0000"),
  };
  for (const [name, file] of Object.entries(cases)) {
    test(name, () => {
      expect(() => readOnnx(file)).toThrow(InputError);
      expect(() => readOnnx(file)).toThrow("not an ONNX file");
    });
  }
  test("a model without our metadata", () => {
    const model = readOnnx(writeOnnx({ ...graph, metadata: {} }));
    expect(() => requireMetadata(model, "heterskin.model")).toThrow(InputError);
  });
});
