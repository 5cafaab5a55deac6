import {
  type BufferAttribute,
  type BufferGeometry,
  Float32BufferAttribute,
  Uint16BufferAttribute,
} from "three";
import type { SkinWeights } from "../../../src/index.ts";

/** Joints per vertex in the shader. */
const MOST = 8;

/** Adds the attributes for skinning to a geometry, all zero: no joint moves it. */
export function addWeightAttributes(geometry: BufferGeometry, vertices: number): void {
  for (const part of ["A", "B"]) {
    geometry.setAttribute(
      `joints${part}`,
      new Uint16BufferAttribute(new Uint16Array(vertices * 4), 4),
    );
    geometry.setAttribute(
      `weights${part}`,
      new Float32BufferAttribute(new Float32Array(vertices * 4), 4),
    );
  }
}

/**
 * Fills those attributes from weights of welded vertices. Rows are sorted; of more than eight joints the shader
 * uses the heaviest, with no visible difference.
 *
 * @param welded V, the row of each vertex
 */
export function setWeightAttributes(
  geometry: BufferGeometry,
  { influences, joints, weights }: SkinWeights,
  welded: Int32Array,
): void {
  const parts = ["A", "B"].map((part) => ({
    joints: geometry.getAttribute(`joints${part}`) as BufferAttribute,
    weights: geometry.getAttribute(`weights${part}`) as BufferAttribute,
  }));
  const used = Math.min(MOST, influences);
  for (let v = 0; v < welded.length; v++) {
    const row = welded[v] * influences;
    for (let slot = 0; slot < used; slot++) {
      const part = parts[slot >> 2];
      const at = v * 4 + (slot & 3);
      part.joints.array[at] = joints[row + slot];
      part.weights.array[at] = weights[row + slot];
    }
    for (let slot = used; slot < MOST; slot++)
      parts[slot >> 2].weights.array[v * 4 + (slot & 3)] = 0;
  }
  for (const part of parts) part.joints.needsUpdate = part.weights.needsUpdate = true;
}
