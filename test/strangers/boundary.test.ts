import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Character } from "../../src/character/character.ts";
import { prepareCharacter } from "../../src/character/prepare-character.ts";
import { MEASURED_BONES } from "../../src/distance/bone-distances.ts";
import { measureDistances } from "../../src/distance/measure.ts";
import { bodyNormals, graphInputOf } from "../../src/graph/graph-input.ts";
import { InputError, skin } from "../../src/index.ts";
import { encodeContainer } from "../../src/learn/container.ts";
import { openSkinModel, runSkinModel } from "../../src/methods/network.ts";
import { shippedModel } from "../../src/node.ts";
import { readCharacterTable } from "../../src/train/data/character-table.ts";
import { openPack, PackWriter } from "../../src/train/data/pack.ts";
import { openSampleFile } from "../../src/train/data/sample-file.ts";
import { loadCheckpoint } from "../../src/train/run/checkpoint.ts";
import { tube } from "../helpers/odd-characters.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();
const V = 24;
const character = (): Character => tube(4, 6, 3);
const rows = (change: object = {}) => ({
  ...character(),
  weights: {
    influences: 1,
    joints: new Uint16Array(V),
    weights: new Float32Array(V).fill(1),
    ...change,
  },
});
// biome-ignore lint/suspicious/noExplicitAny: untyped callers pass anything
const mesh = (change: any) => ({ ...character(), mesh: { ...character().mesh, ...change } });
// biome-ignore lint/suspicious/noExplicitAny: the same
const bones = (change: any) => ({
  ...character(),
  skeleton: { ...character().skeleton, ...change },
});

describe("skin() refuses in one sentence", () => {
  test.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty object", {}],
    ["a mesh without positions", mesh({ positions: undefined })],
    ["positions as a list", mesh({ positions: [0, 0, 0] })],
    ["positions that are not triples", mesh({ positions: new Float32Array(7) })],
    [
      "a position that is not a number",
      mesh({ positions: new Float32Array(V * 3).fill(Number.NaN) }),
    ],
    ["triangle -1", mesh({ triangles: Int32Array.of(0, 1, -1) })],
    ["triangle 0.5", mesh({ triangles: Float32Array.of(0, 1, 0.5) })],
    ["triangle 999", mesh({ triangles: Uint32Array.of(0, 1, 999) })],
    ["no triangles at all", mesh({ triangles: undefined })],
    ["no skeleton", { ...character(), skeleton: undefined }],
    ["no names", bones({ names: undefined })],
    ["too few names", bones({ names: ["a"] })],
    ["parents in a cycle", bones({ parents: Int32Array.of(1, 0, 1) })],
    ["a missing parent", bones({ parents: Int32Array.of(-1, 99, 1) })],
    ["weights of another length", rows({ weights: new Float32Array(3) })],
    ["influences 0", rows({ influences: 0 })],
    ["joint 999 of 3", rows({ joints: new Uint16Array(V).fill(999) })],
    ["weights that are not numbers", rows({ weights: new Float32Array(V).fill(Number.NaN) })],
    ["negative weights", rows({ weights: new Float32Array(V).fill(-1) })],
  ])("%s", async (_, given) => {
    await expect(skin(given as Character, { keepExisting: true })).rejects.toBeInstanceOf(
      InputError,
    );
  });

  test.each([
    { smooth: 1e9 },
    { smooth: Number.NaN },
    { smooth: -1 },
    { smooth: 0.5 },
    { mirror: "q" },
    { maxInfluences: 0 },
    { maxInfluences: Number.NaN },
    { maxInfluences: 1.5 },
    { prune: 2 },
    { prune: Number.NaN },
    { adapt: -1 },
    { resolution: 7 },
    { resolution: Number.NaN },
    { threads: 0 },
    { threads: 0.5 },
    { proxyVertices: -1 },
    { model: "heterskin" },
    { lock: "a" },
    { exclude: [1] },
    { provider: "gpu" },
    { up: "w" },
    { onProgress: 1 },
    { method: "magic" },
    { up: "w", method: "paper" },
  ])("%j", async (options) => {
    await expect(skin(character(), options as object)).rejects.toBeInstanceOf(InputError);
  });

  test.each(["prepare", "finish", "doubts"])("an abort in %s is noticed", async (where) => {
    const controller = new AbortController();
    const onProgress = (stage: string) => stage === where && controller.abort(new Error("enough"));
    const options = { method: "inverse-distance" as const, onProgress, signal: controller.signal };
    await expect(skin(character(), options)).rejects.toThrow("enough");
  });

  test("an abort from outside ends a long smoothing", async () => {
    const controller = new AbortController();
    const onProgress = (stage: string) =>
      stage === "finish" && setTimeout(() => controller.abort(new Error("enough")));
    const options = { method: "inverse-distance" as const, smooth: 1000, onProgress };
    await expect(skin(tube(40, 30, 3), { ...options, signal: controller.signal })).rejects.toThrow(
      "enough",
    );
  });
});

describe("models", () => {
  test("that are truncated, garbled or of other programs are refused", async () => {
    const model = await shippedModel();
    const text = Buffer.from(model).toString("latin1");
    const changed = (from: string, to: string) =>
      new Uint8Array(Buffer.from(text.replace(from, to), "latin1"));
    const broken = [
      new Uint8Array(0),
      model.slice(0, 1000),
      model.slice(1000),
      new Uint8Array(5000).fill(7),
      changed('"graph"', '"grxph"'),
      changed('"measure"', '"mexsure"'),
      changed('{"preset"', '["preset"'),
    ];
    for (const bytes of broken) {
      await expect(skin(character(), { model: bytes })).rejects.toBeInstanceOf(InputError);
    }
  });

  test("with too few or too many values are refused", async () => {
    const model = await openSkinModel(await shippedModel());
    const { graph, measure } = model.config;
    const { character: prepared } = prepareCharacter(character());
    const measured = await measureDistances(prepared, { ...measure, k: MEASURED_BONES });
    const normals = bodyNormals(prepared.mesh, measured.grid, measured.outside);
    const input = graphInputOf(prepared, measured, measure, graph, normals);
    const short = {
      ...model.session,
      run: async () => ({
        weights: { dtype: "float32" as const, shape: [1], data: new Float32Array(1) },
      }),
    };
    await expect(runSkinModel({ ...model, session: short }, input)).rejects.toThrow(
      /returns 1 weights/,
    );
    const curious = { ...model.session, inputNames: ["password"] };
    await expect(runSkinModel({ ...model, session: curious }, input)).rejects.toThrow(
      /expects an input "password"/,
    );
  });
});

describe("packs, caches, tables, checkpoints", () => {
  const pack = (entry: object, blob = new Uint8Array(8)) => {
    const entries = [
      {
        name: "a",
        split: "train",
        vertices: 1,
        joints: 1,
        offset: 0,
        length: blob.length,
        ...entry,
      },
    ];
    return encodeContainer("pack", { entries }, { blobs: blob });
  };

  test("names that lead out of a folder are refused", () => {
    for (const name of ["../../PWNED", "a/b", "..", "", "a\\b", 7, undefined]) {
      expect(() => openPack(pack({ name })), String(name)).toThrow(InputError);
    }
    expect(() => readCharacterTable("id\tsplit\n../x\ttrain\n", "t.tsv", true)).toThrow(InputError);
    expect(readCharacterTable("\ufeffid,split\nx,train\n", "t.csv", true)).toHaveLength(1);
  });

  test("damaged files, and those that unpack without end, are refused", () => {
    const bomb = brotliCompressSync(Buffer.alloc(600 * 2 ** 20), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    expect(() => openPack(pack({}, bomb)).read(0)).toThrow(InputError);
    expect(() => openPack(pack({ offset: 1e9 })).read(0)).toThrow(InputError);
    expect(() => openPack(pack({ offset: -1 }))).toThrow(InputError);
    const writer = new PackWriter();
    writer.add(rows(), "train");
    const good = writer.finish();
    expect(openPack(good).read(0).name).toBe(character().name);
    for (let at = 0; at < good.length; at += 7) {
      const bad = good.slice();
      bad[at] ^= 255;
      try {
        openPack(bad).read(0);
      } catch (error) {
        expect(error, `byte ${at}`).toBeInstanceOf(InputError);
      }
    }
  });

  test("garbled caches and checkpoints are refused", () => {
    const file = folder.at("a.samples");
    const whole = encodeContainer(
      "samples",
      { key: "k", name: "../x", split: "s", variants: [], lengths: [] },
      {},
    );
    const huge = whole.slice();
    new DataView(huge.buffer).setUint32(4, 4e9, true);
    for (const bytes of [new Uint8Array(3), whole, huge, encodeContainer("samples", {}, {})]) {
      writeFileSync(file, bytes);
      expect(() => openSampleFile(file)).toThrow(InputError);
    }
    for (const bytes of [new Uint8Array(40), encodeContainer("checkpoint", { step: "x" }, {})]) {
      writeFileSync(file, bytes);
      expect(() => loadCheckpoint(file)).toThrow(InputError);
    }
  });

  test("a missing model to continue from is an InputError", async () => {
    const run = await runCli(
      "train",
      folder.at("."),
      folder.at("run"),
      "--from",
      folder.at("gone.onnx"),
    );
    expect(run.status).toBe(1);
  });
});

test("SECURITY.md states the tested promises", () => {
  const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  for (const word of ["--max-memory", "--timeout", "report", "guaranteed"])
    expect(text).toContain(word);
});
