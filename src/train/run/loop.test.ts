import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { batchRoom, epochBatches } from "../../learn/epoch.ts";
import type { StepSettings, TrainState } from "../../learn/step.ts";
import { floatTensor } from "../../onnx/runtime.ts";
import type { StreamedBatch } from "../step/batch-stream.ts";
import { loadCheckpoint } from "./checkpoint.ts";
import { checkpointPath, type LoopOptions, type LoopParts, trainLoop } from "./loop.ts";
import { readRunLog } from "./run-log.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const STEPS = 23;

test("a run killed at any step and resumed equals an uninterrupted one: state, log, best", async () => {
  const whole = await runTo(newFolder(), Number.POSITIVE_INFINITY);
  for (const kill of [1, 4, 5, 6, 13, 22]) {
    const folder = newFolder();
    await expect(runTo(folder, kill)).rejects.toThrow("killed");
    // A killed save leaves this behind.
    writeFileSync(`${checkpointPath(folder, "last")}.1.part`, "half");
    const resumed = await runTo(folder, Number.POSITIVE_INFINITY);
    expect(resumed.state, `killed at ${kill}`).toEqual(whole.state);
    expect(resumed.log).toEqual(whole.log);
    expect(resumed.best).toEqual(whole.best);
  }
});

test("a finished run started again does nothing", async () => {
  const folder = newFolder();
  const first = await runTo(folder, Number.POSITIVE_INFINITY);
  const again = await runTo(folder, 0);
  expect(again.state).toEqual(first.state);
});

test("the folder of another run is refused", async () => {
  const folder = newFolder();
  await runTo(folder, Number.POSITIVE_INFINITY);
  await expect(trainLoop(toy(99), { ...options(folder), run: "other" })).rejects.toThrow(
    "other settings",
  );
});

test("a stop signal saves the state of the run", async () => {
  const folder = newFolder();
  const stopper = new AbortController();
  const parts = toy(Number.POSITIVE_INFINITY);
  const step = parts.trainStep.step;
  let steps = 0;
  parts.trainStep.step = async (feeds, settings) => {
    if (++steps === 7) stopper.abort();
    return step(feeds, settings);
  };
  const settings = { ...options(folder), checkpointEvery: 1e9, signal: stopper.signal };
  const result = await trainLoop(parts, settings);
  expect(result.finished).toBe(false);
  expect(result.progress.step).toBe(7);
  const whole = await runTo(newFolder(), Number.POSITIVE_INFINITY);
  expect((await runTo(folder, Number.POSITIVE_INFINITY)).state).toEqual(whole.state);
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "loop-"));
  folders.push(folder);
  return folder;
}

function options(folder: string): LoopOptions {
  return {
    folder,
    run: "toy",
    budget: { steps: STEPS },
    weightDecay: 0.01,
    averageSteps: 10,
    schedule: { learningRate: 0.1, warmUp: 0.1, floor: 0.01 },
    validateEvery: 2,
    logEvery: 3,
    // Saves after every step would hide mistakes; a save at each validation and some others do not.
    checkpointEvery: 0.002,
  };
}

async function runTo(folder: string, kill: number) {
  const result = await trainLoop(toy(kill), options(folder));
  // Scores arrive while steps continue, so their position among the losses is not fixed.
  const log = readRunLog(path.join(folder, "log.jsonl"))
    .map(({ seconds, timing, ...entry }) => entry)
    .sort((a, b) => Number(a.step) - Number(b.step) || ("val" in a ? 1 : -1));
  const best = loadCheckpoint(checkpointPath(folder, "best"))!;
  const kept = { state: best.state, step: best.progress.step, score: result.progress.best };
  return { state: result.state, log, best: kept };
}

/** A "network" of two numbers, whose steps depend on everything they should: state, batch, rate. */
function toy(kill: number): LoopParts {
  let state = stateOf([1, 2], 0);
  let killed = false;
  return {
    trainStep: {
      async step({ batch }, { learningRate, step }: StepSettings) {
        expect(step).toBe(state.first[0] + 1);
        if (step === kill + 1) {
          killed = true;
          throw new Error("killed");
        }
        await new Promise((resolve) => setTimeout(resolve, 1));
        const [vertices, characters] = batch.data as Float32Array;
        const [a, b] = state.parameters;
        const next = [a * 0.9 + learningRate * vertices * 0.01, b + a * learningRate * characters];
        state = stateOf(next, step);
        return { loss: Math.abs(a - b), norm: 0 };
      },
      getState: async () => stateOf([...state.parameters], state.first[0]),
      setState: (saved) => {
        state = stateOf([...saved.parameters], saved.first[0]);
      },
    },
    batches: toyBatches,
    validate: async ({ parameters }) => {
      await new Promise((resolve) => setTimeout(resolve, 1 + (parameters[0] % 3)));
      // A killed process finishes nothing.
      if (killed) await new Promise(() => {});
      const l1 = Math.abs(Math.sin(parameters[0] * 50));
      return { precision: 0, recall: 0, l1, l1Raw: 0, distance: 0 };
    },
  };
}

function stateOf(parameters: number[], steps: number): TrainState {
  const none = new Float32Array(0);
  return {
    parameters: Float32Array.from(parameters),
    first: Float32Array.of(steps),
    second: none,
    average: none,
  };
}

const SIZES = [[40, 41], [10, 9, 8], [30], [22, 25], [17], [35, 5]].map((variants) =>
  variants.map((vertices) => ({ vertices, joints: 3, parts: 1 })),
);

async function* toyBatches(from: {
  epoch: number;
  index: number;
}): AsyncGenerator<StreamedBatch, void> {
  for (let epoch = from.epoch; ; epoch++) {
    const batches = epochBatches(SIZES, {
      seed: 3,
      epoch,
      room: batchRoom(SIZES, 50),
      original: 0.3,
    });
    for (let index = epoch === from.epoch ? from.index : 0; index < batches.length; index++) {
      const vertices = batches[index].reduce(
        (sum, p) => sum + SIZES[p.character][p.variant].vertices,
        0,
      );
      const characters = batches[index].length;
      const feeds = { batch: floatTensor(Float32Array.of(vertices, characters), [2]) };
      yield {
        batch: { feeds, vertices, characters },
        epoch,
        index,
        last: index === batches.length - 1,
      };
    }
  }
}
