import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createPacer, runSteps, type Steps } from "../src/event-loop.ts";
import { bindFile } from "../src/files/bind-file.ts";
import { refineFile } from "../src/files/refine-file.ts";
import { transferFile } from "../src/files/transfer-file.ts";
import { transferWeights } from "../src/finish/transfer-weights.ts";
import { readCharacter } from "../src/formats/read-character.ts";
import { writeCharacter } from "../src/formats/write-character.ts";
import { transfer } from "../src/transfer.ts";
import { trimWeights } from "../src/weights/trim-weights.ts";
import { largeDae, largeFbxText, largeObj } from "./helpers/large-files.ts";

/** Computing time within which the event loop should run again, on average (ms). */
const TURN = 100;

/** Iterations of the event loop during a task, and its computing time, which other load does not affect. */
async function turnsDuring(work: () => Promise<unknown>): Promise<{ turns: number; cpu: number }> {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const since = process.cpuUsage();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return { turns, cpu: process.cpuUsage(since).user / 1000 };
}

const SIDE = 250;
const encode = (text: string) => new TextEncoder().encode(text);
const open = (name: string, bytes: Uint8Array, signal?: AbortSignal) =>
  readCharacter({ name, bytes }, { needsJoints: false, signal });

async function largeBinaryFbx() {
  const file = await open("large.fbx", encode(largeFbxText(SIDE)));
  return writeCharacter(file, file.character.weights!, { format: "fbx" }).bytes;
}

describe.each<[string, string, () => Uint8Array | Promise<Uint8Array>]>([
  ["a text FBX", "large.fbx", () => encode(largeFbxText(SIDE))],
  ["a binary FBX", "large.fbx", largeBinaryFbx],
  ["a COLLADA", "large.dae", () => encode(largeDae(SIDE))],
  ["an OBJ", "large.obj", () => encode(largeObj(SIDE))],
])("reading %s", (_, name, make) => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await make();
  });

  test("yields to the event loop", async () => {
    const { turns, cpu } = await turnsDuring(() => open(name, bytes));
    expect(turns).toBeGreaterThan(3);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(cpu / TURN));
  });

  test("is canceled by its signal", async () => {
    const stop = new AbortController();
    const reading = open(name, bytes, stop.signal);
    setTimeout(() => stop.abort());
    const error = await reading.catch((reason) => reason);
    expect(error.name).toBe("AbortError");
    expect(error).toBe(stop.signal.reason);
  });
});

test("reading does not start with an aborted signal", async () => {
  const reason = new Error("not needed");
  const reading = open("broken.fbx", encode("no FBX"), AbortSignal.abort(reason));
  await expect(reading).rejects.toBe(reason);
});

describe("transfer", () => {
  const characters = async () => {
    const { character } = await open("large.fbx", encode(largeFbxText(120)));
    const other = await open("large.dae", encode(largeDae(130)));
    return { source: character, target: other.character.mesh };
  };

  test("yields to the event loop, reports progress and equals the synchronous transfer", async () => {
    const { source, target } = await characters();
    const fractions: number[] = [];
    let found: Awaited<ReturnType<typeof transfer>> | undefined;
    const { turns, cpu } = await turnsDuring(async () => {
      found = await transfer(source, target, {
        onProgress(stage, fraction) {
          expect(stage).toBe("transfer");
          fractions.push(fraction);
        },
      });
    });
    expect(turns).toBeGreaterThanOrEqual(Math.floor(cpu / TURN));
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect([fractions[0], fractions.at(-1)]).toEqual([0, 1]);
    expect(fractions.length).toBeGreaterThan(20);
    const { weights, ...counts } = transferWeights(source, target);
    expect(found).toEqual({
      ...counts,
      weights: trimWeights(weights, { maxInfluences: 4, prune: 0.01 }),
    });
  });

  test("is canceled by its signal, at once or later", async () => {
    const { source, target } = await characters();
    const gone = AbortSignal.abort();
    await expect(transfer(source, target, { signal: gone })).rejects.toBe(gone.reason);
    const stop = new AbortController();
    const fractions: number[] = [];
    const moving = transfer(source, target, {
      signal: stop.signal,
      onProgress: (_, fraction) => fractions.push(fraction),
    });
    setTimeout(() => stop.abort());
    expect(await moving.catch((reason) => reason)).toBe(stop.signal.reason);
    expect(fractions.at(-1)).toBeLessThan(1);
  });
});

test.each<[string, (input: string, output: string, signal: AbortSignal) => Promise<unknown>]>([
  ["bindFile", (input, output, signal) => bindFile(input, output, { method: "heat", signal })],
  ["refineFile", (input, output, signal) => refineFile(input, output, { signal })],
  ["transferFile", (input, output, signal) => transferFile(input, input, output, { signal })],
])("%s is canceled while it reads", async (_, run) => {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-event-loop-"));
  try {
    const [input, output] = ["large.fbx", "out.fbx"].map((name) => path.join(folder, name));
    writeFileSync(input, largeFbxText(SIDE));
    const stop = new AbortController();
    const running = run(input, output, stop.signal);
    const timer = setInterval(() => stop.abort(), 50);
    expect(await running.catch((reason) => reason)).toBe(stop.signal.reason);
    clearInterval(timer);
    expect(readdirSync(folder)).toEqual(["large.fbx"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("steps", () => {
  function* countTo(end: number): Steps<number> {
    for (let i = 1; i < end; i++) yield;
    return end;
  }

  test("return the same result with and without pauses", async () => {
    expect(runSteps(countTo(5))).toBe(5);
    expect(await createPacer().run(countTo(5))).toBe(5);
  });

  test("stop at the next step once a signal is aborted", async () => {
    const stop = new AbortController();
    let steps = 0;
    function* endless(): Steps<void> {
      for (;;) {
        if (++steps === 3) stop.abort();
        yield;
      }
    }
    await expect(createPacer(stop.signal).run(endless())).rejects.toBe(stop.signal.reason);
    expect(steps).toBe(3);
  });
});
