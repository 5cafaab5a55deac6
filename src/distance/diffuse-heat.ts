import type { Lists } from "../math/arrays.ts";
import { BLOCK } from "../math/sparse-cholesky.ts";
import { createSymmetricSolver, type SymmetricSolver } from "../math/symmetric-solver.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { cotangentLaplacian } from "../mesh/cotangent-laplacian.ts";
import { type DissectionOrder, dissectionOrder } from "../mesh/dissection-order.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";

/** Which bones warm which vertices, on the candidate slots of a `BoneDistances`. */
export interface HeatSources {
  /** Slots per vertex. */
  k: number;
  /** V×K bone indices, -1 in an empty slot; no bone twice in a row. */
  bones: Int32Array;
  /** V×K, how the heat of a vertex comes from its bones; each row sums to 1. */
  shares: Float32Array;
  /** V, the strength of the source, 1 / length²; 0 where a vertex only takes from its neighbors. */
  strengths: Float64Array;
}

/**
 * Heat, relative to what the edges of a vertex conduct, that every vertex takes from its own bones:
 * a part without area, or whose sources were all 0, would have no temperature at all.
 */
const LEAST_HEAT = 1e-9;

/**
 * The share of each candidate bone in the temperature of each vertex, in equilibrium: bones heat the
 * vertices they are the sources of, and the surface conducts.
 *
 * Solves (M H + L) w = M H p for each bone, with the cotangent Laplacian L, the vertex areas M, the
 * strengths H and the shares p. Loose parts are solved apart from each other, each for the bones
 * that heat it; all others are exactly 0 there, and a part with one bone needs no solution.
 * A row sums to 1, less what flows from bones that are not among the vertex's candidates.
 *
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007.
 *
 * @returns V×K, each in [0, 1]
 */
export function diffuseHeat(mesh: Mesh, sources: HeatSources): Float32Array {
  const neighbors = vertexNeighbors(mesh.triangles, vertexCount(mesh));
  const parts = connectedComponents(neighbors);
  const { order, starts } = dissectionOrder(mesh.positions, neighbors, parts);
  const out = new Float32Array(sources.bones.length);
  const bonesOfPart = partBones(sources, { order, starts });
  const { solve, masses } = buildSystem(mesh, neighbors, sources.strengths, order);
  for (let part = 0; part < parts.count; part++) {
    const bones = bonesOfPart[part];
    for (let first = 0; first < bones.length; first += BLOCK) {
      const block = bones.slice(first, first + BLOCK);
      const [from, to] = [starts[part], starts[part + 1]];
      const heat = new Float64Array((to - from) * BLOCK);
      writeSources(heat, sources, block, order, masses, from, to);
      if (bones.length > 1) solve(heat, from, to);
      else heat.fill(1);
      readHeat(out, heat, sources, block, order, from, to);
    }
  }
  return out;
}

/** The bones that heat each part, in ascending order. */
function partBones(
  { k, bones, shares }: HeatSources,
  { order, starts }: DissectionOrder,
): number[][] {
  return Array.from({ length: starts.length - 1 }, (_, part) => {
    const found = new Set<number>();
    for (let i = starts[part]; i < starts[part + 1]; i++) {
      const row = order[i] * k;
      for (let slot = row; slot < row + k; slot++) if (shares[slot] > 0) found.add(bones[slot]);
    }
    return [...found].sort((a, b) => a - b);
  });
}

/** A solver of the system, and M H of each vertex. */
function buildSystem(
  mesh: Mesh,
  neighbors: Lists,
  strengths: Float64Array,
  order: Int32Array,
): { solve: SymmetricSolver; masses: Float64Array } {
  const { matrix, areas } = cotangentLaplacian(mesh, neighbors);
  const masses = areas.map((area, v) =>
    Math.max(area * strengths[v], LEAST_HEAT * (matrix.diagonal[v] || 1)),
  );
  for (let v = 0; v < masses.length; v++) matrix.diagonal[v] += masses[v];
  return { solve: createSymmetricSolver(matrix, order), masses };
}

/** Puts M H p of a block of bones into the columns of `heat`. */
function writeSources(
  heat: Float64Array,
  { k, bones, shares }: HeatSources,
  block: number[],
  order: Int32Array,
  masses: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = order[i] * k;
    for (let slot = row; slot < row + k; slot++) {
      if (shares[slot] === 0) continue;
      const column = block.indexOf(bones[slot]);
      if (column >= 0) heat[(i - from) * BLOCK + column] = masses[order[i]] * shares[slot];
    }
  }
}

/** Takes the temperatures of a block of bones to the slots where the bones are candidates. */
function readHeat(
  out: Float32Array,
  heat: Float64Array,
  { k, bones }: HeatSources,
  block: number[],
  order: Int32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = order[i] * k;
    for (let slot = row; slot < row + k; slot++) {
      const column = bones[slot] < 0 ? -1 : block.indexOf(bones[slot]);
      if (column >= 0) out[slot] = Math.min(1, Math.max(0, heat[(i - from) * BLOCK + column]));
    }
  }
}
