import type { Lists } from "../math/arrays.ts";
import { BLOCK, createSymmetricSolver } from "../math/symmetric-solver.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { cotangentLaplacian } from "../mesh/cotangent-laplacian.ts";
import { type DissectionOrder, dissectionOrder } from "../mesh/dissection-order.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";

/** The bones that heat each vertex, on the candidate slots of a `BoneDistances`. */
export interface HeatSources {
  k: number;
  /** V×K bone indices, -1 in an empty slot; no bone twice in a row. */
  bones: Int32Array;
  /** V×K, contributions of the bones to the heat of a vertex; each row sums to 1. */
  fractions: Float32Array;
  /** V, the strength of the source, 1 / length²; 0 if a vertex is only heated by its neighbors. */
  strengths: Float64Array;
}

/**
 * Minimum heat of each vertex from its own bones, relative to the conductance of its edges: a part without
 * area, or with all sources 0, would have no temperature at all.
 */
const MIN_HEAT = 1e-9;

/**
 * Returns the contribution of each candidate bone to the equilibrium temperature of each vertex: bones heat
 * the vertices they are the sources of, and the surface conducts.
 *
 * Solves (M H + L) w = M H p for each bone, with the cotangent Laplacian L, the vertex areas M, the strengths
 * H and the fractions p. Components are solved separately, each for the bones that heat it; all others are
 * exactly 0 there, and a component with one bone needs no solution.
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
  const columns = new Int8Array(sources.bones.reduce((most, bone) => Math.max(most, bone), -1) + 1);
  for (let part = 0; part < parts.count; part++) {
    const bones = bonesOfPart[part];
    for (let first = 0; first < bones.length; first += BLOCK) {
      columns.fill(-1);
      bones.slice(first, first + BLOCK).forEach((bone, column) => {
        columns[bone] = column;
      });
      const [from, to] = [starts[part], starts[part + 1]];
      const heat = new Float64Array((to - from) * BLOCK);
      writeSources(heat, sources, columns, order, masses, from, to);
      if (bones.length > 1) solve(heat, from, to);
      else heat.fill(1);
      readHeat(out, heat, sources, columns, order, from, to);
    }
  }
  return out;
}

/** The bones that heat each component, ascending. */
function partBones({ k, bones, fractions }: HeatSources, { order, starts }: DissectionOrder) {
  return Array.from({ length: starts.length - 1 }, (_, part) => {
    const found = new Set<number>();
    for (let i = starts[part]; i < starts[part + 1]; i++) {
      const row = order[i] * k;
      for (let slot = row; slot < row + k; slot++) if (fractions[slot] > 0) found.add(bones[slot]);
    }
    return [...found].sort((a, b) => a - b);
  });
}

function buildSystem(mesh: Mesh, neighbors: Lists, strengths: Float64Array, order: Int32Array) {
  const { matrix, areas } = cotangentLaplacian(mesh, neighbors);
  const masses = areas.map((area, v) =>
    Math.max(area * strengths[v], MIN_HEAT * (matrix.diagonal[v] || 1)),
  );
  for (let v = 0; v < masses.length; v++) matrix.diagonal[v] += masses[v];
  return { solve: createSymmetricSolver(matrix, order), masses };
}

/**
 * Writes M H p of a block of bones to the columns of `heat`.
 *
 * @param columns B, the column of each bone; -1 outside the block
 */
function writeSources(
  heat: Float64Array,
  { k, bones, fractions }: HeatSources,
  columns: Int8Array,
  order: Int32Array,
  masses: Float64Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = order[i] * k;
    for (let slot = row; slot < row + k; slot++) {
      if (fractions[slot] === 0) continue;
      const column = columns[bones[slot]];
      if (column >= 0) heat[(i - from) * BLOCK + column] = masses[order[i]] * fractions[slot];
    }
  }
}

function readHeat(
  out: Float32Array,
  heat: Float64Array,
  { k, bones }: HeatSources,
  columns: Int8Array,
  order: Int32Array,
  from: number,
  to: number,
): void {
  for (let i = from; i < to; i++) {
    const row = order[i] * k;
    for (let slot = row; slot < row + k; slot++) {
      const column = bones[slot] < 0 ? -1 : columns[bones[slot]];
      if (column >= 0) out[slot] = Math.min(1, Math.max(0, heat[(i - from) * BLOCK + column]));
    }
  }
}
