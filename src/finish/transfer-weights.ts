import { type Character, checkCharacter } from "../character/character.ts";
import {
  prepareCharacter,
  restoreWeights,
  WELD_TOLERANCE,
} from "../character/prepare-character.ts";
import { runSteps, type Steps } from "../event-loop.ts";
import { InputError, refuseUnknownOptions } from "../input-error.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { createClosestPoint, type SurfacePoint } from "../mesh/closest-point.ts";
import type { Mesh } from "../mesh/mesh.ts";
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
import { inpaintSteps } from "./inpaint-weights.ts";

/**
 * Options for {@link transferWeights}.
 *
 * @example
 * const options: TransferOptions = { distance: 0.1, angle: 45 };
 * transferWeights(character, shirt.mesh, options);
 */
export interface TransferOptions {
  /** Maximum distance from a vertex to the source surface, in longest sides of the source. */
  distance?: number;
  /** Maximum angle between their normals, in degrees. */
  angle?: number;
}

/** The thresholds of the paper cited at {@link transferWeights}. */
export const TRANSFER_DEFAULTS: Required<TransferOptions> = { distance: 0.05, angle: 30 };

/**
 * Transferred weights and their origin; counts are of welded vertices.
 *
 * @example
 * const { matched, filled, nearest }: TransferResult = transferWeights(character, shirt.mesh);
 * console.log(matched, filled, nearest);
 */
export interface TransferResult {
  /** One row per vertex of the target, on the joints of the source. */
  weights: SkinWeights;
  vertices: number;
  /** Vertices with the weights of the source surface. */
  matched: number;
  /** Vertices interpolated from matched ones of the same part. */
  filled: number;
  /** Vertices of parts without a match, which take the nearest weights. */
  nearest: number;
}

/**
 * Transfers weights from a skinned character to a mesh at the same position: clothes from a body, one
 * level of detail from another.
 *
 * Each vertex takes the weights of the closest point of the source if that is near enough and faces the
 * same way; otherwise (a skirt between the legs) weights are interpolated over the target's surface. A
 * part that faces the other way altogether is inside out and is flipped. Coincident vertices get the
 * same row.
 *
 * Based on: Abdrashitov, Raichstat, Monsen and Hill. Robust skin weights transfer via weight inpainting. 2023;
 * with a harmonic fill, which keeps weights in [0, 1].
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
  return runSteps(transferSteps(source, target, options));
}

/** Part of the time that the search for closest points takes; the rest fills what it leaves. */
const SEARCH_PART = 0.8;

/**
 * {@link transferWeights} in steps.
 *
 * @param report receives the fraction that is done, 0 to 1
 */
export function* transferSteps(
  source: Character,
  target: Mesh,
  options: TransferOptions = {},
  report: (fraction: number) => void = () => {},
): Steps<TransferResult> {
  refuseUnknownOptions(options, Object.keys(TRANSFER_DEFAULTS));
  checkCharacter({ name: "target", mesh: target, skeleton: source.skeleton });
  const prepared = prepareCharacter(source);
  const { mesh, weights } = prepared.character;
  const fail = (problem: string) => new InputError(`Character "${source.name}" ${problem}`);
  if (!weights) throw fail("has no weights to transfer; bind it first.");
  if (mesh.triangles.length === 0) throw fail("has no surface to transfer weights from.");
  yield;
  const { scale, offset } = prepared;
  const merged = weld(target.positions, WELD_TOLERANCE / scale);
  const welded: Mesh = {
    positions: merged.positions.map((value, i) => (value - offset[i % 3]) * scale),
    triangles: weldTriangles(target, merged.welded),
  };
  yield;
  const points = yield* closestPoints(mesh, welded, (part) => report(part * SEARCH_PART));
  const parts = connectedComponents(vertexNeighbors(welded.triangles, points.length));
  yield;
  const limits = { ...TRANSFER_DEFAULTS, ...options };
  const known = acceptPoints(mesh, welded, points, parts.component, limits);
  yield;
  const rows = emptyWeights(points.length, weights.influences * 3);
  const take = (vertex: number) => {
    const { joints, values } = rowAt(weights, mesh, points[vertex]);
    writeRow(rows, vertex, { joints, values });
    // The source may have no weight here.
    known[vertex] = joints.length > 0 ? 1 : 0;
  };
  known.forEach((isKnown, vertex) => {
    if (isKnown) take(vertex);
  });
  const matched = known.reduce((sum, isKnown) => sum + isKnown, 0);
  const nearest = unmatchedVertices(known, parts.component);
  for (const vertex of nearest) take(vertex);
  yield;
  const inpainted = yield* inpaintSteps(rows, welded, known);
  report(1);
  const { skeleton } = prepared.character;
  const filled = fillEmpty(inpainted, { mesh: welded, skeleton }).weights;
  return {
    weights: restoreWeights({ ...prepared, welded: merged.welded }, filled),
    vertices: points.length,
    matched,
    filled: points.length - matched - nearest.length,
    nearest: nearest.length,
  };
}

/** Returns the point of `surface` that is closest to each vertex of a mesh. */
function* closestPoints(
  surface: Mesh,
  { positions }: Mesh,
  report: (fraction: number) => void,
): Steps<SurfacePoint[]> {
  const closest = createClosestPoint(surface);
  yield;
  const points: SurfacePoint[] = [];
  for (let at = 0; at < positions.length; at += 3) {
    points.push(closest(positions[at], positions[at + 1], positions[at + 2])!);
    if (points.length % POINT_STRIDE !== 0) continue;
    report(at / positions.length);
    yield;
  }
  return points;
}

/** A search takes tens of microseconds. */
const POINT_STRIDE = 256;

/** Returns 1 for each vertex whose closest point is near and faces the same way (V). */
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
  const minCosine = Math.cos((angle * Math.PI) / 180);
  return Uint8Array.from(points, (point, vertex) => {
    const sign = (votes.get(component[vertex]) ?? 0) < 0 ? -1 : 1;
    const faces = cosines[vertex] === undefined || cosines[vertex] * sign >= minCosine;
    return point.distance <= distance && faces ? 1 : 0;
  });
}

function pointNormal(
  { triangles }: Mesh,
  normals: Float32Array,
  { triangle, barycentric }: SurfacePoint,
): number[] {
  const normal = (corner: number, axis: number) =>
    normals[triangles[triangle * 3 + corner] * 3 + axis];
  return [0, 1, 2].map((axis) =>
    barycentric.reduce((sum, share, corner) => sum + share * normal(corner, axis), 0),
  );
}

/** Returns undefined if one of the two has no direction. */
function cosine(a: number[], b: Float32Array): number | undefined {
  const lengths = Math.hypot(a[0], a[1], a[2]) * Math.hypot(b[0], b[1], b[2]);
  return lengths > 1e-9 ? (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / lengths : undefined;
}

/** Returns the vertices of parts without a known vertex. */
function unmatchedVertices(known: Uint8Array, component: Int32Array): number[] {
  const reached = new Set<number>();
  known.forEach((isKnown, vertex) => {
    if (isKnown) reached.add(component[vertex]);
  });
  return [...component.keys()].filter((vertex) => !reached.has(component[vertex]));
}

function rowAt(weights: SkinWeights, { triangles }: Mesh, point: SurfacePoint): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  point.barycentric.forEach((weight, corner) => {
    addRow(row, readRow(weights, triangles[point.triangle * 3 + corner]), weight);
  });
  return row;
}
