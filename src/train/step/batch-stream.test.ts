import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleCharacter } from "../../../test/helpers/example-character.ts";
import { AUGMENT_DEFAULTS } from "../../learn/augment/augment.ts";
import { SAMPLE_DEFAULTS } from "../../learn/sample-settings.ts";
import { PRESETS } from "../../network/presets.ts";
import { PackWriter } from "../data/pack.ts";
import { openCache, prepare } from "../data/prepare.ts";
import { type StreamedBatch, type StreamOptions, streamBatches } from "./batch-stream.ts";
import type { BatchSetup } from "./make-batch.ts";

const options: StreamOptions = {
  from: { epoch: 0, index: 0 },
  seed: 5,
  batchVertices: 250,
  balance: 0,
  original: 0.5,
  threads: 0,
};
let folder = "";
let setup: BatchSetup;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "stream-"));
  const writer = new PackWriter();
  for (let i = 0; i < 7; i++) writer.add(exampleCharacter(`t${i}`, 8 + i, 3 + (i % 3)), "train");
  const pack = path.join(folder, "characters.pack");
  writeFileSync(pack, writer.finish());
  const config = PRESETS.default;
  const measure = { ...config.measure, resolution: 24 };
  const settings = { ...SAMPLE_DEFAULTS, variants: 1, coarsenProbability: 0, measure };
  await prepare(pack, path.join(folder, "cache"), { settings, jobs: 0 });
  const { files } = openCache(path.join(folder, "cache"));
  const step = { reverseLists: [], inputs: {}, dropoutWidths: { vertex: 3 }, packed: {} };
  setup = { files, config, step, augment: AUGMENT_DEFAULTS };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an epoch's batches contain every character once, with equal weight", async () => {
  const [first] = epochs(await take(20, options));
  const characters = first.reduce((sum, { batch }) => sum + batch.characters, 0);
  expect(characters).toBe(7);
  expect(first.map(({ last }) => last)).toEqual(first.map((_, i) => i === first.length - 1));
  for (const { batch } of first) {
    const weights = Array.from(batch.feeds.vertexWeight.data as Float32Array);
    expect(weights.length).toBeGreaterThanOrEqual(batch.vertices);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
  }
});

test("a stream that starts in the middle continues with the same batches", async () => {
  const all = await take(9, options);
  const from = { epoch: all[5].epoch, index: all[5].index };
  const resumed = await take(4, { ...options, from });
  expect(resumed.map(digest)).toEqual(all.slice(5).map(digest));
  expect(new Set(all.map(digest)).size).toBe(all.length);
});

test("threads produce the same batches in the same order", async () => {
  const threaded = await take(6, { ...options, threads: 2 });
  expect(threaded.map(digest)).toEqual((await take(6, options)).map(digest));
});

async function take(count: number, from: StreamOptions): Promise<StreamedBatch[]> {
  const taken: StreamedBatch[] = [];
  for await (const streamed of streamBatches(setup, from)) {
    taken.push(streamed);
    if (taken.length === count) break;
  }
  return taken;
}

/** Position and content of a batch in one line. */
function digest({ batch, epoch, index, last }: StreamedBatch): string {
  const hash = createHash("sha256");
  for (const [name, { shape, data }] of Object.entries(batch.feeds)) {
    hash.update(`${name} ${shape} `).update(data);
  }
  return `${epoch}/${index} ${last} ${hash.digest("hex")}`;
}

function epochs(stream: StreamedBatch[]): StreamedBatch[][] {
  const out: StreamedBatch[][] = [];
  for (const streamed of stream) {
    out[streamed.epoch] ??= [];
    out[streamed.epoch].push(streamed);
  }
  return out;
}
