import { adapt } from "../../src/adapt/index.ts";
import { meanBleed, scoreWeights, vertexL1 } from "../../src/evaluate/index.ts";
import { InputError, type MeasuredCharacter, type OnProgress } from "../../src/index.ts";
import {
  type BoundCharacter,
  bindPrepared,
  boneField,
  CARRIED_SHARE,
  closeSkinModel,
  createMeasureCache,
  DEFAULT_METHOD,
  findDoubts,
  fixFindings,
  isNetwork,
  loadMethod,
  measureOnce,
  type PreparedCharacter,
  prepareCharacter,
  refinePrepared,
  type SolvedWeights,
  startStageClock,
} from "../../src/parts.ts";
import type { BindCalls, BindOptions } from "./bind-calls.ts";
import { answerCalls } from "./call-worker.ts";
import {
  chooseProvider,
  loadRuntime,
  loadStep,
  type PageProvider,
  threadsHere,
} from "./runtime.ts";

/** Weights of a method, and where its network ran. */
interface Solved extends SolvedWeights {
  provider?: PageProvider | undefined;
}

let base = "";
const models = new Map<PageProvider, Promise<Uint8Array>>();
let character: PreparedCharacter | undefined;
/** Whether the weights of the character came with its skeleton. */
let hasCarried = false;
/** The adapted model. */
let style: Uint8Array | undefined;
/** Results for this character that later calls reuse. */
let solved = new Map<string, Solved>();
let cache = createMeasureCache();
let measured: Promise<MeasuredCharacter> | undefined;
let latest: BoundCharacter | undefined;

const calls: BindCalls = {
  async warm(input, report) {
    base = input.base;
    const provider = await chooseProvider(input.provider, base);
    await modelFile(provider, report);
    return provider;
  },
  setCharacter({ prepared, carried }) {
    const { character: own } = prepared;
    hasCarried = carried !== undefined;
    character = carried ? { ...prepared, character: { ...own, weights: carried } } : prepared;
    solved = new Map();
    cache = createMeasureCache();
    measured = undefined;
    latest = undefined;
  },
  async teach({ example }, report) {
    // Training runs in WebAssembly wherever binding runs.
    const [model, step] = await Promise.all([modelFile("wasm", report), loadStep(base)]);
    const threads = threadsHere();
    return adapt(model, [example], { step, provider: "wasm", threads, onProgress: report });
  },
  async setStyle({ model }) {
    if (style) await closeSkinModel(style);
    style = model;
    solved = new Map();
  },
  async bind(options, report) {
    const prepared = open();
    const clock = startStageClock(report);
    clock.report("prepare", 0);
    const { method, resolution = "", provider: wish, symmetry } = options;
    const key = `${method}/${resolution}/${wish}/${symmetry}`;
    const known = solved.get(key);
    const { bound, provider } = await bindBy(prepared, options, clock.report, known);
    // Without the measurements: grids are large, and the cache keeps a few.
    solved.set(key, { weights: bound.solved, unsmoothed: bound.unsmoothed, provider });
    const given = bound.measured;
    if (given && given.distances.bones.length === placeCount() * given.distances.k) {
      measured = Promise.resolve(given);
    }
    latest = bound;
    return {
      weights: bound.finished,
      timings: clock.stop(),
      warnings: bound.warnings,
      provider,
      threads: threadsHere(),
      isReused: known !== undefined,
      isRemote: false,
    };
  },
  async field({ joint }) {
    const { character } = open();
    const { bones, grid } = await measure();
    return boneField(character.mesh, bones, joint, grid).distances;
  },
  async review({ weights, isLatest }) {
    const prepared = open();
    const welded = Int32Array.from({ length: placeCount() }, (_, place) => place);
    const given = {
      solved: weights,
      unlimited: weights,
      excluded: new Uint8Array(prepared.character.skeleton.names.length),
      maxInfluences: weights.influences,
      prune: 0,
    };
    const facts = { ...given, ...(isLatest && latest), finished: weights };
    return findDoubts({ ...facts, measured: await measure(), prepared: { ...prepared, welded } });
  },
  async refine({ weights }) {
    const { character, ...prepared } = open();
    const options = { threads: threadsHere(), cache };
    return refinePrepared({ ...prepared, character: { ...character, weights } }, options);
  },
  async fix({ weights, check, findings }) {
    const { character } = open();
    const chosen = findings.map((index) => check.findings[index]);
    const fixed = fixFindings({ ...character, weights }, check, chosen, weights.influences);
    return {
      weights: fixed.weights,
      fixed: fixed.remedies.filter(({ isKept }) => isKept).length,
    };
  },
  async compare({ weights }) {
    const prepared = open();
    const artist = prepared.character.weights;
    if (!artist) throw new InputError("This file had no weights to compare with.");
    const { distances } = await measure();
    return {
      errors: vertexL1(weights, artist),
      score: scoreWeights(prepared, weights, { distances }),
      bleedBefore: meanBleed(artist, distances),
    };
  },
};

function open(): PreparedCharacter {
  if (!character) throw new Error("bind worker: there is no character.");
  return character;
}

function placeCount(): number {
  return open().character.mesh.positions.length / 3;
}

function measure(): Promise<MeasuredCharacter> {
  if (measured) return measured;
  const found = measureOnce(open().character, { threads: threadsHere() }, cache);
  measured = found;
  // A failure, perhaps for lack of memory, must not prevent another attempt.
  found.catch(() => {
    if (measured === found) measured = undefined;
  });
  return found;
}

function modelFile(provider: PageProvider, report: OnProgress): Promise<Uint8Array> {
  const known = models.get(provider);
  if (known) return known;
  const loading = loadRuntime(base, provider, report).then((bytes) => openModel(provider, bytes));
  models.set(provider, loading);
  loading.catch(() => models.delete(provider));
  return loading;
}

/** Opens the model before it is needed, by binding a tiny character with the real options. */
async function openModel(provider: PageProvider, bytes: Uint8Array): Promise<Uint8Array> {
  const solve = await loadMethod(DEFAULT_METHOD);
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const mesh = { positions, triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3) };
  const skeleton = {
    names: ["a", "b"],
    parents: Int32Array.of(-1, 0),
    positions: Float32Array.of(0.1, 0.1, 0.1, 0.3, 0.3, 0.3),
  };
  const settings = { provider, threads: threadsHere(), model: bytes };
  await solve(prepareCharacter({ name: "warm", mesh, skeleton }), settings);
  return bytes;
}

/** Binds with the visitor's options; weights that were solved before are only finished. */
async function bindBy(
  prepared: PreparedCharacter,
  { method, maxInfluences, smooth, resolution, symmetry, provider: wanted }: BindOptions,
  report: OnProgress,
  known?: Solved,
): Promise<{ bound: BoundCharacter; provider?: PageProvider | undefined }> {
  const settings = {
    method,
    maxInfluences,
    smooth,
    resolution,
    symmetry,
    blend: hasCarried ? CARRIED_SHARE : 0,
    threads: threadsHere(),
    cache,
    onProgress: report,
    solved: known,
  };
  if (known || !isNetwork(method)) {
    return { bound: await bindPrepared(prepared, settings), provider: known?.provider };
  }
  const provider = await chooseProvider(wanted, base);
  const run = async (provider: PageProvider) => {
    report("download", 0);
    const plain = await modelFile(provider, report);
    report("prepare", 0);
    const models = { model: plain, adapted: style };
    return { bound: await bindPrepared(prepared, { ...settings, ...models, provider }), provider };
  };
  // A GPU can be lost or have too little memory; the processor is always available.
  return provider === "wasm" || wanted === "webgpu"
    ? run(provider)
    : run(provider).catch(() => run("wasm"));
}

answerCalls(calls, (error) => error instanceof InputError, ["warm"]);
