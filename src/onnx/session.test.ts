import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { writeOnnx } from "./onnx-writer.ts";
import { type ProtobufWriter, protobufWriter } from "./protobuf.ts";
import { checkModel, createSession, type Provider } from "./session.ts";

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

const message = protobufWriter;
const tensor = (floats: number) =>
  message().integer(1, floats).integer(2, 1).text(8, "w").bytes(9, new Uint8Array(8));
const node = (change: (writer: ProtobufWriter) => ProtobufWriter = (writer) => writer) =>
  change(message().text(1, "w").text(2, "y").text(4, "Identity"));
const modelOf = (...parts: [number, ProtobufWriter][]) => {
  const graph = parts.reduce((writer, [field, part]) => writer.message(field, part), message());
  return message().integer(1, 8).message(7, graph).finish();
};

/** An attribute of a node: its graph, or its tensor. */
const attribute = (field: number, value: ProtobufWriter) =>
  node((writer) => writer.message(5, message().text(1, "a").message(field, value)));
const external = () => {
  const place = message().text(1, "location").text(2, "../../../etc/passwd");
  return message().integer(1, 2).integer(2, 1).text(8, "w").message(13, place).integer(14, 1);
};

test.each<[string, Uint8Array, RegExp]>([
  ["data in another file", modelOf([1, node()], [5, external()]), /other files/],
  ["external data in an attribute", modelOf([1, attribute(5, external())]), /other files/],
  ["a loop", modelOf([1, attribute(6, message())]), /loops or branches/],
  ["a branch", modelOf([1, attribute(11, message())]), /loops or branches/],
  ["a constant of a terabyte", modelOf([1, node()], [5, tensor(2 ** 38)]), /another size/],
  ["a size below 0", modelOf([1, node()], [5, tensor(2 ** 62)]), /another size/],
  ["custom operators", modelOf([1, node((w) => w.text(7, "evil"))]), /operators of "evil"/],
  [
    "functions",
    message().message(7, message().message(1, node())).message(25, message()).finish(),
    /functions/,
  ],
  ["no model", new Uint8Array(40).fill(255), /not an ONNX file/],
])("a model with %s is refused before it is opened", async (_, model, says) => {
  expect(() => checkModel(model)).toThrow(InputError);
  await expect(createSession(model)).rejects.toThrow(says);
});

test("a plain model and the shipped ones pass", () => {
  checkModel(modelOf([1, node()], [5, tensor(2)]));
  for (const name of ["heterskin.onnx", "heterskin-adapt.onnx"]) {
    checkModel(readFileSync(new URL(`../../models/${name}`, import.meta.url)));
  }
});
