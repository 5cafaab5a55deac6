import type { Lists } from "../math/lists.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { type Components, connectedComponents } from "../mesh/components.ts";
import { BEND_FEATURES, bendFeatures } from "./bend-features.ts";
import { BODY_FEATURES, bodyFeatures } from "./body-features.ts";
import { BONE_FEATURES, boneFeatures, RADIUS_FEATURES, radiusFeatures } from "./bone-features.ts";
import { boneRing } from "./bone-ring.ts";
import { firstLook } from "./first-look.ts";
import { jointRadii } from "./joint-radii.ts";
import { PAIR_FEATURES, pairFeatures } from "./pair-features.ts";
import { paperBoneFeatures, paperVertexFeatures, rignetVertexFeatures } from "./paper-features.ts";
import { ringLists } from "./ring-lists.ts";
import { buildSegments } from "./segments.ts";
import type { FeatureSet, GraphConfig, GraphInput, SkinGraph } from "./skin-graph.ts";
import { VERTEX_FEATURES, vertexFeatures } from "./vertex-features.ts";

/** Columns of a graph's three feature tables. */
export interface FeatureWidths {
  vertex: number;
  bone: number;
  /** 0 where the feature set describes no pairs. */
  pair: number;
}

/** How wide the feature tables of a configuration are. */
export function featureWidths(config: GraphConfig): FeatureWidths {
  switch (config.features) {
    case "extended":
      return {
        vertex: VERTEX_FEATURES.length,
        bone: BONE_FEATURES.length,
        pair: PAIR_FEATURES.length,
      };
    case "bend":
      return {
        vertex: VERTEX_FEATURES.length + BODY_FEATURES.length,
        bone: BONE_FEATURES.length + RADIUS_FEATURES.length,
        pair: PAIR_FEATURES.length + BEND_FEATURES.length,
      };
    case "paper":
      return { vertex: 3 + config.k, bone: 6, pair: 0 };
    case "rignet":
    case "neuroskinning":
      return { vertex: 3 + 8 * config.k, bone: 6, pair: 0 };
  }
}

/**
 * Builds the heterogeneous graph of one character (section 3.2 of the paper).
 *
 * @throws when distances or geodesic neighbours have fewer slots than `config` asks for
 */
export function buildSkinGraph(measured: GraphInput, config: GraphConfig): SkinGraph {
  const V = measured.mesh.positions.length / 3;
  const B = measured.skeleton.parents.length;
  const input = withCandidates(measured, V, config.look?.from ?? config.k);
  const neighbours = vertexNeighbours(input.mesh.triangles, V);
  const parts = connectedComponents(neighbours);
  const ring = ringLists(
    neighbours,
    input.mesh.positions,
    config.ring,
    config.features === "neuroskinning" ? "self" : "repeat",
  );
  const tables = features(input, config, neighbours, parts);
  const chosen = config.look
    ? firstLook(tables.pairFeatures, input.distances, config.look, config.k)
    : undefined;
  const pairs = chosen ? bonesIn(chosen.slots, input.distances, config.k) : input.distances.bones;
  return withRepeatedPairs({
    V,
    B,
    K: config.k,
    ...tables,
    ...(chosen && { pairFeatures: chosen.features, pairSlot: chosen.slots }),
    pairBone: pairs.map((bone) => Math.max(0, bone)),
    pairValid: Float32Array.from(pairs, (bone) => (bone < 0 ? 0 : 1)),
    ring,
    ball: takeColumns(input.ball, V, config.ball),
    boneRing: boneRing(input.skeleton),
    bonePairs: buildSegments(pairs, B),
    partVertices: buildSegments(parts.component, parts.count),
    characterParts: buildSegments(new Int32Array(parts.count), 1),
    characterBones: buildSegments(new Int32Array(B), 1),
  });
}

/** The bones of chosen slots; -1 in an empty one. */
function bonesIn(slots: Int32Array, { k, bones }: GraphInput["distances"], kept: number) {
  return slots.map((slot, at) => (slot < 0 ? -1 : bones[Math.floor(at / kept) * k + slot]));
}

/** The graph with each empty slot a copy of its vertex's first pair, so that a maximum over the slots needs no mask. */
function withRepeatedPairs(graph: SkinGraph): SkinGraph {
  const { V, K, pairValid, pairFeatures: table, bonePairs } = graph;
  const width = table.length / (V * K);
  for (let pair = 0; pair < V * K; pair++) {
    if (pairValid[pair] > 0) continue;
    const first = pair - (pair % K);
    table.copyWithin(pair * width, first * width, (first + 1) * width);
    bonePairs.rowChunk[pair] = bonePairs.rowChunk[first];
  }
  return graph;
}

type FeatureTables = Pick<SkinGraph, "vertexFeatures" | "boneFeatures" | "pairFeatures">;

function features(
  input: GraphInput,
  config: GraphConfig,
  neighbours: Lists,
  parts: Components,
): FeatureTables {
  const set: FeatureSet = config.features;
  if (set === "extended") {
    return {
      vertexFeatures: vertexFeatures(input, neighbours, parts),
      boneFeatures: boneFeatures(input),
      pairFeatures: pairFeatures(input, input.distances.k),
    };
  }
  if (set === "bend") {
    const radii = jointRadii(input);
    const B = radii.length;
    const V = input.mesh.positions.length / 3;
    // New columns stand last, so that a network without them can be taken further with them.
    return {
      vertexFeatures: beside(
        vertexFeatures(input, neighbours, parts),
        bodyFeatures(input, neighbours),
        V,
      ),
      boneFeatures: beside(boneFeatures(input), radiusFeatures(input, radii), B),
      pairFeatures: beside(
        pairFeatures(input, input.distances.k),
        bendFeatures(input, radii, input.distances.k),
        V * input.distances.k,
      ),
    };
  }
  return {
    vertexFeatures:
      set === "paper"
        ? paperVertexFeatures(input, config.k)
        : rignetVertexFeatures(input, config.k),
    boneFeatures: paperBoneFeatures(input),
    pairFeatures: new Float32Array(0),
  };
}

/** The input with its first `k` candidates alone, so that features do not hang on how many were measured. */
function withCandidates(input: GraphInput, V: number, k: number): GraphInput {
  const { bones, distances } = input.distances;
  return {
    ...input,
    distances: { k, bones: takeColumns(bones, V, k), distances: takeColumns(distances, V, k) },
    prior: takeColumns(input.prior, V, k),
  };
}

/** Two tables of as many rows as one, the columns of the second after those of the first. */
function beside(a: Float32Array, b: Float32Array, rows: number): Float32Array {
  const [left, right] = [a.length / rows, b.length / rows];
  const out = new Float32Array(a.length + b.length);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let i = row * left; i < (row + 1) * left; i++) out[at++] = a[i];
    for (let i = row * right; i < (row + 1) * right; i++) out[at++] = b[i];
  }
  return out;
}

/** The first `width` columns of a table of V rows. */
function takeColumns<T extends Int32Array | Float32Array>(table: T, V: number, width: number): T {
  const stride = table.length / V;
  if (stride === width) return table;
  if (stride < width) {
    throw new RangeError(`buildSkinGraph: needs ${width} slots per vertex, got ${stride}.`);
  }
  const out = new (table.constructor as new (length: number) => T)(V * width);
  for (let v = 0; v < V; v++) {
    out.set(table.subarray(v * stride, v * stride + width), v * width);
  }
  return out;
}
