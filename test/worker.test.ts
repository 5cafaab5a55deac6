import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Character } from "../src/character/character.ts";
import { refine } from "../src/refine.ts";
import { readArray, sendArray } from "../src/serve/lines/requests.ts";
import { skin } from "../src/skin.ts";
import { transfer } from "../src/transfer.ts";
import { largestDifference } from "./helpers/largest-difference.ts";
import { useFolder } from "./helpers/run-cli.ts";
import { useShortLearning } from "./helpers/short-learning.ts";
import { smallSample } from "./helpers/small-sample.ts";
import { type Line, startWorkerHere, weightsIn } from "./helpers/worker-here.ts";

function sent({ mesh, skeleton }: Character): Line {
  return {
    mesh: { positions: sendArray(mesh.positions), triangles: sendArray(mesh.triangles) },
    skeleton: {
      names: skeleton.names,
      parents: sendArray(skeleton.parents),
      positions: Array.from(skeleton.positions),
    },
  };
}

const fish = await smallSample("fish");

describe("the worker", () => {
  useShortLearning();
  const { at } = useFolder();
  beforeEach(() => void vi.stubEnv("XDG_CACHE_HOME", at("cache")));
  afterEach(() => void vi.unstubAllEnvs());
  const worker = startWorkerHere();

  test("reports that it is ready, and its version", async () => {
    expect(await worker.until((line) => line.ready)).toMatchObject({ protocol: 1 });
    worker.ask({ id: 1, do: "version" });
    expect((await worker.answer(1)).result).toMatchObject({ protocol: 1 });
  });

  test("binds like skin, with progress", async () => {
    worker.ask({ id: 2, do: "bind", ...sent(fish), options: { method: "heat", maxInfluences: 3 } });
    const { result } = await worker.answer(2);
    const { weights } = await skin(fish, { method: "heat", maxInfluences: 3 });
    expect(result.influences).toBe(3);
    expect(readArray(result.joints, "u16", "joints")).toEqual(weights.joints);
    expect(readArray(result.weights, "f32", "weights")).toEqual(weights.weights);
    expect(worker.lines.some((line) => line.id === 2 && line.progress)).toBe(true);
  });

  test("refines and transfers weights", async () => {
    const own = fish.weights!;
    const weights = {
      influences: own.influences,
      joints: sendArray(own.joints),
      weights: sendArray(own.weights),
    };
    worker.ask({ id: 3, do: "refine", ...sent(fish), weights });
    worker.ask({ id: 4, do: "transfer", from: { ...sent(fish), weights }, mesh: sent(fish).mesh });
    const cleaned = await refine(fish);
    const moved = await transfer(fish, fish.mesh);
    for (const [id, wanted] of [
      [3, cleaned.weights],
      [4, moved.weights],
    ] as const) {
      const found = weightsIn((await worker.answer(id)).result);
      expect(largestDifference(found, wanted)).toBeLessThan(1e-6);
    }
  });

  test("fixes weights, and refuses invalid options and findings", async () => {
    const own = fish.weights!;
    const weights = {
      influences: own.influences,
      joints: sendArray(own.joints),
      weights: sendArray(own.weights),
    };
    const fixing = { do: "fix", ...sent(fish), weights };
    const { result } = await worker.request(fixing);
    expect(result).toMatchObject({ findings: expect.any(Array), fixed: expect.any(Number) });
    for (const wrong of [{ options: { metod: "heat" } }, { findings: "1" }, { findings: [0.5] }]) {
      const { error } = await worker.request({ ...fixing, ...wrong });
      expect(error, JSON.stringify(wrong)).toMatchObject({ kind: "input" });
    }
  });

  test("learns from characters, and binds like the resulting model", async () => {
    const { mesh, skeleton } = fish;
    const one = {
      influences: 1,
      joints: new Uint16Array(mesh.positions.length / 3).fill(1),
      weights: new Float32Array(mesh.positions.length / 3).fill(1),
    };
    const example = {
      ...sent(fish),
      name: "all on one joint",
      weights: { influences: 1, joints: sendArray(one.joints), weights: sendArray(one.weights) },
    };
    worker.ask({ id: 20, do: "adapt", like: [example], out: at("mine.onnx") });
    worker.ask({ id: 21, do: "bind", ...sent(fish), like: [example] });
    const { result: notes } = await worker.answer(20);
    expect(notes.examples).toHaveLength(1);
    expect(notes.examples[0].after).toBeLessThan(notes.examples[0].before);
    const model = new Uint8Array(readFileSync(at("mine.onnx")));
    const { weights } = await skin({ name: "fish", mesh, skeleton }, { model });
    const { result } = await worker.answer(21);
    expect(readArray(result.weights, "f32", "weights")).toEqual(weights.weights);
    const first = weights.joints.filter((_, i) => i % weights.influences === 0);
    expect(first.filter((joint) => joint === 1).length).toBeGreaterThan(first.length / 2);
  });

  test("a job cancelled while it waits is not started, and the next one is", async () => {
    worker.ask({ id: 5, do: "bind", ...sent(fish), options: { method: "heat" } });
    worker.ask({ id: 6, do: "bind", ...sent(fish), options: { method: "heat" } });
    worker.ask({ id: 7, do: "cancel", job: 6 });
    worker.ask({ id: 8, do: "bind", ...sent(fish), options: { method: "inverse-distance" } });
    expect((await worker.answer(6)).error).toEqual({ kind: "cancelled", message: "Cancelled." });
    expect((await worker.answer(8)).result.method).toBe("inverse-distance");
    expect(worker.lines.some((line) => line.id === 6 && line.progress)).toBe(false);
  });

  test.each<[string, Line]>([
    ["an unknown request", { do: "paint" }],
    ["a missing mesh", { do: "bind", skeleton: { names: [], parents: [], positions: [] } }],
    [
      "an array without bytes",
      { do: "bind", mesh: { positions: { type: "f32" } }, skeleton: { names: [] } },
    ],
    [
      "a missing file",
      { do: "bind", mesh: { positions: { type: "f32", file: "none" } }, skeleton: { names: [] } },
    ],
    ["an unknown method", { do: "bind", ...sent(fish), options: { method: "magic" } }],
  ])("%s is one sentence", async (_, request) => {
    const id = 100 + worker.lines.length;
    worker.ask({ id, ...request });
    const { error } = await worker.answer(id);
    expect(error.kind).toBe("input");
    expect(error.message).toMatch(/^[^\n]+\.$/);
  });

  test("a line that is not JSON is answered, and the worker continues", async () => {
    worker.input.write("rubbish\n[1]\n");
    worker.ask({ id: 9, do: "version" });
    await worker.answer(9);
    expect(worker.lines.filter((line) => line.id === null)).toHaveLength(2);
  });

  test("distinguishes two jobs with one id: the end of one does not affect the other", async () => {
    const { ask, until, lines } = startWorkerHere();
    for (const method of ["inverse-distance", "heat", "heat"]) {
      ask({ id: 1, do: "bind", ...sent(fish), options: { method } });
    }
    await until((line) => line.id === 1 && line.result);
    ask({ id: 2, do: "cancel", job: 1 });
    expect((await until((line) => line.id === 2)).result).toEqual({ cancelled: true });
    await until((line) => line.id === 1 && line.error?.kind === "cancelled");
    ask({ id: 3, do: "version" });
    await until((line) => line.id === 3);
    expect(lines.filter((line) => line.id === 1 && line.result).length).toBeLessThan(3);
  });

  test("ends when its input ends", async () => {
    worker.input.end();
    await worker.ended;
  });

  test("all jobs are cancelled when the input ends, whatever their ids", async () => {
    const other = startWorkerHere();
    for (let job = 0; job < 3; job++) {
      other.ask({ do: "bind", ...sent(fish), options: { method: "heat" } });
    }
    other.input.end();
    await other.ended;
    const ends = other.lines.filter((line) => line.result ?? line.error);
    expect(ends.map((line) => line.error?.kind)).toEqual(Array(3).fill("cancelled"));
  });
});

describe("heterskin worker", () => {
  let child: ChildProcess;
  beforeEach(() => {
    child = spawn(process.execPath, ["bin/heterskin.js", "worker"], { stdio: "pipe" });
  });
  afterEach(() => void child.kill("SIGKILL"));

  test("answers on standard output and exits with its parent", async () => {
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ ready: true });
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.stdin!.end();
    expect(await exit).toBe(0);
  });

  test.skipIf(process.platform === "win32")("exits on request", async () => {
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    await lines.next();
    const exit = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    expect(await exit).toBe(143);
  });
});
