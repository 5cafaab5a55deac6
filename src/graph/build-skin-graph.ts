import type { Lists } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Components, connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { positionRank } from "../skeleton/bones.ts";
import { childrenOf, type Skeleton } from "../skeleton/skeleton.ts";
import { BEND_FEATURES, bendFeatures } from "./bend-features.ts";
import { BODY_FEATURES, bodyFeatures } from "./body-features.ts";
import { BONE_FEATURES, boneFeatures, RADIUS_FEATURES, radiusFeatures } from "./bone-features.ts";
import { firstLook } from "./first-look.ts";
import { jointRadii } from "./joint-radii.ts";
import { PAIR_FEATURES, pairFeatures } from "./pair-features.ts";
import { paperBoneFeatures, paperVertexFeatures, rignetVertexFeatures } from "./paper-features.ts";
import { buildSegments } from "./segments.ts";
import {
  BONE_NEIGHBORS,
  type FeatureSet,
  type GraphConfig,
  type GraphInput,
  type SkinGraph,
} from "./skin-graph.ts";
import { VERTEX_FEATURES, vertexFeatures } from "./vertex-features.ts";

/** Columns of a graph's three feature tables. */
export interface FeatureWidths {
  vertex: number;
  bone: number;
  /** 0 if the feature set has no pair features. */
  pair: number;
}

/** Returns the widths of the feature tables of a configuration. */
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
 * @throws if distances or geodesic neighbors have fewer slots than `config` requires
 */
export function buildSkinGraph(measured: GraphInput, config: GraphConfig): SkinGraph {
  const V = measured.mesh.positions.length / 3;
  const B = measured.skeleton.parents.length;
  const input = withCandidates(measured, V, config.look?.from ?? config.k);
  const neighbors = vertexNeighbors(input.mesh.triangles, V);
  const parts = connectedComponents(neighbors);
  const ring = ringLists(
    neighbors,
    input.mesh.positions,
    config.ring,
    config.features === "neuroskinning" ? "self" : "repeat",
  );
  const { pairs, pairSlot, ...tables } = features(input, config, neighbors, parts);
  return withRepeatedPairs({
    V,
    B,
    K: config.k,
    ...tables,
    ...(pairSlot && { pairSlot }),
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

/** Fills empty slots with a copy of the vertex's first pair, so that a maximum over slots needs no mask. */
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

/** The feature tables, the bone of each pair (-1 in an empty slot), and its slot after a first look. */
function features(input: GraphInput, config: GraphConfig, neighbors: Lists, parts: Components) {
  const set: FeatureSet = config.features;
  if (set === "extended") {
    return {
      vertexFeatures: vertexFeatures(input, neighbors, parts),
      boneFeatures: boneFeatures(input),
      ...chosenPairs(input, config),
    };
  }
  if (set === "bend") {
    const radii = jointRadii(input);
    const B = radii.length;
    const V = input.mesh.positions.length / 3;
    const chosen = chosenPairs(input, config);
    const distances = { ...input.distances, k: config.k, bones: chosen.pairs };
    // New columns stand last, so that a network without them can be taken further with them.
    return {
      ...chosen,
      vertexFeatures: beside(
        vertexFeatures(input, neighbors, parts),
        bodyFeatures(input, neighbors),
        V,
      ),
      boneFeatures: beside(boneFeatures(input), radiusFeatures(input, radii), B),
      pairFeatures: beside(
        chosen.pairFeatures,
        bendFeatures({ ...input, distances }, radii, config.k),
        V * config.k,
      ),
    };
  }
  return {
    vertexFeatures:
      set === "paper"
        ? paperVertexFeatures(input, config.k)
        : rignetVertexFeatures(input, config.k),
    boneFeatures: paperBoneFeatures(input),
    pairs: input.distances.bones,
    pairFeatures: new Float32Array(0),
  };
}

/** The pairs that a first look leaves, or all of them, with their features. */
function chosenPairs(
  input: GraphInput,
  { look, k }: GraphConfig,
): { pairs: Int32Array; pairSlot?: Int32Array; pairFeatures: Float32Array } {
  const { distances } = input;
  const all = pairFeatures(input, distances.k);
  if (!look) return { pairs: distances.bones, pairFeatures: all };
  const { slots, features } = firstLook(all, distances, look, k);
  return { pairs: bonesIn(slots, distances, k), pairSlot: slots, pairFeatures: features };
}

/** Keeps the first `k` candidates, so that features do not depend on how many were measured. */
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

/** Returns the first `width` columns of a table with V rows. */
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

/**
 * Returns the bones that share a joint with each bone: its parent, then its children.
 *
 * Rows are padded with their own entries, or with the bone itself. Of more children than slots the farthest
 * are kept: a choice by position, so that the numbering of joints does not matter.
 *
 * @returns B×{@link BONE_NEIGHBORS}
 */
export function boneRing(skeleton: Skeleton): Int32Array {
  const children = childrenOf(skeleton);
  const out = new Int32Array(skeleton.parents.length * BONE_NEIGHBORS);
  skeleton.parents.forEach((parent, bone) => {
    const above = parent < 0 ? [] : [parent];
    const near = [
      ...above,
      ...farthest(children[bone], bone, skeleton, BONE_NEIGHBORS - above.length),
    ];
    for (let slot = 0; slot < BONE_NEIGHBORS; slot++) {
      out[bone * BONE_NEIGHBORS + slot] = near.length === 0 ? bone : near[slot % near.length];
    }
  });
  return out;
}

/** Distances are quantized to this, so that rounding does not choose among strands of equal length. */
const STEP = 1e-3;

function farthest(list: number[], bone: number, skeleton: Skeleton, count: number): number[] {
  if (list.length <= count) return list;
  const { positions } = skeleton;
  const rank = positionRank(skeleton);
  const distance = (child: number): number => Math.round(distanceOf(positions, child, bone) / STEP);
  return [...list].sort((a, b) => distance(b) - distance(a) || rank[a] - rank[b]).slice(0, count);
}

/**
 * Returns the one-ring of each vertex in a fixed number of slots.
 *
 * The nearest neighbor stands first, then the one farthest from those before it: an order by position, so that
 * neither what a long row keeps nor the first slots of a short one depend on the numbering of vertices. Short
 * rows repeat their entries, which does not change a maximum. A vertex
 * without neighbors has itself.
 *
 * @param positions V×3
 * @param fill padding of short rows: their own entries, or the vertex itself (for averages, which must not
 *   depend on which entry is repeated)
 * @returns V×width
 */
export function ringLists(
  neighbors: Lists,
  positions: Float32Array,
  width: number,
  fill: "repeat" | "self" = "repeat",
): Int32Array {
  const V = neighbors.starts.length - 1;
  const out = new Int32Array(V * width);
  for (let v = 0; v < V; v++) {
    const row = neighbors.items.subarray(neighbors.starts[v], neighbors.starts[v + 1]);
    const kept = farApart(row, v, positions, Math.min(width, row.length));
    for (let slot = 0; slot < width; slot++) {
      const own = kept.length === 0 || (fill === "self" && slot >= kept.length);
      out[v * width + slot] = own ? v : kept[slot % kept.length];
    }
  }
  return out;
}

/** Gaps with a smaller relative difference are equal, so that rounding does not choose. */
const GAP_TIE = 1e-4;

/** The entry nearest to the vertex, then repeatedly the one farthest from those chosen. */
function farApart(row: Int32Array, v: number, positions: Float32Array, count: number): Int32Array {
  const squared = (a: number, b: number): number =>
    (positions[a * 3] - positions[b * 3]) ** 2 +
    (positions[a * 3 + 1] - positions[b * 3 + 1]) ** 2 +
    (positions[a * 3 + 2] - positions[b * 3 + 2]) ** 2;
  // Negative distances to the vertex: the highest is the nearest.
  const gaps = Float64Array.from(row, (entry) => -squared(entry, v));
  const chosen = new Int32Array(count);
  for (let slot = 0; slot < count; slot++) {
    let best = 0;
    for (let i = 1; i < row.length; i++) {
      if (gaps[i] - gaps[best] > GAP_TIE * Math.abs(gaps[i])) best = i;
    }
    chosen[slot] = row[best];
    for (let i = 0; i < row.length; i++) {
      const gap = squared(row[i], row[best]);
      gaps[i] = slot === 0 ? gap : Math.min(gaps[i], gap);
    }
    gaps[best] = Number.NEGATIVE_INFINITY;
  }
  return chosen;
}
