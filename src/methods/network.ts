import type { PreparedCharacter } from "../character/character.ts";
import { type BoneDistances, MEASURED_BONES } from "../distance/bone-distances.ts";
import {
  decodeExemplars,
  EXEMPLARS_ENTRY,
  type Exemplar,
  TRUST_ENTRY,
} from "../examples/exemplars.ts";
import { DEFAULT_TRUST, mixNeighbors, type NeighborTrust } from "../examples/neighbor-weights.ts";
import { fillEmpty } from "../finish/fill-empty.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import { graphInputOf } from "../graph/graph-input.ts";
import { CONFIG_ENTRY, type ModelConfig, readModelConfig } from "../graph/model-config.ts";
import type { GraphInput, SkinGraph } from "../graph/skin-graph.ts";
import { InputError } from "../input-error.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import { hostTensor } from "../onnx/runtime.ts";
import { createSession, type Session, type SessionOptions } from "../onnx/session.ts";
import { type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { resolutionFor, solveOnProxy } from "./proxy.ts";
import { measureFor, type SolvedWeights, type SolveOptions } from "./solver.ts";
import { MAX_BONE_DISTANCE } from "./wrappers/deforming-joints.ts";

/** An opened model with its training configuration. */
export interface SkinModel {
  config: ModelConfig;
  /** Characters it was adapted to. */
  exemplars: Exemplar[];
  trust: NeighborTrust;
  session: Session;
}

/** Opens a model and reads its metadata. */
export async function openSkinModel(
  bytes: Uint8Array,
  options: SessionOptions = {},
): Promise<SkinModel> {
  const onnx = readOnnx(bytes);
  const config = readModelConfig(requireMetadata(onnx, CONFIG_ENTRY));
  const exemplars = decodeExemplars(onnx.metadata[EXEMPLARS_ENTRY]);
  const trust = readTrust(onnx.metadata[TRUST_ENTRY]);
  const session = await createSession(bytes, options);
  if (!session.outputNames.includes("weights")) {
    throw new InputError('The model has no output "weights"; use a model written by HeterSkin.');
  }
  return { config, exemplars, trust, session };
}

function readTrust(text: string | undefined): NeighborTrust {
  if (text === undefined) return DEFAULT_TRUST;
  try {
    const { most, within } = JSON.parse(text);
    if (most >= 0 && most <= 1 && within > 0) return { most, within };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InputError("The model's metadata on its examples is damaged; adapt it again.");
}

/** Runs the network; the result has one slot per candidate bone. */
export async function runSkinModel(
  model: Pick<SkinModel, "config" | "session">,
  input: GraphInput,
): Promise<SkinWeights> {
  const graph = buildSkinGraph(input, model.config.graph);
  const feeds = graphFeeds(graph, model.config.graph);
  const entries = model.session.inputNames.map((name) => {
    if (Object.hasOwn(feeds, name)) return [name, hostTensor(feeds[name].data, feeds[name].dims)];
    throw new InputError(
      `The model expects an input "${name}" that this version does not provide.`,
    );
  });
  const used = Object.fromEntries(entries);
  const { weights } = await model.session.run(used).catch((error) => {
    const [reason] = String(error?.message ?? error).split("\n");
    throw new InputError(
      `The model cannot be run (${reason.slice(-200)}); use a model of this version.`,
    );
  });
  const [expected, got] = [graph.pairBone.length, weights?.data.length ?? 0];
  if (!(weights?.data instanceof Float32Array) || got !== expected) {
    throw new InputError(
      `The model returns ${weights?.data.length ?? 0} weights instead of ${graph.pairBone.length}; use a model of this version.`,
    );
  }
  return weightsFromSlots(candidates(graph, input.distances), weights.data, graph.K);
}

/**
 * Returns the bone of each pair, or -1 for an empty slot and for bones beyond two body sizes unless
 * none is closer: no training character has weight on such bones.
 */
function candidates(
  { pairBone, pairValid, pairSlot, K }: SkinGraph,
  { k, distances }: BoneDistances,
) {
  return pairBone.map((bone, pair) => {
    const slot = pairSlot ? Math.max(0, pairSlot[pair]) : pair % K;
    const distance = distances[Math.floor(pair / K) * k + slot];
    const outOfReach = slot > 0 && distance > MAX_BONE_DISTANCE;
    return pairValid[pair] === 0 || outOfReach ? -1 : bone;
  });
}

/** Opened models by their bytes, so that a batch opens its model once. */
const opened = new WeakMap<Uint8Array, Map<string, Promise<SkinModel>>>();

function sharedModel(bytes: Uint8Array, options: SessionOptions): Promise<SkinModel> {
  const key = JSON.stringify(options);
  const models = opened.get(bytes) ?? new Map<string, Promise<SkinModel>>();
  opened.set(bytes, models);
  const known = models.get(key);
  if (known) return known;
  const model = openSkinModel(bytes, options);
  models.set(key, model);
  model.catch(() => models.delete(key));
  return model;
}

/** Closes a model; the memory of its sessions is not garbage-collected. */
export async function closeSkinModel(bytes: Uint8Array): Promise<void> {
  const models = opened.get(bytes)?.values() ?? [];
  opened.delete(bytes);
  for (const model of models) await (await model).session.dispose();
}

/** Solves with a network: measures the character as in training and runs the model. */
export async function network(
  prepared: PreparedCharacter,
  options: SolveOptions,
): Promise<SolvedWeights> {
  if (!options.model) {
    throw new InputError(
      "This method needs a trained model: set `model` to the bytes of an .onnx file.",
    );
  }
  const { provider, threads, wasmFolder, onProgress, signal, proxyVertices } = options;
  const given = Object.entries({ provider, threads, wasmFolder }).filter(([, value]) => value);
  const model = await sharedModel(options.model, Object.fromEntries(given));
  const { graph, measure } = model.config;
  const { character } = prepared;
  const measured = await measureFor(prepared, options, {
    ...measure,
    resolution: options.resolution ?? resolutionFor(character, measure.resolution, proxyVertices),
    k: Math.max(MEASURED_BONES, graph.k),
  });
  signal?.throwIfAborted();
  const weights = await solveOnProxy(character, measured, proxyVertices, async (surface) => {
    onProgress?.("network", 0);
    const part = { mesh: surface.mesh, skeleton: character.skeleton };
    const input = graphInputOf(part, surface.measured, measure, graph, surface.normals);
    const found = await runSkinModel(model, input);
    const mixed = mixNeighbors(found, part, model.exemplars, model.trust);
    onProgress?.("network", 1);
    // Paths inside the body reach no loose part.
    return measure.distance === "volumetric" ? fillEmpty(mixed, part).weights : mixed;
  });
  return { weights, measured };
}
