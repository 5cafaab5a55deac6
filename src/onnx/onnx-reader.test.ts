import { describe, expect, test } from "vitest";
import { toHalf } from "../math/half-float.ts";
import { readOnnx, replaceParameters } from "./onnx-reader.ts";
import { writeOnnx } from "./onnx-writer.ts";

const half = Float32Array.of(1, 2, 3);
const whole = Float32Array.of(0.1, 0.2);
const model = writeOnnx({
  nodes: [{ op: "Identity", inputs: ["x"], outputs: ["y"], attributes: {} }],
  inputs: [{ name: "x", type: "float32", shape: ["N"] }],
  outputs: [{ name: "y", type: "float32", shape: ["N"] }],
  initializers: [
    { name: "a.half", shape: [3], data: toHalf(half) },
    { name: "b", shape: [2], data: whole },
  ],
  metadata: { kept: "as it was", old: "before" },
});

describe("replaceParameters", () => {
  test("changes only the given values, in their stored precision", () => {
    const before = model.slice();
    const { parameters, ...rest } = readOnnx(
      replaceParameters(model, { a: Float32Array.of(0.5, -4, 1 / 3) }),
    );
    const { parameters: _, ...original } = readOnnx(model);
    expect(rest).toEqual(original);
    expect(parameters.b.data).toEqual(whole);
    expect([...parameters.a.data.subarray(0, 2)]).toEqual([0.5, -4]);
    expect(parameters.a.data[2]).toBeCloseTo(1 / 3, 3);
    expect(model).toEqual(before);
  });

  test("adds metadata, and a later entry replaces an earlier one", () => {
    const { metadata } = readOnnx(replaceParameters(model, {}, { old: "after", more: "new" }));
    expect(metadata).toEqual({ kept: "as it was", old: "after", more: "new" });
  });

  test("refuses names and sizes the model does not have", () => {
    expect(() => replaceParameters(model, { c: whole })).toThrow('no parameter "c"');
    expect(() => replaceParameters(model, { b: half })).toThrow("8 bytes, got 12");
  });
});
