import { boundsOf, longestSide } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { createJointMotion } from "../weights/deform.ts";
import { addRow, type WeightRow } from "../weights/skin-weights.ts";
import { visibleRow } from "./claim-surface.ts";

/** A torn edge grows by more than this multiple of its length, and by more than this many longest sides. */
export const TORN_RATIO = 2;
export const TORN_LENGTH = 0.02;

/** An edge that tears when one joint rotates. */
export interface TornEdge {
  a: number;
  b: number;
  /** The joint whose rotation shows it most. */
  joint: number;
  /** How far it grows, in longest sides of the mesh. */
  growth: number;
  /** The same in multiples of the limit, above 1. */
  excess: number;
}

/**
 * Finds the edges of a welded mesh that tear when a single joint rotates.
 *
 * @param among vertices whose edges are searched; all by default
 * @param limits multiple of both limits above which an edge counts as torn
 */
export function findTears(
  mesh: Mesh,
  skeleton: Skeleton,
  rows: readonly WeightRow[],
  among?: ReadonlySet<number>,
  limits = 1,
): TornEdge[] {
  const { positions } = mesh;
  const motion = createJointMotion(skeleton, positions);
  const size = longestSide(boundsOf(positions));
  const { starts, items } = vertexNeighbors(mesh.triangles, rows.length);
  const torn: TornEdge[] = [];
  for (const a of among ?? rows.keys()) {
    for (let i = starts[a]; i < starts[a + 1]; i++) {
      const b = items[i];
      // Each edge once.
      if ((b < a && (!among || among.has(b))) || rows[a] === rows[b]) continue;
      const rest = distanceOf(positions, a, b);
      const limit = limits * Math.max(TORN_LENGTH * size, TORN_RATIO * rest);
      if (motion.limitOf(rows[a], rows[b]) <= limit) continue;
      const { length, joint } = motion.growth(rows[a], rows[b], a);
      if (length > limit) torn.push({ a, b, joint, growth: length / size, excess: length / limit });
    }
  }
  return torn;
}

/** Rounds of mending, and the fraction of a row that comes from its neighbors in each. */
const ROUNDS = 12;
const MIXED = 0.5;
/** Several joints rotate at once, so edges are mended at a fraction of the limits for one joint. */
const EARLY = 0.8;
/** Excess from which a vertex is mixed fully: gradually, so that rounding of the positions does not show. */
const FULL = 1.25;

/**
 * Smooths the weights at the ends of torn edges, and only there. Edges are judged by the weights that are
 * seen, since small ones may be pruned later.
 *
 * @param rows V rows, changed in place; rows are replaced, not modified
 * @param only vertices that may change; all by default
 * @returns the changed vertices
 */
export function mendTears(
  mesh: Mesh,
  skeleton: Skeleton,
  rows: WeightRow[],
  only?: ReadonlySet<number>,
): number[] {
  const { starts, items } = vertexNeighbors(mesh.triangles, rows.length);
  const changed = new Set<number>();
  const seen = rows.map(visibleRow);
  let searched: Set<number> | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const torn = findTears(mesh, skeleton, seen, searched, EARLY);
    const ends = new Map<number, number>();
    for (const { a, b, excess } of torn) {
      for (const v of [a, b]) ends.set(v, Math.max(ends.get(v) ?? 1, excess));
    }
    const mended = [...ends.keys()].filter((v) => !only || only.has(v));
    if (mended.length === 0) break;
    // Only edges at changed vertices can change.
    searched = new Set(ends.keys());
    const mixed = mended.map((v) => {
      const row: WeightRow = { joints: [], values: [] };
      const mixed = MIXED * Math.min(1, (ends.get(v)! - 1) / (FULL - 1));
      addRow(row, rows[v], 1 - mixed);
      const share = mixed / (starts[v + 1] - starts[v]);
      for (let i = starts[v]; i < starts[v + 1]; i++) addRow(row, rows[items[i]], share);
      return row;
    });
    mended.forEach((v, i) => {
      rows[v] = mixed[i];
      seen[v] = visibleRow(rows[v]);
      changed.add(v);
    });
  }
  return [...changed];
}
