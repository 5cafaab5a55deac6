/** Training end to end: a small network learns the samples, and a run can be repeated exactly. */
import { expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import type { ModelConfig } from "../src/graph/model-config.ts";
import { poseCharacter } from "../src/learn/augment/move.ts";
import { batchFeeds } from "../src/learn/batch-feeds.ts";
import { measureSample } from "../src/learn/prepare-samples.ts";
import type { Sample } from "../src/learn/sample.ts";
import { learningRateAt } from "../src/learn/schedule.ts";
import { stepFeeds, type TrainState, type TrainStep } from "../src/learn/step.ts";
import { createRandom } from "../src/math/random.ts";
import { openSkinModel, runSkinModel } from "../src/methods/network.ts";
import { PRESETS } from "../src/network/presets.ts";
import { exportModel } from "../src/train/step/export-model.ts";
import { createTrainStep } from "../src/train/step/train-step.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

const SIZE = 32;
const CONFIG: ModelConfig = {
  ...PRESETS.default,
  graph: { k: 8, features: "extended", ring: 6, ball: 8 },
  measure: { ...PRESETS.default.measure, resolution: 64 },
  vertex: SIZE,
  bone: SIZE,
  pair: SIZE,
  global: SIZE,
  blocks: 2,
  loss: { divergence: 0.3, l1: 0.7, smooth: 0 },
  edgeDropout: 0.2,
  dropout: 0,
};
const NAMES = ["fish", "mushroom", "octopus"];
const POSES = 8;
const STEPS = 260;

/** A sample character in the random pose of a number, reduced to about 400 vertices. */
async function posedSample(name: string, pose: number): Promise<Sample> {
  const { character } = prepareCharacter(makeSample(name));
  const painted = character as Character & { weights: SkinWeights };
  const posed = poseCharacter(painted, createRandom(`${name} ${pose}`));
  return measureSample(posed, { measure: CONFIG.measure, k: CONFIG.graph.k, ball: 8 }, 400);
}

async function posedSamples(from: number, to: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const name of NAMES) {
    for (let pose = from; pose < to; pose++) samples.push(await posedSample(name, pose));
  }
  return samples;
}

/** Two random samples per step. */
async function train(trainStep: TrainStep, samples: Sample[], steps: number): Promise<TrainState> {
  const random = createRandom(5);
  for (let step = 1; step <= steps; step++) {
    const pick = (): Sample => samples[Math.floor(random() * samples.length)];
    const batch = batchFeeds([pick(), pick()], CONFIG, trainStep.dropoutWidths, `step ${step}`);
    const schedule = { learningRate: 6e-3, warmUp: 0.05, floor: 0.01 };
    await trainStep.step(stepFeeds(batch, trainStep), {
      learningRate: learningRateAt(step / STEPS, schedule),
      weightDecay: 0.01,
      averageSteps: 20,
      step,
    });
  }
  return trainStep.getState();
}

/** Mean L1 of a sample; the artist's weight on bones outside the candidates counts as missed. */
function l1({ input, labels, counts }: Sample, predicted: SkinWeights): number {
  const { k, bones } = input.distances;
  let [sum, total] = [0, 0];
  counts.forEach((count, v) => {
    const difference = new Map<number, number>();
    let outside = 1;
    for (let i = v * k; i < (v + 1) * k; i++) {
      difference.set(bones[i], labels[i]);
      outside -= labels[i];
    }
    for (let i = v * predicted.influences; i < (v + 1) * predicted.influences; i++) {
      const before = difference.get(predicted.joints[i]) ?? 0;
      difference.set(predicted.joints[i], before - predicted.weights[i]);
    }
    const errors = [...difference.values()].map(Math.abs);
    sum += count * errors.reduce((a, b) => a + b, Math.max(0, outside));
    total += count;
  });
  return sum / total;
}

async function meanL1(samples: Sample[], parameters: Float32Array): Promise<number> {
  const bytes = await exportModel(CONFIG, parameters);
  const model = await openSkinModel(bytes, { provider: "cpu" });
  let sum = 0;
  for (const sample of samples) sum += l1(sample, await runSkinModel(model, sample.input));
  await model.session.dispose();
  return sum / samples.length;
}

test("a small network learns the samples, and generalizes to new poses", async () => {
  const seen = await posedSamples(0, POSES);
  const unseen = await posedSamples(POSES, POSES + 1);
  const trainStep = await createTrainStep(CONFIG, { provider: "cpu", seed: 1 });
  const start = await trainStep.getState();
  expect(await meanL1(unseen, start.average)).toBeGreaterThan(0.8);
  const end = await train(trainStep, seen, STEPS);
  await trainStep.dispose();
  expect(await meanL1(unseen, end.average)).toBeLessThan(0.15);
}, 300_000);

test("the same run twice yields the same parameters, bit by bit, with two threads", async () => {
  const samples = await posedSamples(0, 1);
  const runs: TrainState[] = [];
  for (let run = 0; run < 2; run++) {
    const trainStep = await createTrainStep(CONFIG, { provider: "cpu", threads: 2, seed: 1 });
    runs.push(await train(trainStep, samples, 6));
    await trainStep.dispose();
  }
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[0].parameters).not.toEqual(runs[0].average);
}, 120_000);
