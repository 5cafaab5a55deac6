import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleCharacter } from "../../../test/helpers/example-character.ts";
import { prepareCharacter } from "../../character/prepare-character.ts";
import { prepareSamples } from "../../learn/prepare-samples.ts";
import { SAMPLE_DEFAULTS, type SampleSettings } from "../../learn/sample-settings.ts";
import { characterSources, readSource } from "./character-source.ts";
import { PackWriter } from "./pack.ts";
import { openCache, type PrepareRow, prepare } from "./prepare.ts";
import { openSampleFile, readSample, readSampleCharacter } from "./sample-file.ts";

const settings: SampleSettings = {
  ...SAMPLE_DEFAULTS,
  variants: 2,
  measure: {
    distance: "hollow",
    variant: "default",
    tails: true,
    resolution: 24,
    prior: true,
    radius: 0.06,
  },
};

let folder = "";
let pack = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "prepare-"));
  pack = path.join(folder, "characters.pack");
  const writer = new PackWriter();
  writer.add(exampleCharacter("a", 12, 4), "train");
  writer.add(exampleCharacter("b", 20, 6), "train");
  writer.add(exampleCharacter("c", 16, 5), "val");
  writer.add(bare(exampleCharacter("d", 10, 3)), "train");
  writer.add(lost(exampleCharacter("e", 10, 3)), "train");
  writeFileSync(pack, writer.finish());
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a pack restores characters to 16 bits", async () => {
  const [source] = characterSources(pack, { splits: ["val"] });
  const wanted = prepareCharacter(exampleCharacter("c", 16, 5)).character;
  const got = await readSource(source);
  expect(got.name).toBe("c");
  expect(got.mesh.triangles).toEqual(wanted.mesh.triangles);
  expect(got.skeleton).toEqual(wanted.skeleton);
  expect(got.weights!.joints).toEqual(wanted.weights!.joints);
  expectClose(got.mesh.positions, wanted.mesh.positions, 1e-5);
  expectClose(got.weights!.weights, wanted.weights!.weights, 3e-5);
});

test("a pack keeps the ends of bones", async () => {
  const plain = exampleCharacter("f", 16, 5);
  const ends = plain.skeleton.positions.map((x) => x + 0.1);
  const character = { ...plain, skeleton: { ...plain.skeleton, ends } };
  const writer = new PackWriter();
  writer.add(character, "val");
  const file = path.join(folder, "ends.pack");
  writeFileSync(file, writer.finish());
  const got = await readSource(characterSources(file)[0]);
  expect(got.skeleton.ends).toEqual(prepareCharacter(character).character.skeleton.ends);
});

test("a pack becomes files of samples, and a table of rejected characters with reasons", async () => {
  const cache = path.join(folder, "cache");
  const rows = await prepare(pack, cache, { settings, jobs: 0 });
  expect(rows.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "a made",
    "b made",
    "c made",
    "d rejected",
    "e rejected",
  ]);
  expect(rows[3].reason).toMatch(/unweighted vertices: 40 of 80/);
  expect(rows[4].reason).toMatch(/joint far outside: "hand.L"/);
  const lines = readFileSync(path.join(cache, "prepared.tsv"), "utf8").trim().split("\n");
  expect(lines[4].split("\t").slice(0, 4)).toEqual(["d", "train", "rejected", rows[3].reason]);
  const { files, settings: kept } = openCache(cache);
  expect(kept).toEqual(settings);
  expect(files.map(({ name, split }) => `${name} ${split}`)).toEqual([
    "a train",
    "b train",
    "c val",
  ]);
  expect(files.map((file) => file.variants.length)).toEqual([3, 3, 1]);
  expect(readSampleCharacter(files[0])).toBeUndefined();
  expect(readSampleCharacter(files[2])!.name).toBe("c");
  for (const file of files) {
    file.variants.forEach(({ vertices, joints }, i) => {
      const { input, labels, counts } = readSample(file, i);
      expect(input.mesh.positions.length).toBe(vertices * 3);
      expect(input.skeleton.names.length).toBe(joints);
      expect(labels.length).toBe(vertices * settings.k);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(file.variants[0].vertices);
    });
  }
});

test("a second run keeps existing files; other settings and damaged files are redone", async () => {
  const cache = path.join(folder, "again");
  const options = { settings, jobs: 0, splits: ["train"] };
  await prepare(pack, cache, options);
  const [a, b] = ["a", "b"].map((name) => path.join(cache, `${name}.samples`));
  for (const file of [a, b]) utimesSync(file, 1, 1);
  writeFileSync(b, readFileSync(b).subarray(0, 500));
  expect(statuses(await prepare(pack, cache, options)).slice(0, 2)).toEqual(["kept", "made"]);
  expect(statSync(a).mtimeMs).toBe(1000);
  const other = { ...options, settings: { ...settings, variants: 1 } };
  expect(statuses(await prepare(pack, cache, other)).slice(0, 2)).toEqual(["made", "made"]);
  expect(openSampleFile(a).variants.length).toBe(2);
});

test("worker threads write the same files", async () => {
  const [alone, threads] = ["alone", "threads"].map((name) => path.join(folder, name));
  await prepare(pack, alone, { settings, jobs: 0, splits: ["val"] });
  await prepare(pack, threads, { settings, jobs: 1, splits: ["val"] });
  const read = (cache: string) => readFileSync(path.join(cache, "c.samples"));
  expect(read(threads).equals(read(alone))).toBe(true);
});

test("dense meshes are reduced to a subset of vertices that represents all", async () => {
  const character = exampleCharacter("dense", 60, 6);
  const options = { ...settings, maxVertices: 200, variants: 0 };
  const { samples, character: prepared } = await prepareSamples(character, options, true);
  const [{ input, counts, labels }] = samples;
  const V = counts.length;
  expect(V).toBeLessThanOrEqual(220);
  expect(V).toBeGreaterThan(60);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(480);
  const places = new Set(rowsOf(prepared.mesh.positions));
  for (const row of rowsOf(input.mesh.positions)) expect(places.has(row)).toBe(true);
  const whole = (await prepareSamples(character, options, false)).samples[0];
  const at = rowsOf(whole.input.mesh.positions);
  rowsOf(input.mesh.positions).forEach((row, v) => {
    const w = at.indexOf(row);
    const slots = (from: Float32Array, i: number) => from.slice(i * 16, i * 16 + 16);
    expect(slots(labels, v)).toEqual(slots(whole.labels, w));
    expect(slots(input.distances.distances, v)).toEqual(slots(whole.input.distances.distances, w));
  });
});

test("another seed creates other variants of the same original", async () => {
  const character = exampleCharacter("seeded", 20, 6);
  const made = async (variantSeed: number) =>
    (await prepareSamples(character, { ...settings, variantSeed }, true)).samples.map((sample) => [
      ...sample.input.mesh.positions,
    ]);
  const [first, again, other] = [await made(1), await made(1), await made(2)];
  expect(again).toEqual(first);
  expect(other[0]).toEqual(first[0]);
  expect(other[1]).not.toEqual(first[1]);
  expect(other[2]).not.toEqual(first[2]);
});

function statuses(rows: PrepareRow[]): string[] {
  return rows.map((row) => row.status);
}

function rowsOf(positions: Float32Array): string[] {
  return Array.from({ length: positions.length / 3 }, (_, v) =>
    positions.subarray(v * 3, v * 3 + 3).join(),
  );
}

/** Half of the vertices lose their weights. */
function bare(character: ReturnType<typeof exampleCharacter>) {
  const { influences, joints, weights } = character.weights;
  const half = weights.length / 2;
  return {
    ...character,
    weights: {
      influences,
      joints: joints.map((joint, i) => (i < half ? joint : 0)),
      weights: weights.map((weight, i) => (i < half ? weight : 0)),
    },
  };
}

/** The last joint, which now moves a vertex, is five body sizes away. */
function lost(character: ReturnType<typeof exampleCharacter>): ReturnType<typeof exampleCharacter> {
  const positions = character.skeleton.positions.slice();
  positions[positions.length - 2] = 6;
  const joints = character.weights.joints.slice();
  joints[0] = character.skeleton.names.length - 1;
  const weights = { ...character.weights, joints };
  return { ...character, weights, skeleton: { ...character.skeleton, positions } };
}

function expectClose(got: Float32Array, wanted: Float32Array, tolerance: number): void {
  expect(got.length).toBe(wanted.length);
  for (let i = 0; i < got.length; i++) {
    expect(Math.abs(got[i] - wanted[i])).toBeLessThanOrEqual(tolerance);
  }
}
