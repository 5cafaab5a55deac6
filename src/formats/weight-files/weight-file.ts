import { fillEmpty } from "../../finish/fill-empty.ts";
import { InputError } from "../../input-error.ts";
import { identityMat4, transformPoint } from "../../math/mat4.ts";
import {
  emptyWeights,
  type SkinWeights,
  takeWeights,
  type WeightRow,
  writeRow,
} from "../../weights/skin-weights.ts";
import { type Budget, spend } from "../budget.ts";
import type { CharacterFile } from "../character-file.ts";
import { entry } from "../gltf/gltf-json.ts";
import { fileSpace, MAX_ROW, vertexOfPoints } from "../rows.ts";

/** The weights of one mesh, point by point. */
export interface WeightMesh {
  name: string;
  /** P×3, in the space and units of the scene that the file belongs to; absent if the file has none. */
  points?: Float32Array | undefined;
  /** F×3 points; absent if the file has none. */
  triangles?: Uint32Array | undefined;
  /** P rows; joints are indices into the names of the file. */
  weights: SkinWeights;
}

/** Weights without a scene. */
export interface WeightFile {
  /** Names of the joints. */
  joints: string[];
  /** J×3, in the same space as the points; absent if the file has none. */
  positions?: Float32Array | undefined;
  meshes: WeightMesh[];
}

/** The points of one mesh of a character, in the order of its file. */
interface FilePoints {
  mesh: number;
  name: string;
  /** P, the vertex of the character at each point; -1 for a point that no triangle uses. */
  vertices: Int32Array;
}

/** Lists the meshes of a character with their points: of polygons in FBX, DAE and OBJ, else vertices. */
export function filePoints(file: CharacterFile): FilePoints[] {
  const { source, parts } = file;
  return [...new Set(parts.map(({ mesh }) => mesh))].map((mesh) => {
    const own = parts.filter((part) => part.mesh === mesh);
    const shown = own[0].nodes.map((node) => entry(source.json, "nodes", node).name);
    const name = shown[0] ?? entry(source.json, "meshes", mesh).name ?? `mesh ${mesh}`;
    const count = source.points?.get(mesh)?.count;
    if (count === undefined) {
      const vertices = own.flatMap(({ first, count }) =>
        Array.from({ length: count }, (_, v) => first + v),
      );
      return { mesh, name, vertices: Int32Array.from(vertices) };
    }
    const vertexOf = vertexOfPoints(file, mesh);
    const vertices = Int32Array.from({ length: count }, (_, point) => vertexOf.get(point) ?? -1);
    return { mesh, name, vertices };
  });
}

/**
 * Extracts the weights of a character, with points and joints in the world and units of its file. A vertex without
 * weight follows its nearest bone.
 */
export function weightsOfFile(
  file: CharacterFile,
  given: SkinWeights = emptyWeights(file.character.mesh.positions.length / 3, 1),
): WeightFile {
  const { mesh, skeleton } = file.character;
  const { weights } = fillEmpty(given, file.character);
  const { source } = file;
  // FBX and DAE have their own axes and units.
  const world = source.fbx || source.dae ? fileSpace(source) : identityMat4();
  const place = (list: Float32Array, index: number) =>
    index < 0 ? [0, 0, 0] : transformPoint(world, list.subarray(index * 3, index * 3 + 3));
  return {
    joints: skeleton.names,
    positions: Float32Array.from(skeleton.names.flatMap((_, j) => place(skeleton.positions, j))),
    meshes: filePoints(file).map(({ name, vertices }) => {
      const pointOf = new Map(Array.from(vertices, (vertex, point) => [vertex, point]));
      return {
        name,
        points: Float32Array.from(Array.from(vertices).flatMap((v) => place(mesh.positions, v))),
        triangles: trianglesOf(mesh, pointOf, vertices),
        // A point that nothing uses has no row.
        weights: takeWeights(
          weights,
          vertices.map((vertex) => Math.max(vertex, 0)),
        ),
      };
    }),
  };
}

/** Triangles of a mesh by its points; vertices of a seam share one by position. */
function trianglesOf(
  { positions, triangles }: CharacterFile["character"]["mesh"],
  pointOf: Map<number, number>,
  vertices: Int32Array,
): Uint32Array {
  const key = (vertex: number) => positions.subarray(vertex * 3, vertex * 3 + 3).join();
  const byPlace = new Map(Array.from(vertices, (vertex, point) => [key(vertex), point]));
  const own: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)].map(
      (vertex) => pointOf.get(vertex) ?? byPlace.get(key(vertex)) ?? -1,
    );
    if (!corners.includes(-1)) own.push(...corners);
  }
  return Uint32Array.from(own);
}

/** Collects weights of a mesh point by point, in any order. */
export interface RowBuilder {
  /** Adds a weight; weights of one joint are summed. */
  add(point: number, joint: number, weight: number): void;
  /** Builds P rows; the number of points is at least `count`. */
  build(count?: number): SkinWeights;
}

/** Larger weights could overflow when they are summed. */
const MAX_WEIGHT = 1e30;

/** Bytes of a joint and its weight in a row. */
const SLOT_BYTES = 6;

/** Starts a collection of weights of the file of a budget. */
export function createRowBuilder(budget: Budget): RowBuilder {
  const rows = new Map<number, number[]>();
  let last = -1;
  return {
    add(point, joint, weight) {
      if (!(Number.isInteger(point) && point >= 0)) {
        throw new InputError(
          `${budget.name}: "${point}" is not the index of a vertex; export it again.`,
        );
      }
      if (!(Math.abs(weight) <= MAX_WEIGHT)) {
        throw new InputError(
          `${budget.name}: a weight of vertex ${point} is not a number; export it again.`,
        );
      }
      last = Math.max(last, point);
      if (weight <= 0) return;
      const row = rows.get(point);
      if (row) row.push(joint, weight);
      else rows.set(point, [joint, weight]);
    },
    build(count = 0) {
      const points = Math.max(count, last + 1);
      spend(budget, points, "vertices");
      const merged = new Map([...rows].map(([point, list]) => [point, mergeRow(list)]));
      let slots = 1;
      for (const { joints } of merged.values()) slots = Math.max(slots, joints.length);
      spend(budget, points * slots * SLOT_BYTES);
      const weights = emptyWeights(points, slots);
      for (const [point, row] of merged) writeRow(weights, point, row);
      return weights;
    },
  };
}

/** Sums the weights of each joint and keeps the largest; time is linear in the list, up to sorting. */
function mergeRow(list: number[]): WeightRow {
  const sums = new Map<number, number>();
  for (let i = 0; i < list.length; i += 2) {
    sums.set(list[i], (sums.get(list[i]) ?? 0) + list[i + 1]);
  }
  const kept = [...sums].sort(([a, x], [b, y]) => y - x || a - b).slice(0, MAX_ROW);
  return { joints: kept.map(([joint]) => joint), values: kept.map(([, value]) => value) };
}

/** Returns a value of a JSON file as an object; empty if it is none. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a value of a JSON file is a finite number. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Returns the coordinates of points; undefined if one is not a number, or there are not `count` points. */
export function pointsOf(value: unknown, count?: number): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length % 3 > 0) return undefined;
  if (count !== undefined && value.length !== 3 * count) return undefined;
  return value.every(isNumber) ? Float32Array.from(value) : undefined;
}
