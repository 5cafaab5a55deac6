import { InputError } from "../input-error.ts";
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
