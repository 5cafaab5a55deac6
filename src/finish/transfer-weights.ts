import type { Character } from "../character/character.ts";
import { checkCharacter } from "../character/check-character.ts";
import {
  prepareCharacter,
  restoreWeights,
  WELD_TOLERANCE,
} from "../character/prepare-character.ts";
import { InputError } from "../input-error.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { createClosestPoint, type SurfacePoint } from "../mesh/closest-point.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { weld, weldTriangles } from "../mesh/weld.ts";
import {
  addRow,
  emptyWeights,
  readRow,
  type SkinWeights,
  type WeightRow,
  writeRow,
} from "../weights/skin-weights.ts";
import { fillEmpty } from "./fill-empty.ts";
import { inpaintWeights } from "./inpaint-weights.ts";

/**
 * Options for {@link transferWeights}.
 *
 * @example
 * const options: TransferOptions = { distance: 0.1, angle: 45 };
 * transferWeights(character, shirt.mesh, options);
 */
export interface TransferOptions {
  /** How far the surface may be from a vertex that takes its weights, in longest sides of the source. */
  distance?: number;
  /** How much their normals may differ, in degrees. */
  angle?: number;
}

/** The thresholds of the paper cited at {@link transferWeights}. */
export const TRANSFER_DEFAULTS: Required<TransferOptions> = { distance: 0.05, angle: 30 };

/**
 * Transferred weights, and how they came about; counts are of welded vertices.
 *
 * @example
 * const { matched, filled, nearest }: TransferResult = transferWeights(character, shirt.mesh);
 * console.log(matched, filled, nearest);
 */
export interface TransferResult {
  /** One row per vertex of the target, on the joints of the source. */
  weights: SkinWeights;
  vertices: number;
  /** Took the weights of the surface beside them. */
  matched: number;
  /** Were filled in from matched ones of the same part. */
  filled: number;
  /** Belong to parts without a match, and took the nearest weights there are. */
  nearest: number;
}

/**
 * Weights for a mesh from a skinned character in the same place: clothes from a body, one level of
 * detail from another.
 *
 * Each vertex takes the weights of the closest point of the source, if that is near enough and faces
 * the same way; where it is not (a skirt between the legs), weights are filled in over the target's
 * own surface, each loose part by itself. A part that faces the other way altogether is wound inside
 * out and is turned. Vertices at one place get the same row.
 *
 * Based on: Abdrashitov, Raichstat, Monsen and Hill. Robust skin weights transfer via weight
 * inpainting. 2023; with a harmonic fill, which keeps weights in [0, 1].
 *
 * @param source with weights
 * @param target in the space of the source
 *
 * @example
 * const { weights: worn } = transferWeights(character, shirt.mesh);
 * console.log(worn.influences);
 */
export function transferWeights(
  source: Character,
  target: Mesh,
  options: TransferOptions = {},
): TransferResult {
  checkCharacter({ name: "target", mesh: target, skeleton: source.skeleton });
  const prepared = prepareCharacter(source);
  const { mesh, weights } = prepared.character;
  if (!weights) {
    throw new InputError(`Character "${source.name}" has no weights to transfer; bind it first.`);
  }
  if (mesh.triangles.length === 0) {
    throw new InputError(`Character "${source.name}" has no surface to transfer weights from.`);
  }
  const { scale, offset } = prepared;
  const places = weld(target.positions, WELD_TOLERANCE / scale);
  const welded: Mesh = {
    positions: places.positions.map((value, i) => (value - offset[i % 3]) * scale),
    triangles: weldTriangles(target, places.welded),
  };
  const points = closestPoints(mesh, welded);
  const parts = connectedComponents(vertexNeighbors(welded.triangles, vertexCount(welded)));
  const known = acceptPoints(mesh, welded, points, parts.component, {
    ...TRANSFER_DEFAULTS,
    ...options,
  });
  const rows = emptyWeights(points.length, weights.influences * 3);
  const take = (vertex: number) => {
    const { joints, values } = rowAt(weights, mesh, points[vertex]);
    writeRow(rows, vertex, { joints, values });
    // Where the source has no weight there is nothing to take.
    known[vertex] = joints.length > 0 ? 1 : 0;
  };
  known.forEach((isKnown, vertex) => {
    if (isKnown) take(vertex);
  });
  const matched = known.reduce((sum, isKnown) => sum + isKnown, 0);
  const nearest = lonelyVertices(known, parts.component);
  for (const vertex of nearest) take(vertex);
  const inpainted = inpaintWeights(rows, welded, known);
  const { skeleton } = prepared.character;
  const filled = fillEmpty(inpainted, { mesh: welded, skeleton }).weights;
  return {
    weights: restoreWeights({ ...prepared, welded: places.welded }, filled),
    vertices: points.length,
    matched,
    filled: points.length - matched - nearest.length,
    nearest: nearest.length,
  };
}

function closestPoints(source: Mesh, { positions }: Mesh): SurfacePoint[] {
  const closest = createClosestPoint(source);
  return Array.from(
    { length: positions.length / 3 },
    (_, v) => closest(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2])!,
  );
}

/** V, 1 where the closest point is near and faces the same way. */
function acceptPoints(
  source: Mesh,
  target: Mesh,
  points: SurfacePoint[],
  component: Int32Array,
  { distance, angle }: Required<TransferOptions>,
): Uint8Array {
  const sourceNormals = vertexNormals(source);
  const targetNormals = vertexNormals(target);
  const cosines = points.map((point, vertex) =>
    cosine(pointNormal(source, sourceNormals, point), targetNormals.subarray(vertex * 3)),
  );
  const votes = new Map<number, number>();
  points.forEach((point, vertex) => {
    const part = component[vertex];
    if (point.distance <= distance)
      votes.set(part, (votes.get(part) ?? 0) + (cosines[vertex] ?? 0));
  });
  const least = Math.cos((angle * Math.PI) / 180);
  return Uint8Array.from(points, (point, vertex) => {
    const turned = (votes.get(component[vertex]) ?? 0) < 0 ? -1 : 1;
    const faces = cosines[vertex] === undefined || cosines[vertex] * turned >= least;
    return point.distance <= distance && faces ? 1 : 0;
  });
}

function pointNormal(
  { triangles }: Mesh,
  normals: Float32Array,
  { triangle, barycentric }: SurfacePoint,
): number[] {
  return [0, 1, 2].map((axis) =>
    barycentric.reduce(
      (sum, share, corner) => sum + share * normals[triangles[triangle * 3 + corner] * 3 + axis],
      0,
    ),
  );
}

/** Nothing where one of the two has no direction. */
function cosine(a: number[], b: Float32Array): number | undefined {
  const lengths = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2]);
  return lengths > 1e-9 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths : undefined;
}

/** Vertices of parts in which nothing is known. */
function lonelyVertices(known: Uint8Array, component: Int32Array): number[] {
  const reached = new Set<number>();
  known.forEach((isKnown, vertex) => {
    if (isKnown) reached.add(component[vertex]);
  });
  return [...component.keys()].filter((vertex) => !reached.has(component[vertex]));
}

function rowAt(weights: SkinWeights, { triangles }: Mesh, point: SurfacePoint): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  point.barycentric.forEach((share, corner) => {
    addRow(row, readRow(weights, triangles[point.triangle * 3 + corner]), share);
  });
  return row;
}
