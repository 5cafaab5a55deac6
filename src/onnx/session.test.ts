import { expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { writeOnnx } from "./onnx-writer.ts";
import { createSession, type Provider } from "./session.ts";

const model = writeOnnx({
  nodes: [{ op: "Mul", inputs: ["x", "x"], outputs: ["y"], attributes: {} }],
  inputs: [{ name: "x", type: "float32", shape: ["V"] }],
  outputs: [{ name: "y", type: "float32", shape: ["V"] }],
  initializers: [],
  metadata: {},
});

test("one session serves many runs of different sizes", async () => {
  const session = await createSession(model, { threads: 1 });
  expect(session.provider).toBe("cpu");
  expect(session.inputNames).toEqual(["x"]);
  for (const size of [1, 5, 2]) {
    const data = Float32Array.from({ length: size }, (_, i) => i - 1);
    const { y } = await session.run({ x: { dtype: "float32", shape: [size], data } });
    expect([...y!.data]).toEqual([...data].map((value) => value * value));
  }
  await session.dispose();
});

test("auto finds a provider that works, whatever there is", async () => {
  const session = await createSession(model, { provider: "auto", manyRuns: true });
  expect(["cpu", "webgpu"]).toContain(session.provider);
  await session.dispose();
});

test("a provider that this environment does not have is an InputError that names those it has", async () => {
  await expect(createSession(model, { provider: "wasm" })).rejects.toThrow(InputError);
  await expect(createSession(model, { provider: "wasm" })).rejects.toThrow("webgpu or cpu");
  const wrong = createSession(model, { provider: "cuda" as Provider });
  await expect(wrong).rejects.toThrow('no provider "cuda"');
});

test("bytes that are no model are an InputError", async () => {
  const broken = createSession(Uint8Array.of(1, 2, 3), { provider: "cpu" });
  await expect(broken).rejects.toThrow(InputError);
});
