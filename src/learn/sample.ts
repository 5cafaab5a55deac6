import type { GraphInput } from "../graph/skin-graph.ts";
import { boundsOf } from "../math/aabb.ts";
import { fromHalf, toHalf } from "../math/half-float.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { type ContainerArray, decodeContainer, encodeContainer } from "./container.ts";

/** A character in one pose as training data. */
export interface Sample {
  /** Network input. */
  input: GraphInput;
  /**
   * V×K, the artist's weight of each candidate bone; a row sums to less than 1 if other bones have
   * weight.
   */
  labels: Float32Array;
  /**
   * V, the number of vertices of the full mesh that each vertex represents; all 1 if it was not
   * simplified.
   */
  counts: Uint16Array;
}

interface SampleMeta {
  k: number;
  /** Lowest corner, then side lengths. */
  box: number[];
  names: string[];
}

/** Limited by the 16-bit masks of the labels. */
const MAX_SLOTS = 16;

/**
 * Encodes a sample, about 140 bytes per vertex.
 *
 * Exact: triangles, candidate bones, neighbors, skeleton, bones, counts. Rounded: positions to
 * 1/131070 of the box's side, distances and thicknesses to a relative 2^-11, normals to 0.004 per component, priors
 * and labels to 1/131070, inside fractions to 1/510.
 */
export function encodeSample({ input, labels, counts }: Sample): Uint8Array {
  const { mesh, skeleton, bones, inside, distances, ball, prior, normals, thickness } = input;
  const V = vertexCount(mesh);
  const B = jointCount(skeleton);
  if (distances.k > MAX_SLOTS) {
    throw new Error(`encodeSample: K must be at most ${MAX_SLOTS}, got ${distances.k}.`);
  }
  const { min, max } = boundsOf(mesh.positions);
  const box = [...min, ...max.map((value, axis) => value - min[axis])];
  const arrays: Record<string, ContainerArray> = {
    positions: quantize(mesh.positions, box),
    triangles: narrow(mesh.triangles, V),
    parents: Int16Array.from(skeleton.parents),
    joints: skeleton.positions,
    segments: bones.segments,
    segmentStarts: bones.starts,
    ends: bones.ends,
    inside: Uint8Array.from(inside, (share) => Math.round(share * 255)),
    candidates: B < 256 ? Uint8Array.from(distances.bones) : Uint16Array.from(distances.bones),
    distances: toHalf(distances.distances),
    ball: narrow(ball, V),
    normals: Int8Array.from(normals, (value) => Math.round(value * 127)),
    thickness: toHalf(thickness),
    counts,
    ...encodeLabels(labels, distances.k),
    prior: Uint16Array.from(prior, (value) => Math.round(value * 65535)),
  };
  return encodeContainer("sample", { k: distances.k, box, names: skeleton.names }, arrays);
}

/** Decodes {@link encodeSample}. */
export function decodeSample(bytes: Uint8Array, where?: string): Sample {
  const { meta, arrays } = decodeContainer<SampleMeta>("sample", bytes, where);
  const joints = arrays.joints as Float32Array;
  const distances = fromHalf(arrays.distances as Uint16Array);
  const candidates = Int32Array.from(arrays.candidates);
  // In the narrow type -1 is the largest value, which is out of range.
  const B = joints.length / 3;
  for (let i = 0; i < candidates.length; i++) if (candidates[i] >= B) candidates[i] = -1;
  return {
    input: {
      mesh: {
        positions: restore(arrays.positions, meta.box),
        triangles: Uint32Array.from(arrays.triangles),
      },
      skeleton: { names: meta.names, parents: Int32Array.from(arrays.parents), positions: joints },
      bones: {
        segments: arrays.segments as Float32Array,
        starts: arrays.segmentStarts as Int32Array,
        heads: joints,
        ends: arrays.ends as Float32Array,
      },
      inside: Float32Array.from(arrays.inside as Uint8Array, (code) => code / 255),
      distances: { k: meta.k, bones: candidates, distances },
      ball: Int32Array.from(arrays.ball),
      normals: Float32Array.from(arrays.normals as Int8Array, (value) => value / 127),
      thickness: fromHalf(arrays.thickness as Uint16Array),
      prior: Float32Array.from(arrays.prior as Uint16Array, (code) => code / 65535),
    },
    labels: decodeLabels(arrays.labelMasks as Uint16Array, arrays.labels as Uint16Array, meta.k),
    counts: arrays.counts as Uint16Array,
  };
}

function quantize(positions: Float32Array, box: number[]): Uint16Array {
  return Uint16Array.from(positions, (value, i) => {
    const side = box[3 + (i % 3)];
    return side > 0 ? Math.round(((value - box[i % 3]) / side) * 65535) : 0;
  });
}

function restore(codes: ArrayLike<number>, box: number[]): Float32Array {
  return Float32Array.from(codes, (code, i) => box[i % 3] + (code / 65535) * box[3 + (i % 3)]);
}

function narrow(indices: Uint32Array | Int32Array, count: number): Uint16Array | Uint32Array {
  return count <= 65536 ? Uint16Array.from(indices) : Uint32Array.from(indices);
}

/** Returns a mask of the nonzero slots per vertex, and their weights. */
function encodeLabels(labels: Float32Array, k: number) {
  const labelMasks = new Uint16Array(labels.length / k);
  const codes: number[] = [];
  for (let i = 0; i < labels.length; i++) {
    const code = Math.round(labels[i] * 65535);
    if (code === 0) continue;
    labelMasks[Math.floor(i / k)] |= 1 << (i % k);
    codes.push(code);
  }
  return { labelMasks, labels: Uint16Array.from(codes) };
}

function decodeLabels(masks: Uint16Array, codes: Uint16Array, k: number): Float32Array {
  const out = new Float32Array(masks.length * k);
  let next = 0;
  for (let v = 0; v < masks.length; v++) {
    for (let slot = 0; slot < k; slot++) {
      if (masks[v] & (1 << slot)) out[v * k + slot] = codes[next++] / 65535;
    }
  }
  return out;
}
