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

test("WebAssembly runs in Node too, on one thread or two", async () => {
  const data = Float32Array.of(1, -2, 3);
  for (const threads of [1, 2]) {
    const session = await createSession(model, { provider: "wasm", threads });
    expect(session).toMatchObject({ provider: "wasm", reason: "as requested" });
    const { y } = await session.run({ x: { dtype: "float32", shape: [3], data } });
    expect([...y!.data]).toEqual([1, 4, 9]);
    await session.dispose();
  }
});

test("auto reports why it chose its provider", async () => {
  const session = await createSession(model);
  expect(session.reason).toBe("onnxruntime-node is installed");
  await session.dispose();
});

test("auto finds a provider that works", async () => {
  const session = await createSession(model, { provider: "auto", manyRuns: true });
  expect(["cpu", "webgpu"]).toContain(session.provider);
  await session.dispose();
});

test("an unavailable provider is an InputError that lists the available ones", async () => {
  const wrong = () => createSession(model, { provider: "cuda" as Provider });
  await expect(wrong).rejects.toThrow(InputError);
  await expect(wrong).rejects.toThrow(
    'The provider "cuda" is not available; use webgpu or cpu or wasm, or auto',
  );
});

test("invalid model bytes are an InputError", async () => {
  const broken = createSession(Uint8Array.of(1, 2, 3), { provider: "cpu" });
  await expect(broken).rejects.toThrow(InputError);
});
