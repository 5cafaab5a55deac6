/** The same network in jax-js and ONNX Runtime, and its gradient by finite differences. */
import { beforeAll, describe, expect, test } from "vitest";
import { startJax } from "../src/compile/jax.ts";
import { buildSkinGraph } from "../src/graph/build-skin-graph.ts";
import { collate } from "../src/graph/collate.ts";
import { graphFeeds } from "../src/graph/graph-feeds.ts";
import type { ModelConfig } from "../src/graph/model-config.ts";
import { PAIR_FEATURES } from "../src/graph/pair-features.ts";
import type { GraphInput, SkinGraph } from "../src/graph/skin-graph.ts";
import { InputError } from "../src/input-error.ts";
import { batchFeeds } from "../src/learn/batch-feeds.ts";
import type { Sample } from "../src/learn/sample.ts";
import { stepFeeds, stepScalars } from "../src/learn/step.ts";
import { createRandom, normal } from "../src/math/random.ts";
import { runSkinModel } from "../src/methods/network.ts";
import { parameterSpecs, predictLogWeights } from "../src/network/network.ts";
import { exp, type Tensor } from "../src/network/ops.ts";
import {
  decayMask,
  initialParameters,
  namedScope,
  type ParameterSpec,
  splitFlat,
} from "../src/network/parameters.ts";
import { renewed, STATE_NAMES } from "../src/network/step-state.ts";
import { lossAndGradient, trainStepFunction } from "../src/network/train-step-function.ts";
import { hostTensor } from "../src/onnx/runtime.ts";
import { createSession, type Session } from "../src/onnx/session.ts";
import { exportModel } from "../src/train/step/export-model.ts";
import { createTrainStep, type Teachers } from "../src/train/step/train-step.ts";
import { smallConfig, withoutLook } from "./helpers/example-config.ts";
import { feedTensors, floats, valuesOf } from "./helpers/graph-arrays.ts";
import { randomGraphInput } from "./helpers/random-graph-input.ts";

beforeAll(startJax);

const SIZES: [number, number][] = [
  [30, 3],
  [75, 9],
  [160, 21],
];
const small = (preset: string, k?: number): ModelConfig => withoutLook(smallConfig(preset, k));
const NETWORKS = ["default", "narrow", "paper", "rignet", "neuroskinning"];

/** A sample whose labels follow from the distances. */
function randomSample(vertices: number, bones: number, seed: number): Sample {
  const input = randomGraphInput(vertices, bones, seed);
  const { k, distances } = input.distances;
  const labels = Float32Array.from(distances, (d) => (Number.isFinite(d) ? Math.exp(-9 * d) : 0));
  const V = labels.length / k;
  for (let v = 0; v < V; v++) {
    const sum = labels.subarray(v * k, v * k + k).reduce((a, b) => a + b, 0);
    for (let slot = 0; slot < k; slot++) labels[v * k + slot] /= sum;
  }
  return { input, labels, counts: new Uint16Array(V).fill(1) };
}

/** Largest difference, relative to the largest value. */
function relative(got: Float32Array, expected: Float32Array): number {
  expect(got.length).toBe(expected.length);
  let difference = 0;
  let largest = 1e-12;
  expected.forEach((value, i) => {
    difference = Math.max(difference, Math.abs(value - got[i]));
    largest = Math.max(largest, Math.abs(value));
  });
  return difference / largest;
}

async function jaxWeights(
  preset: string,
  specs: ParameterSpec[],
  flat: Float32Array,
  graph: SkinGraph,
): Promise<Float32Array> {
  const scope = namedScope(splitFlat(floats(flat, [flat.length]), specs));
  return valuesOf(
    exp(
      predictLogWeights(scope, feedTensors(graphFeeds(graph, small(preset).graph)), small(preset)),
    ),
  );
}

test("teachers' outputs are mixed into the labels as computed by hand", async () => {
  const config = { ...small("default"), edgeDropout: 0, dropout: 0 };
  const specs = parameterSpecs(config);
  const parameters = [11, 12].map((seed) => initialParameters(specs, seed));
  const sample = randomSample(60, 7, 2);
  // By hand: each teacher is exported and run separately, and its rows are mixed with the artist's.
  const share = 0.6;
  const mixed = { ...sample, labels: sample.labels.slice() };
  const graph = buildSkinGraph(sample.input, config.graph);
  const { k } = sample.input.distances;
  const K = config.graph.k;
  const answers: Float32Array[] = [];
  for (const flat of parameters) {
    const session = await createSession(await exportModel(config, flat), { provider: "cpu" });
    answers.push(await ortWeights(session, graph));
    await session.dispose();
  }
  for (let v = 0; v < graph.V; v++) {
    const row = sample.labels.subarray(v * k, v * k + K);
    const sum = row.reduce((a, b) => a + b, 0);
    const together = Array.from({ length: K }, (_, slot) =>
      Math.sqrt(answers[0][v * K + slot] * answers[1][v * K + slot]),
    );
    const all = together.reduce((a, b) => a + b, 0);
    together.forEach((weight, slot) => {
      mixed.labels[v * k + slot] = (share * weight) / all + (1 - share) * (row[slot] / sum);
    });
  }
  const settings = { learningRate: 1e-3, weightDecay: 0, step: 1, averageSteps: 10 };
  const stepOn = async (shown: Sample, teachers?: Teachers) => {
    const step = await createTrainStep(config, { provider: "cpu", threads: 1, seed: 4, teachers });
    const batch = batchFeeds([shown], config, step.dropoutWidths, "seed");
    const { loss } = await step.step(stepFeeds(batch, step), settings);
    const { first } = await step.getState();
    await step.dispose();
    return { loss, first };
  };
  const taught = await stepOn(sample, { parameters, share });
  const byHand = await stepOn(mixed);
  expect(taught.loss).toBeCloseTo(byHand.loss, 5);
  expect(relative(taught.first, byHand.first)).toBeLessThan(1e-4);
  const alone = await stepOn(sample);
  expect(relative(taught.first, alone.first)).toBeGreaterThan(0.05);
});

describe.each(NETWORKS)("the network %s", (preset) => {
  const config = small(preset);

  test("one export computes jax-js' weights at three sizes", async () => {
    const specs = parameterSpecs(config);
    const flat = initialParameters(specs, 5);
    const session = await createSession(await exportModel(config, flat), {
      provider: "cpu",
      threads: 1,
    });
    for (const [vertices, bones] of SIZES) {
      const graph = buildSkinGraph(randomGraphInput(vertices, bones, vertices), config.graph);
      const expected = await jaxWeights(preset, specs, flat, graph);
      expect(relative(await ortWeights(session, graph), expected)).toBeLessThan(1e-4);
    }
    await session.dispose();
  });

  test("one export computes jax-js' gradient of every parameter at three sizes", async () => {
    const specs = parameterSpecs(config);
    const trained = await createTrainStep(config, { provider: "cpu", threads: 1, seed: 4 });
    const start = await trained.getState();
    const settings = { learningRate: 1e-3, weightDecay: 0, step: 1, averageSteps: 10 };
    for (const [v, b] of SIZES) {
      trained.setState(start);
      const batch = batchFeeds([randomSample(v, b, v)], config, trained.dropoutWidths, "seed");
      const { norm } = await trained.step(stepFeeds(batch, trained), settings);
      const inputs = {
        ...feedTensors(batch.feeds),
        parameters: floats(start.parameters, [start.parameters.length]),
      };
      const expected = await valuesOf(lossAndGradient(config, specs, inputs)[1]);
      // The first moment after one step is a tenth of the gradient, which is clipped to length 1.
      const { first } = await trained.getState();
      const got = first.map((value) => value * 10 * Math.max(1, norm));
      const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      for (const { name, offset, size } of specs) {
        const [a, e] = [got, expected].map((flat) => flat.subarray(offset, offset + size));
        const own = e.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        // Sums that nearly cancel have the rounding error of their terms.
        expect(a, `${name} at ${v} vertices`).toBeAllClose(e, 1e-4 * Math.max(own, largest / 10));
      }
    }
    await trained.dispose();
  });

  test("five training steps agree with jax-js, parameters and moments", async () => {
    const specs = parameterSpecs(config);
    const trained = await createTrainStep(config, { provider: "cpu", threads: 1, seed: 3 });
    let state: Record<string, Tensor> = Object.fromEntries(
      Object.entries(await trained.getState()).map(([name, data]) => [
        name,
        floats(data, [data.length]),
      ]),
    );
    const decay = decayMask(specs);
    const jaxStep = trainStepFunction(config, specs);
    for (let step = 1; step <= 5; step++) {
      const samples = SIZES.slice(0, 2).map(([v, b]) => randomSample(v, b, step * 10 + b));
      const batch = batchFeeds(samples, config, trained.dropoutWidths, `seed ${step}`);
      const settings = { learningRate: 1e-3, weightDecay: 0.1, step, averageSteps: 10 };
      const { loss } = await trained.step(stepFeeds(batch, trained), settings);
      const outputs = jaxStep({
        ...feedTensors(batch.feeds),
        ...Object.fromEntries(
          Object.entries(stepScalars(settings)).map(([name, { data }]) => [name, floats(data, [])]),
        ),
        ...state,
        decay: floats(decay, [decay.length]),
      });
      expect((await valuesOf(outputs.loss))[0]).toBeCloseTo(loss, 4);
      state = Object.fromEntries(STATE_NAMES.map((name) => [name, outputs[renewed(name)]]));
    }
    const got = await trained.getState();
    // Adam divides by the root of tiny moments, which amplifies float32 noise in the parameters.
    const limits = { first: 2e-4, parameters: 2e-3, average: 2e-3 } as const;
    for (const [name, limit] of Object.entries(limits) as [keyof typeof limits, number][]) {
      expect(relative(got[name], await valuesOf(state[name])), name).toBeLessThan(limit);
    }
    await trained.dispose();
  });

  test("the gradient agrees with finite differences", async () => {
    const specs = parameterSpecs(config);
    const { feeds } = batchFeeds([randomSample(40, 6, 8)], { ...config, dropout: 0 }, {}, "fixed");
    const tensors = feedTensors(feeds);
    const flat = initialParameters(specs, 9);
    const lossAt = async (parameters: Float32Array): Promise<[number, Float32Array]> => {
      const inputs = { ...tensors, parameters: floats(parameters, [parameters.length]) };
      const [loss, gradient] = lossAndGradient({ ...config, dropout: 0 }, specs, inputs);
      return [(await valuesOf(loss))[0], await valuesOf(gradient)];
    };
    const [, gradient] = await lossAt(flat);
    const random = createRandom(`direction of ${preset}`);
    // A direction partly along the gradient, so that its slope exceeds float32 noise.
    const length = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
    const direction = gradient.map((g) => g / length + normal(random) / Math.sqrt(flat.length));
    const slope = direction.reduce((sum, d, i) => sum + d * gradient[i], 0);
    // Small, because the terms of motion and tree have many kinks.
    const step = 5e-4;
    const ahead = await lossAt(flat.map((value, i) => value + step * direction[i]));
    const behind = await lossAt(flat.map((value, i) => value - step * direction[i]));
    const measured = (ahead[0] - behind[0]) / (2 * step);
    expect(Math.abs(measured - slope) / Math.abs(slope)).toBeLessThan(0.03);
  });

  test("the step for a GPU, packed and in parts, equals that of the processor", async () => {
    const samples = SIZES.slice(0, 2).map(([v, b]) => randomSample(v, b, b));
    const settings = { learningRate: 1e-3, weightDecay: 0.1, step: 1, averageSteps: 10 };
    const SIZE = { vertices: 200, joints: 50, parts: 8, characters: 4 };
    // Without a GPU, "auto" runs the GPU's graph on the processor.
    const states = [];
    for (const provider of ["cpu", "auto"] as const) {
      const trained = await createTrainStep(config, { provider, threads: 1, seed: 8 });
      expect(Object.keys(trained.packed).length > 0).toBe(provider === "auto");
      const batch = batchFeeds(
        samples,
        { ...config, dropout: 0 },
        trained.dropoutWidths,
        "s",
        SIZE,
      );
      await trained.step(stepFeeds(batch, trained), settings);
      states.push(await trained.getState());
      await trained.dispose();
    }
    expect(relative(states[1].first, states[0].first)).toBeLessThan(1e-4);
  });

  test("a finished model divides its scores, and uses heat as a prior", async () => {
    const flat = initialParameters(parameterSpecs(config), 5);
    const graph = buildSkinGraph(randomGraphInput(40, 6, 9), config.graph);
    const given = async (more: Partial<ModelConfig>): Promise<Float32Array> => {
      const bytes = await exportModel({ ...config, ...more }, flat);
      const session = await createSession(bytes, { provider: "cpu", threads: 1 });
      const weights = await ortWeights(session, graph);
      await session.dispose();
      return weights;
    };
    const scaled = (weights: Float32Array): Float32Array =>
      weights.map((weight, i) => {
        const start = i - (i % graph.K);
        return weight / weights.subarray(start, start + graph.K).reduce((sum, w) => sum + w, 0);
      });
    const plain = await given({});
    expect(await given({ temperature: 2 })).toBeAllClose(scaled(plain.map(Math.sqrt)), 1e-5);
    const leaning = { temperature: 2, heat: 0.4 };
    if (graph.pairFeatures.length === 0) {
      await expect(given(leaning)).rejects.toThrow(InputError);
      return;
    }
    const width = graph.pairFeatures.length / graph.pairValid.length;
    const column = PAIR_FEATURES.indexOf("prior");
    const heat = (pair: number): number => graph.pairFeatures[pair * width + column];
    expect(new Set(plain.map((_, pair) => heat(pair))).size).toBeGreaterThan(2);
    const expected = plain.map((w, pair) => Math.sqrt(w) * (heat(pair) + 0.05) ** 0.4);
    expect(await given(leaning)).toBeAllClose(scaled(expected), 1e-5);
  });

  test("batched graphs produce the same results as separate ones", async () => {
    const specs = parameterSpecs(config);
    const flat = initialParameters(specs, 6);
    const graphs = SIZES.map(([v, b]) => buildSkinGraph(randomGraphInput(v, b, 4), config.graph));
    const together = await jaxWeights(preset, specs, flat, collate(graphs));
    const alone = await Promise.all(graphs.map((g) => jaxWeights(preset, specs, flat, g)));
    const joined = Float32Array.from(alone.flatMap((values) => Array.from(values)));
    expect(relative(together, joined)).toBeLessThan(1e-4);
  });

  test("the order of vertices and of bones does not affect the weights", async () => {
    const flat = initialParameters(parameterSpecs(config), 7);
    const bytes = await exportModel(config, flat);
    const session = await createSession(bytes, { provider: "cpu", threads: 1 });
    const input = randomGraphInput(60, 8, 12);
    const plain = await runSkinModel({ config, session }, input);
    const { shuffled, vertexAt, boneAt } = shuffle(input, 13);
    const mixed = await runSkinModel({ config, session }, shuffled);
    for (let v = 0; v < vertexAt.length; v++) {
      const weightOf = (bone: number): number => {
        const row = vertexAt[v] * mixed.influences;
        for (let slot = row; slot < row + mixed.influences; slot++) {
          if (mixed.weights[slot] > 0 && mixed.joints[slot] === boneAt[bone]) {
            return mixed.weights[slot];
          }
        }
        return 0;
      };
      for (let slot = v * plain.influences; slot < (v + 1) * plain.influences; slot++) {
        if (plain.weights[slot] === 0) continue;
        expect(Math.abs(weightOf(plain.joints[slot]) - plain.weights[slot])).toBeLessThan(2e-5);
      }
    }
    await session.dispose();
  });
});

async function ortWeights(session: Session, graph: SkinGraph): Promise<Float32Array> {
  const feeds = graphFeeds(graph, small("narrow").graph);
  const used = session.inputNames.map((name) => {
    const { data, dims } = feeds[name];
    return [name, hostTensor(data, dims)] as const;
  });
  const { weights } = await session.run(Object.fromEntries(used));
  return weights.data as Float32Array;
}

/** The same input with vertices and bones renumbered; `at[old]` is the new index. */
function shuffle(
  input: GraphInput,
  seed: number,
): { shuffled: GraphInput; vertexAt: Int32Array; boneAt: Int32Array } {
  const random = createRandom(seed);
  const V = input.mesh.positions.length / 3;
  const B = input.skeleton.parents.length;
  const vertexAt = permutation(V, random);
  const boneAt = permutation(B, random);
  const rows = <T extends Float32Array | Int32Array>(table: T, at: Int32Array): T => {
    const width = table.length / at.length;
    const out = table.slice() as T;
    at.forEach((to, from) => {
      out.set(table.subarray(from * width, (from + 1) * width), to * width);
    });
    return out;
  };
  const bone = (b: number): number => (b < 0 ? -1 : boneAt[b]);
  const { skeleton, bones, distances } = input;
  const names = Array.from({ length: B }, () => "");
  skeleton.names.forEach((name, b) => {
    names[boneAt[b]] = name;
  });
  const starts = new Int32Array(B + 1);
  const segments: number[] = [];
  const inside: number[] = [];
  const oldAt = permutationInverse(boneAt);
  for (let b = 0; b < B; b++) {
    const from = oldAt[b];
    segments.push(...bones.segments.subarray(bones.starts[from] * 6, bones.starts[from + 1] * 6));
    inside.push(...input.inside.subarray(bones.starts[from], bones.starts[from + 1]));
    starts[b + 1] = segments.length / 6;
  }
  return {
    vertexAt,
    boneAt,
    shuffled: {
      mesh: {
        positions: rows(input.mesh.positions, vertexAt),
        triangles: input.mesh.triangles.map((v) => vertexAt[v]),
      },
      skeleton: {
        names,
        parents: rows(skeleton.parents.map(bone), boneAt),
        positions: rows(skeleton.positions, boneAt),
      },
      inside: Float32Array.from(inside),
      bones: {
        starts,
        segments: Float32Array.from(segments),
        heads: rows(bones.heads, boneAt),
        ends: rows(bones.ends, boneAt),
      },
      distances: {
        k: distances.k,
        bones: rows(distances.bones.map(bone), vertexAt),
        distances: rows(distances.distances, vertexAt),
      },
      normals: rows(input.normals, vertexAt),
      thickness: rows(input.thickness, vertexAt),
      ball: rows(
        input.ball.map((v) => vertexAt[v]),
        vertexAt,
      ),
      prior: rows(input.prior, vertexAt),
    },
  };
}

function permutation(count: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

function permutationInverse(at: Int32Array): Int32Array {
  const out = new Int32Array(at.length);
  at.forEach((to, from) => {
    out[to] = from;
  });
  return out;
}
