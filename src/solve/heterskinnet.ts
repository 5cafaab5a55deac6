import type { BoneDistances } from "../distance/bone-distances.ts";
import { MEASURED_BONES } from "../distance/nearest-k.ts";
import { buildSkinGraph } from "../graph/build-skin-graph.ts";
import { graphFeeds } from "../graph/graph-feeds.ts";
import { graphInputOf } from "../graph/graph-input.ts";
import { CONFIG_ENTRY, type ModelConfig, readModelConfig } from "../graph/model-config.ts";
import type { GraphInput, SkinGraph } from "../graph/skin-graph.ts";
import { InputError } from "../input-error.ts";
import { hostTensor } from "../onnx/host-tensor.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import { createSession, type Session, type SessionOptions } from "../onnx/session.ts";
import { fillEmpty } from "../weights/fill-empty.ts";
import type { PreparedCharacter } from "../weights/prepared-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import { decodeExemplars, EXEMPLARS_ENTRY, type Exemplar, TRUST_ENTRY } from "./exemplars.ts";
import { mixNeighbours, type NeighbourTrust, USUAL_TRUST } from "./neighbour-weights.ts";
import { FARTHEST_BONE } from "./out-of-reach.ts";
import { resolutionFor, solveOnProxy } from "./proxy.ts";
import { measureFor, type SolvedWeights, type SolveOptions } from "./solver.ts";

/** A model ready to run, with the configuration it was trained under. */
export interface SkinModel {
  config: ModelConfig;
  /** Characters it has learned from, where it carries some. */
  exemplars: Exemplar[];
  trust: NeighbourTrust;
  session: Session;
}

/** Opens a model; its constants come from its own metadata. */
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
    throw new InputError(
      'The model has no output "weights"; pass a model that HeterSkin has written.',
    );
  }
  return { config, exemplars, trust, session };
}

function readTrust(text: string | undefined): NeighbourTrust {
  if (text === undefined) return USUAL_TRUST;
  try {
    const { most, within } = JSON.parse(text);
    if (most >= 0 && most <= 1 && within > 0) return { most, within };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new InputError(
    "The model does not say how far its examples are to be trusted; adapt it again.",
  );
}

/** The network's weights for a measured character: one slot a candidate bone. */
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
      `The model asks for an input "${unknown}", which there is none of; pass a model of this version.`,
    );
  }
  const used = Object.fromEntries(model.session.inputNames.map((name) => [name, feeds[name]]));
  const { weights } = await model.session.run(used).catch((error) => {
    const why = String(error?.message ?? error)
      .split("\n")[0]
      .slice(-200);
    throw new InputError(`The model cannot be run (${why}); pass a model of this version.`);
  });
  if (!(weights?.data instanceof Float32Array) || weights.data.length !== graph.pairBone.length) {
    throw new InputError(
      `The model gives ${weights?.data.length ?? 0} weights where ${graph.pairBone.length} are needed; pass a model of this version.`,
    );
  }
  return weightsFromSlots(candidates(graph, input.distances), weights.data, graph.K);
}

/**
 * Bone of each pair, -1 in an empty slot and where a vertex has a nearer bone than one out of reach.
 *
 * Among the training characters no artist weighs a bone from beyond two body sizes, so what a network
 * says of one is a guess.
 */
function candidates(
  { pairBone, pairValid, pairSlot, K }: SkinGraph,
  { k, distances }: BoneDistances,
): Int32Array {
  return pairBone.map((bone, pair) => {
    const slot = pairSlot ? Math.max(0, pairSlot[pair]) : pair % K;
    const distance = distances[Math.floor(pair / K) * k + slot];
    const outOfReach = slot > 0 && distance > FARTHEST_BONE;
    return pairValid[pair] === 0 || outOfReach ? -1 : bone;
  });
}

/** Opened models by their bytes, so that a batch of characters opens its model once. */
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

/** Lets go of a model that will not be used again; the memory of its sessions is not the collector's. */
export async function closeSkinModel(bytes: Uint8Array): Promise<void> {
  const models = opened.get(bytes)?.values() ?? [];
  opened.delete(bytes);
  for (const model of models) await (await model).session.dispose();
}

/** The method `heterskinnet`: measures the character as its model was trained, and asks the network. */
export async function heterskinnet(
  prepared: PreparedCharacter,
  options: SolveOptions,
): Promise<SolvedWeights> {
  if (!options.model) {
    throw new InputError(
      "This method needs a trained model; pass the bytes of an .onnx file as options.model.",
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
    const given = mixNeighbours(found, part, model.exemplars, model.trust);
    onProgress?.("network", 1);
    // Paths inside the body reach no loose part; there the other methods on this distance do the same.
    return measure.distance === "volumetric" ? fillEmpty(given, part).weights : given;
  });
  return { weights, measured };
}
