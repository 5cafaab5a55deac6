import { numpy as np } from "@jax-js/jax";
import { createRandom, normal } from "../math/random.ts";
import { reshape, slice, type Tensor } from "./ops.ts";

/** Initialization of a parameter: Kaiming normal for a fan-in, or a constant. */
export type Initializer = { kaiming: number; gain?: number } | { constant: number };

/** One learnable array; all of them are concatenated in one flat vector. */
export interface ParameterSpec {
  name: string;
  shape: number[];
  init: Initializer;
  offset: number;
  size: number;
}

/** Provides a network's parameters by name while it is traced. */
export interface Scope {
  parameter(name: string, shape: number[], init: Initializer): Tensor;
}

/** Creates a scope that records the parameters of a network and returns zeros. */
export function recordingScope(specs: ParameterSpec[]): Scope {
  const seen = new Set<string>();
  return {
    parameter(name, shape, init) {
      if (seen.has(name)) throw new Error(`parameter: "${name}" is requested twice.`);
      seen.add(name);
      const last = specs[specs.length - 1];
      const size = shape.reduce((product, side) => product * side, 1);
      specs.push({ name, shape, init, size, offset: last ? last.offset + last.size : 0 });
      return np.zeros(shape);
    },
  };
}

/** Creates a scope over named arrays. */
export function namedScope(arrays: Record<string, Tensor>): Scope {
  return {
    parameter(name) {
      const array = arrays[name];
      if (!array) throw new Error(`parameter: there is no parameter "${name}".`);
      return array.ref;
    },
  };
}

/** Splits the flat vector into named arrays. */
export function splitFlat(flat: Tensor, specs: ParameterSpec[]): Record<string, Tensor> {
  return Object.fromEntries(
    specs.map((spec) => [
      spec.name,
      reshape(slice(flat, spec.offset, spec.offset + spec.size), spec.shape),
    ]),
  );
}

/** Returns the length of the flat vector. */
export function flatLength(specs: ParameterSpec[]): number {
  const last = specs[specs.length - 1];
  return last ? last.offset + last.size : 0;
}

/**
 * Returns the initial values of all parameters.
 *
 * Based on: He, Zhang, Ren, Sun. Delving Deep into Rectifiers. 2015 (for a leaky slope of 0.2).
 */
export function initialParameters(specs: ParameterSpec[], seed: number): Float32Array {
  const flat = new Float32Array(flatLength(specs));
  for (const { name, init, offset, size } of specs) {
    if ("constant" in init) {
      flat.fill(init.constant, offset, offset + size);
      continue;
    }
    // Each parameter has its own seed, so adding a layer does not change the others.
    const random = createRandom(`${seed}:${name}`);
    const deviation = (init.gain ?? 1) * Math.sqrt(2 / (1.04 * init.kaiming));
    for (let i = offset; i < offset + size; i++) flat[i] = deviation * normal(random);
  }
  return flat;
}

/** Returns 1 for each entry of a matrix, 0 for biases and gains, which have no weight decay. */
export function decayMask(specs: ParameterSpec[]): Float32Array {
  const mask = new Float32Array(flatLength(specs));
  for (const { shape, offset, size } of specs) {
    if (shape.length > 1) mask.fill(1, offset, offset + size);
  }
  return mask;
}
