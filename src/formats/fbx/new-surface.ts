import { readFloats } from "../gltf/accessors.ts";
import { entry, type GltfMesh } from "../gltf/gltf-json.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import { readTriangles } from "../gltf/read-parts.ts";
import { MAX_SETS } from "../scene/scene.ts";

/** The vertices and triangles of a glTF mesh, its primitives joined; unused vertices are omitted. */
export interface NewSurface {
  /** N, the primitive of each vertex, and its index there. */
  primitiveOf: Int32Array;
  vertexOf: Int32Array;
  /** N×3. */
  positions: Float32Array;
  /** N×3, if any primitive has them; flat where one lacks them. */
  normals: Float32Array | undefined;
  /** N×2 each. */
  uvSets: Float32Array[];
  /** N×4 each, linear. */
  colors: Float32Array[];
  /** N×3 per shape. */
  shapes: Float32Array[];
  /** F×3. */
  corners: Uint32Array;
  /** F, index into `materials`. */
  slots: Int32Array;
  /** The glTF materials in use; -1 for none. */
  materials: number[];
}

/** Joins the triangles of a mesh's primitives. */
export function joinSurface(source: GltfSource, mesh: number): NewSurface {
  const { primitives } = entry(source.json, "meshes", mesh);
  const blocks = primitives.map((_, p) => usedVertices(source, mesh, p));
  const count = blocks.reduce((sum, { used }) => sum + used.length, 0);
  const faces = blocks.reduce((sum, { corners }) => sum + corners.length / 3, 0);
  const surface: NewSurface = {
    primitiveOf: new Int32Array(count),
    vertexOf: new Int32Array(count),
    positions: new Float32Array(count * 3),
    normals: undefined,
    uvSets: [],
    colors: [],
    shapes: [],
    corners: new Uint32Array(faces * 3),
    slots: new Int32Array(faces),
    materials: [],
  };
  let [first, corner] = [0, 0];
  for (const [p, { used, corners }] of blocks.entries()) {
    surface.primitiveOf.fill(p, first, first + used.length);
    surface.vertexOf.set(used, first);
    const { material = -1 } = primitives[p];
    if (!surface.materials.includes(material)) surface.materials.push(material);
    const slot = surface.materials.indexOf(material);
    surface.slots.fill(slot, corner / 3, (corner + corners.length) / 3);
    for (const each of corners) surface.corners[corner++] = first + each;
    first += used.length;
  }
  readVertexData(source, primitives, surface);
  return surface;
}

/** The vertices that triangles of a primitive use, ascending, and its corners among them. */
function usedVertices(source: GltfSource, mesh: number, p: number) {
  const { attributes } = entry(source.json, "meshes", mesh).primitives[p];
  const none = { used: new Int32Array(0), corners: new Uint32Array(0) };
  if (attributes?.POSITION === undefined) return none;
  const { count } = entry(source.json, "accessors", attributes.POSITION);
  const corners = readTriangles(source, mesh, p, 0, count);
  const newIndex = new Int32Array(count).fill(-1);
  for (const corner of corners) newIndex[corner] = 0;
  const used = Int32Array.from({ length: count }, (_, v) => v).filter((v) => newIndex[v] === 0);
  used.forEach((vertex, index) => {
    newIndex[vertex] = index;
  });
  return { used, corners: corners.map((corner) => newIndex[corner]) };
}

function readVertexData(
  source: GltfSource,
  primitives: GltfMesh["primitives"],
  surface: NewSurface,
): void {
  const { primitiveOf, vertexOf } = surface;
  const count = primitiveOf.length;
  /** Values of an attribute for all vertices; undefined if no primitive has it. */
  const gather = (
    size: number,
    blank: number,
    accessorOf: (p: (typeof primitives)[number]) => number | undefined,
  ) => {
    const accessors = primitives.map(accessorOf);
    if (accessors.every((index) => index === undefined)) return undefined;
    const data = accessors.map((index) => {
      if (index === undefined) return undefined;
      const values = readFloats(source, index);
      return { values, size: values.length / entry(source.json, "accessors", index).count };
    });
    const out = new Float32Array(count * size).fill(blank);
    for (let v = 0; v < count; v++) {
      const own = data[primitiveOf[v]];
      if (!own) continue;
      const width = Math.min(size, own.size);
      for (let c = 0; c < width; c++) {
        const value = own.values[vertexOf[v] * own.size + c];
        if (Number.isFinite(value)) out[v * size + c] = value;
      }
    }
    return out;
  };
  const sets = (name: string, size: number, blank: number) =>
    Array.from({ length: MAX_SETS }, (_, set) =>
      gather(size, blank, ({ attributes }) => attributes[`${name}_${set}`]),
    ).filter((set) => set !== undefined);
  surface.positions = gather(3, 0, ({ attributes }) => attributes?.POSITION) ?? surface.positions;
  surface.normals = gather(3, 0, ({ attributes }) => attributes.NORMAL);
  if (surface.normals) fillNormals(surface, surface.normals);
  surface.uvSets = sets("TEXCOORD", 2, 0);
  surface.colors = sets("COLOR", 4, 1);
  const shapes = Math.max(0, ...primitives.map(({ targets = [] }) => targets.length));
  surface.shapes = Array.from(
    { length: shapes },
    (_, s) => gather(3, 0, ({ targets }) => targets?.[s]?.POSITION) ?? new Float32Array(count * 3),
  );
}

/** Sets missing normals to those of the triangles. */
function fillNormals({ positions, corners }: NewSurface, normals: Float32Array): void {
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [corners[t] * 3, corners[t + 1] * 3, corners[t + 2] * 3];
    const edge = (from: number, to: number) =>
      [0, 1, 2].map((axis) => positions[to + axis] - positions[from + axis]);
    for (const at of [a, b, c]) {
      if (normals[at] !== 0 || normals[at + 1] !== 0 || normals[at + 2] !== 0) continue;
      const [u, w] = [edge(a, b), edge(a, c)];
      const n = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
      const size = Math.hypot(...n);
      normals.set(size > 0 ? n.map((value) => value / size) : [0, 1, 0], at);
    }
  }
}

/** The points of an FBX mesh. */
export interface SurfacePoints {
  /** N, the point of each vertex. */
  points: Int32Array;
  /** By point: a vertex. */
  first: number[];
}

/** Returns the points that the polygons of another format had, in their order, without unused ones. */
export function knownPoints(
  { primitiveOf, vertexOf }: NewSurface,
  of: readonly Int32Array[],
): SurfacePoints {
  const ids = Int32Array.from(vertexOf, (vertex, v) => of[primitiveOf[v]][vertex]);
  const used = [...new Set(ids)].sort((a, b) => a - b);
  const indexOf = new Map(used.map((id, point) => [id, point]));
  const points = ids.map((id) => indexOf.get(id)!);
  const first: number[] = [];
  points.forEach((point, v) => {
    first[point] ??= v;
  });
  return { points, first };
}

/**
 * Joins the vertices of seams to the points of an FBX: vertices with the same position, shapes and row.
 *
 * Triangles that would become empty, or equal to another (the two sides of a leaf), keep points of their own.
 *
 * @param rowOf a key of each vertex's weights; vertices with different keys are not joined
 * @returns points numbered in order of their first vertex
 */
export function pointsOfSurface(
  surface: NewSurface,
  rowOf: (vertex: number) => string,
): SurfacePoints {
  const { positions, shapes, corners } = surface;
  const count = positions.length / 3;
  const moves = shapeHashes(shapes, count);
  const keys = Array.from({ length: count }, (_, v) => {
    const place = positions.subarray(v * 3, v * 3 + 3);
    return `${place.join()} ${moves[v * 2]} ${moves[v * 2 + 1]} ${rowOf(v)}`;
  });
  const isAlone = new Uint8Array(count);
  let points = numbered(keys, isAlone);
  const known = new Set<string>();
  for (let t = 0; t < corners.length; t += 3) {
    const own = corners.subarray(t, t + 3);
    const [a, b, c] = [...own].map((v) => points.points[v]).sort((x, y) => x - y);
    const key = `${a},${b},${c}`;
    if (a === b || b === c || known.has(key)) for (const v of own) isAlone[v] = 1;
    known.add(key);
  }
  if (isAlone.includes(1)) points = numbered(keys, isAlone);
  return points;
}

/** Two hashes per vertex of how all shapes move it: keys with the numbers of hundreds of shapes would be long. */
function shapeHashes(shapes: Float32Array[], count: number): Int32Array {
  const hashes = new Int32Array(count * 2);
  const value = new Float32Array(1);
  const bits = new Int32Array(value.buffer);
  for (const shape of shapes) {
    for (let i = 0; i < count * 3; i++) {
      // -0 becomes 0.
      value[0] = shape[i] + 0;
      const at = 2 * Math.floor(i / 3);
      hashes[at] = Math.imul(hashes[at] ^ bits[0], 0x01000193) + 1;
      hashes[at + 1] = Math.imul(hashes[at + 1] + bits[0], 0x5bd1e995) ^ (hashes[at + 1] >>> 15);
    }
  }
  return hashes;
}

function numbered(keys: string[], isAlone: Uint8Array) {
  const indices = new Map<string, number>();
  const first: number[] = [];
  const points = Int32Array.from(keys, (key, v) => {
    const known = isAlone[v] ? undefined : indices.get(key);
    if (known !== undefined) return known;
    const point = first.push(v) - 1;
    if (!isAlone[v]) indices.set(key, point);
    return point;
  });
  return { points, first };
}
