import { InputError } from "../input-error.ts";
import { mean } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** Name of the metadata entry with a model's {@link Exemplar}s. */
export const EXEMPLARS_ENTRY = "exemplars";

/** Name of the metadata entry with a `NeighborTrust`; optional. */
export const TRUST_ENTRY = "exemplar-trust";

/** Some vertices of a rigged character, prepared (longest side 1), for lookup. */
export interface Exemplar {
  skeleton: Skeleton;
  /** V×3. */
  positions: Float32Array;
  weights: SkinWeights;
}

/** An exemplar as JSON, arrays in base64. */
interface StoredExemplar {
  names: string[];
  parents: string;
  joints: string;
  /** V×3, 16 bits of a range from -2 to 2. */
  positions: string;
  influences: number;
  weightJoints: string;
  /** V×influences, 16 bits of 1. */
  weights: string;
}

const LARGEST = 65535;
/** Prepared characters are within one side of the origin; held items may exceed it. */
const RANGE = 2;

/** Encodes exemplars as text, about 30 bytes per vertex. */
export function encodeExemplars(exemplars: Exemplar[]): string {
  const stored = exemplars.map(({ skeleton, positions, weights }): StoredExemplar => {
    const code = (value: number) => Math.round(((value + RANGE) / (2 * RANGE)) * LARGEST);
    const codes = (values: Float32Array, of: (value: number) => number) =>
      base64(Uint16Array.from(values, (value) => Math.min(LARGEST, Math.max(0, of(value)))));
    return {
      names: skeleton.names,
      parents: base64(Int32Array.from(skeleton.parents)),
      joints: base64(Float32Array.from(skeleton.positions)),
      positions: codes(positions, code),
      influences: weights.influences,
      weightJoints: base64(Uint16Array.from(weights.joints)),
      weights: codes(weights.weights, (value) => Math.round(value * LARGEST)),
    };
  });
  return JSON.stringify(stored);
}

/** Decodes the result of {@link encodeExemplars}; throws an `InputError` if it is damaged. */
export function decodeExemplars(text = "[]"): Exemplar[] {
  try {
    return (JSON.parse(text) as StoredExemplar[]).map(decodeExemplar);
  } catch {
    throw new InputError("The examples stored in the model are damaged; adapt it again.");
  }
}

function decodeExemplar(stored: StoredExemplar): Exemplar {
  return {
    skeleton: {
      names: stored.names,
      parents: new Int32Array(bytesOf(stored.parents)),
      positions: new Float32Array(bytesOf(stored.joints)),
    },
    positions: Float32Array.from(
      new Uint16Array(bytesOf(stored.positions)),
      (code) => (code / LARGEST) * 2 * RANGE - RANGE,
    ),
    weights: {
      influences: stored.influences,
      joints: new Uint16Array(bytesOf(stored.weightJoints)),
      weights: Float32Array.from(
        new Uint16Array(bytesOf(stored.weights)),
        (code) => code / LARGEST,
      ),
    },
  };
}

function base64({ buffer }: { buffer: ArrayBufferLike }): string {
  let binary = "";
  for (const byte of new Uint8Array(buffer)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function bytesOf(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0)).buffer;
}

/** Fraction of the joints that must match by name: one head does not locate a vertex on a body. */
const NAMED = 0.5;
/** Bodies are of one kind up to this difference of their joint distances (two dinosaurs) ... */
const SAME_KIND = 0.3;
/** ... and unrelated from this on, even with the same joint names (a rat and a spider from one tool). */
const OTHER_KIND = 0.5;
/** Maximum joints compared by position. */
const COMPARED = 60;

/** Returns the similarity of two skeletons by names and positions of joints: 0 unrelated, 1 the same kind. */
export function kinship(skeleton: Skeleton, other: Skeleton): number {
  const indexOf = new Map(other.names.map((name, joint) => [name, joint]));
  const pairs = skeleton.names.flatMap((name, joint): [number, number][] =>
    indexOf.has(name) ? [[joint, indexOf.get(name)!]] : [],
  );
  const named = pairs.length / Math.max(1, skeleton.names.length);
  const kind = (OTHER_KIND - bodyDifference(skeleton, other, pairs)) / (OTHER_KIND - SAME_KIND);
  return Math.min(1, named / NAMED) * Math.min(1, Math.max(0, kind));
}

/**
 * Mean difference of the distances between joints, relative to their mean: independent of rotation and scale.
 * Two humans differ by 0.05, two dinosaurs by 0.3, a whale and a tree by 0.7.
 *
 * @param pairs corresponding joints of both
 */
function bodyDifference(one: Skeleton, other: Skeleton, pairs: [number, number][]): number {
  const [a, b] = [one, other].map((skeleton, side) =>
    jointDistances(
      skeleton,
      pairs.map((pair) => pair[side]),
    ),
  );
  const [meanA, meanB] = [mean(a), mean(b)];
  if (!(meanA > 0 && meanB > 0)) return 0;
  return mean(a.map((length, i) => Math.abs(length / meanA - b[i] / meanB)));
}

/** Returns the pairwise distances of joints; of a sample if there are many. */
export function jointDistances({ positions }: Skeleton, joints: number[]): number[] {
  const stride = Math.ceil(joints.length / COMPARED);
  const compared = joints.filter((_, i) => i % stride === 0);
  return compared.flatMap((joint, i) =>
    compared.slice(0, i).map((before) => distanceOf(positions, joint, before)),
  );
}
