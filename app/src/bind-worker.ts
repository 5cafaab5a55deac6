import {
  type CharacterScore,
  scoreWeights,
  vertexBleed,
  vertexL1,
} from "../../src/evaluate/index.ts";
import {
  boneField,
  finishWeights,
  InputError,
  loadMethod,
  type MeasuredCharacter,
  measureDistances,
  type PreparedCharacter,
  type SkinWeights,
} from "../../src/index.ts";
import { answerCalls } from "./call-worker.ts";
import { type Doubts, droppedWeight, findDoubts } from "./doubts.ts";
import { smoothWeights } from "./paint/smooth-weights.ts";
import { chooseProvider, loadRuntime, type PageProvider, threadsHere } from "./runtime.ts";

/** What the visitor chose in the panel. */
export interface BindOptions {
  method: string;
  maxInfluences: number;
  prune: number;
  /** Rounds of smoothing over the surface, 0 to 10. */
  smooth: number;
  /** Cells of the grid along the longest side; absent = the method's own. */
  resolution?: number;
  provider: "auto" | PageProvider;
}

/** Weights of the welded vertices, and how they came about. */
export interface Binding {
  weights: SkinWeights;
  /** Weight each vertex lost to the limit on influences, 0 to 1. */
  dropped: Float32Array;
  /** Milliseconds by stage. */
  timings: Record<string, number>;
  warnings: string[];
  /** Where the network ran; nothing for methods without one. */
  provider?: PageProvider;
  threads: number;
  /** Whether the solved weights of an earlier run could be taken. */
  isReused: boolean;
}

/** How the weights compare with those of the file. */
export interface Comparison {
  /** V, 0 to 2. */
  errors: Float32Array;
  score: CharacterScore;
  /** Mean weight the file's own weights have on far joints. */
  bleedBefore: number;
}

/** What the bind worker can be asked. */
export type BindCalls = {
  warm(
    input: { base: string; provider: "auto" | PageProvider },
    report: (stage: string, fraction: number) => void,
  ): Promise<PageProvider>;
  setCharacter(input: PreparedCharacter): void;
  bind(input: BindOptions, report: (stage: string, fraction: number) => void): Promise<Binding>;
  field(input: { joint: number }): Promise<Float32Array>;
  review(input: { weights: SkinWeights; dropped: Float32Array }): Promise<Doubts>;
  compare(input: { weights: SkinWeights }): Promise<Comparison>;
};

/** Methods that run a network. */
const NETWORKS = ["heterskinnet"];

let base = "";
const models = new Map<PageProvider, Promise<Uint8Array>>();
let character: PreparedCharacter | undefined;
/** What is known about the character already, so that it need not be found again. */
let solved = new Map<string, { weights: SkinWeights; provider?: PageProvider }>();
let measured: Promise<MeasuredCharacter> | undefined;

const calls: BindCalls = {
  async warm(input, report) {
    base = input.base;
    const provider = await chooseProvider(input.provider);
    await model(provider, report);
    return provider;
  },
  setCharacter(prepared) {
    character = prepared;
    solved = new Map();
    measured = undefined;
  },
  async bind(options, report) {
    const prepared = open();
    const clock = stageTimes(report);
    const key = `${options.method}/${options.resolution ?? ""}/${options.provider}`;
    const known = solved.get(key);
    const found = known ?? (await solve(prepared, options, clock.report));
    solved.set(key, found);
    clock.report("finish", 0);
    const smooth = smoothWeights(found.weights, prepared.character.mesh, options.smooth);
    const { weights, warnings } = finishWeights(smooth, prepared.character, options);
    return {
      weights,
      dropped: droppedWeight(smooth, options.maxInfluences),
      timings: clock.stop(),
      warnings,
      ...(found.provider ? { provider: found.provider } : {}),
      threads: threadsHere(),
      isReused: known !== undefined,
    };
  },
  async field({ joint }) {
    const { character } = open();
    const { bones, grid } = await measure();
    return boneField(character.mesh, bones, joint, grid).distances;
  },
  async review({ weights, dropped }) {
    const { character } = open();
    const { distances } = await measure();
    const bleed = vertexBleed(weights, distances);
    return findDoubts(character, weights, distances, bleed, dropped);
  },
  async compare({ weights }) {
    const prepared = open();
    const artist = prepared.character.weights;
    if (!artist) throw new InputError("This file had no weights to compare with.");
    const { distances } = await measure();
    const bleeds = vertexBleed(artist, distances);
    return {
      errors: vertexL1(weights, artist),
      score: scoreWeights(prepared, weights, { distances }),
      bleedBefore: bleeds.reduce((sum, bleed) => sum + bleed, 0) / Math.max(1, bleeds.length),
    };
  },
};

function open(): PreparedCharacter {
  if (!character) throw new Error("bind worker: there is no character.");
  return character;
}

function measure(): Promise<MeasuredCharacter> {
  measured ??= measureDistances(open().character, { k: 16, threads: threadsHere() });
  return measured;
}

function model(
  provider: PageProvider,
  report: (stage: string, fraction: number) => void,
): Promise<Uint8Array> {
  const known = models.get(provider);
  if (known) return known;
  const loading = loadRuntime(base, provider, report);
  models.set(provider, loading);
  loading.catch(() => models.delete(provider));
  return loading;
}

async function solve(
  prepared: PreparedCharacter,
  options: BindOptions,
  report: (stage: string, fraction: number) => void,
): Promise<{ weights: SkinWeights; provider?: PageProvider }> {
  const method = await loadMethod(options.method);
  const settings = {
    threads: threadsHere(),
    onProgress: report,
    ...(options.resolution ? { resolution: options.resolution } : {}),
  };
  if (!NETWORKS.includes(options.method)) return { weights: await method(prepared, settings) };
  const provider = await chooseProvider(options.provider);
  const run = async (provider: PageProvider) => ({
    weights: await method(prepared, {
      ...settings,
      provider,
      model: await model(provider, report),
    }),
    provider,
  });
  // A GPU may be lost or too small; the processor is always there.
  return provider === "wasm" || options.provider === "webgpu"
    ? run(provider)
    : run(provider).catch(() => run("wasm"));
}

function stageTimes(onProgress: (stage: string, fraction: number) => void) {
  const timings: Record<string, number> = {};
  let stage = "prepare";
  let since = performance.now();
  const close = () => {
    timings[stage] = (timings[stage] ?? 0) + performance.now() - since;
    since = performance.now();
  };
  return {
    report(next: string, fraction: number) {
      if (next !== stage) {
        close();
        stage = next;
      }
      onProgress(next, fraction);
    },
    stop() {
      close();
      return timings;
    },
  };
}

answerCalls(calls, (error) => error instanceof InputError);
