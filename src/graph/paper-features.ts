import { childrenOf } from "../skeleton/skeleton.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Scales 1/D to about 1 at this distance. */
const SCALE = 0.05;
/** Limits SCALE / D to 5 for a vertex that touches the bone. */
const FLOOR = 0.01;

/** Returns the paper's inverse distance, scaled; 0 in an empty slot. */
export function inverseDistance(distance: number): number {
  return Number.isFinite(distance) ? SCALE / (distance + FLOOR) : 0;
}

/** Returns the paper's vertex features: position, and inverse distances of the K nearest bones; V×(3+K). */
export function paperVertexFeatures(input: GraphInput, k: number): Float32Array {
  const { mesh, distances } = input;
  const V = mesh.positions.length / 3;
  const width = 3 + k;
  const out = new Float32Array(V * width);
  for (let v = 0; v < V; v++) {
    out.set(mesh.positions.subarray(v * 3, v * 3 + 3), v * width);
    for (let slot = 0; slot < k; slot++) {
      out[v * width + 3 + slot] = inverseDistance(distances.distances[v * distances.k + slot]);
    }
  }
  return out;
}

/** Returns the paper's bone features: start and end; B×6. */
export function paperBoneFeatures(input: GraphInput): Float32Array {
  const { heads, ends } = input.bones;
  const B = heads.length / 3;
  const out = new Float32Array(B * 6);
  for (let b = 0; b < B; b++) {
    out.set(heads.subarray(b * 3, b * 3 + 3), b * 6);
    out.set(ends.subarray(b * 3, b * 3 + 3), b * 6 + 3);
  }
  return out;
}

/**
 * Returns RigNet's vertex features: position, then for each of the K nearest bones its start and end, the
 * inverse distance and whether it is a leaf; V×(3 + 8K).
 *
 * Based on: Xu et al. RigNet: Neural Rigging for Articulated Characters. 2020.
 */
export function rignetVertexFeatures(input: GraphInput, k: number): Float32Array {
  const { mesh, distances, bones, skeleton } = input;
  const children = childrenOf(skeleton);
  const V = mesh.positions.length / 3;
  const width = 3 + 8 * k;
  const out = new Float32Array(V * width);
  for (let v = 0; v < V; v++) {
    out.set(mesh.positions.subarray(v * 3, v * 3 + 3), v * width);
    for (let slot = 0; slot < k; slot++) {
      const bone = distances.bones[v * distances.k + slot];
      if (bone < 0) continue;
      const o = v * width + 3 + slot * 8;
      out.set(bones.heads.subarray(bone * 3, bone * 3 + 3), o);
      out.set(bones.ends.subarray(bone * 3, bone * 3 + 3), o + 3);
      out[o + 6] = inverseDistance(distances.distances[v * distances.k + slot]);
      out[o + 7] = children[bone].length === 0 ? 1 : 0;
    }
  }
  return out;
}
