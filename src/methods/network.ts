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
import { FARTHEST_BONE } from "./wrappers/deforming-joints.ts";

/** A loaded model with its configuration. */
export interface SkinModel {
  config: ModelConfig;
  /** Characters it was adapted to, if it carries any. */
  exemplars: Exemplar[];
  trust: NeighborTrust;
  session: Session;
}

/** Opens a model; its constants come from its metadata. */
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
    throw new InputError('The model has no output "weights"; use a model from HeterSkin.');
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
  throw new InputError("The trust in the model's examples cannot be read; adapt it again.");
}

/** Returns the network's weights for a measured character: one slot per candidate bone. */
export async function runSkinModel(
  model: Pick<SkinModel, "config" | "session">,
  input: GraphInput,
): Promise<SkinWeights> {
  const graph = buildSkinGraph(input, model.config.graph);
  const feeds = Object.fromEntries(
    Object.entries(graphFeeds(graph)).map(([name, { dims, data }]) => [
      name,
      hostTensor(data, dims),
    ]),
  );
  const unknown = model.session.inputNames.find((name) => !Object.hasOwn(feeds, name));
  if (unknown !== undefined) {
    throw new InputError(
      `The model expects an input "${unknown}" that this version does not provide.`,
    );
  }
  const used = Object.fromEntries(model.session.inputNames.map((name) => [name, feeds[name]]));
  const { weights } = await model.session.run(used).catch((error) => {
    const why = String(error?.message ?? error)
      .split("\n")[0]
      .slice(-200);
    throw new InputError(`The model cannot be run (${why}); use a model of this version.`);
  });
  const [expected, got] = [graph.pairBone.length, weights?.data.length ?? 0];
  if (!(weights?.data instanceof Float32Array) || got !== expected) {
    throw new InputError(
      `The model returns ${got} weights, expected ${expected}; use a model of this version.`,
    );
  }
  return weightsFromSlots(candidates(graph, input.distances), weights.data, graph.K);
}

/**
 * Bone of each pair; -1 in an empty slot, and for bones out of reach if the vertex has a nearer bone. No
 * training character has a bone with weight beyond two body sizes, so a prediction for one is a guess.
 */
function candidates({ pairBone, pairValid, K }: SkinGraph, { k, distances }: BoneDistances) {
  return pairBone.map((bone, pair) => {
    const slot = pair % K;
    const distance = distances[((pair - slot) / K) * k + slot];
    const outOfReach = slot > 0 && distance > FARTHEST_BONE;
    return pairValid[pair] === 0 || outOfReach ? -1 : bone;
  });
}

/** Open models by their bytes, so that a batch of characters opens its model once. */
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

/** Frees a model's sessions, whose memory is not garbage-collected. */
export async function closeSkinModel(bytes: Uint8Array): Promise<void> {
  const models = opened.get(bytes)?.values() ?? [];
  opened.delete(bytes);
  for (const model of models) await (await model).session.dispose();
}

/** The method of every network: measures the character as in training, and runs the model. */
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
  const model = await sharedModel(options.model, {
    ...(provider && { provider }),
    ...(threads && { threads }),
    ...(wasmFolder && { wasmFolder }),
  });
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
    const given = mixNeighbors(found, part, model.exemplars, model.trust);
    onProgress?.("network", 1);
    // Paths inside the body do not reach loose parts; other methods on this distance do the same.
    return measure.distance === "volumetric" ? fillEmpty(given, part).weights : given;
  });
  return { weights, measured };
}
