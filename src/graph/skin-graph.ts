import type { BoneDistances } from "../distance/bone-distances.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { FirstLook } from "./first-look.ts";
import type { Segments } from "./segments.ts";

/** Measurements of a character from which its graph is built. */
export interface GraphInput {
  /** Welded, longest side 1 (see PreparedCharacter). */
  mesh: Mesh;
  skeleton: Skeleton;
  /** With tails if the preset requires them. */
  bones: Bones;
  /** S, fraction of each segment of the bones inside the body. */
  inside: Float32Array;
  /** Candidate bones of each vertex by the preset's distance, at least `k` slots. */
  distances: BoneDistances;
  /** V×3 unit normals that point out of the body. */
  normals: Float32Array;
  /** V, how thick the body is below each vertex. */
  thickness: Float32Array;
  /** V×N vertices within the geodesic radius, padded with existing ones. */
  ball: Int32Array;
  /** V×(distances.k) heat weights of the candidate bones; all 0 if not configured. */
  prior: Float32Array;
}

/** The features of a network. */
export type FeatureSet = "paper" | "extended" | "bend" | "rignet" | "neuroskinning";

/** Settings of a graph; stored in the model's metadata. */
export interface GraphConfig {
  k: number;
  features: FeatureSet;
  ring: number;
  ball: number;
  /** Chooses the `k` candidates among more of them; the nearest are taken without it. */
  look?: FirstLook;
  /** Slots of the one-ring along which the pairs of one bone are compared; default none. */
  pairRing?: number;
}

/**
 * A character, or several joined, as the network sees it: two kinds of nodes (vertices and bones), edges
 * within each kind, and V·K pairs (a vertex and one of its candidate bones) between them.
 */
export interface SkinGraph {
  V: number;
  B: number;
  K: number;
  /** V×Fv. */
  vertexFeatures: Float32Array;
  /** B×Fb. */
  boneFeatures: Float32Array;
  /** (V·K)×Fp; empty if the feature set has none. */
  pairFeatures: Float32Array;
  /** V×K bone of each pair; 0 in an empty slot. */
  pairBone: Int32Array;
  /** V×K, 1 for a pair, 0 for an empty slot. */
  pairValid: Float32Array;
  /** V×K measured candidate of each pair, -1 in an empty slot; absent where they are the nearest K in their order. */
  pairSlot?: Int32Array;
  /** V×ring one-ring neighbors, padded with existing ones. */
  ring: Int32Array;
  /** V×ball geodesic neighbors, padded with existing ones. */
  ball: Int32Array;
  /** B×BONE_NEIGHBORS connected bones, padded with existing ones. */
  boneRing: Int32Array;
  bonePairs: Segments;
  partVertices: Segments;
  characterParts: Segments;
  characterBones: Segments;
}

/** Slots for the neighbors of a bone: its parent and seven children. */
export const BONE_NEIGHBORS = 8;
