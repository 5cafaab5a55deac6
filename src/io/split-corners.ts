import { placesIn } from "../math/lists.ts";
import { takeRows } from "../math/take-rows.ts";
import { pushTo } from "./push-to.ts";
import type { SceneMesh } from "./scene.ts";
import { triangulate } from "./triangulate.ts";

/**
 * The polygons of one material as triangles over vertices of their own: a point becomes one vertex per
 * normal, colour and texture coordinate it has there.
 */
export interface SplitPart {
  /** Material slot. */
  slot: number;
  /** V, the point behind each vertex, rising. */
  points: Int32Array;
  /** V×3, unit length. */
  normals: Float32Array | undefined;
  /** V×2 each. */
  uvSets: Float32Array[];
  /** V×4 each. */
  colors: Float32Array[];
  /** Three vertices per triangle. */
  triangles: Uint32Array;
}

/** Splits the corners of a mesh into vertices and its polygons into triangles, a part per material it uses. */
export function splitCorners(mesh: SceneMesh): SplitPart[] {
  const corners = new Map<number, number[]>();
  let start = 0;
  for (let p = 0; p < mesh.sizes.length; p++) {
    const size = mesh.sizes[p];
    const slot = mesh.polygonMaterials?.[p] ?? 0;
    // Mere lines and points make no vertex.
    if (size >= 3) {
      const outline = mesh.corners.subarray(start, start + size);
      for (const corner of triangulate(mesh.points, outline)) pushTo(corners, slot, start + corner);
    }
    start += size;
  }
  return [...corners].map(([slot, own]) => splitPart(mesh, slot, own));
}

/** @param used three corners per triangle */
function splitPart(mesh: SceneMesh, slot: number, used: number[]): SplitPart {
  const { firsts, triangles } = numberVertices(mesh, used);
  return {
    slot,
    points: firsts.map((corner) => mesh.corners[corner]),
    normals: mesh.normals && unitRows(takeRows(mesh.normals, firsts, 3)),
    uvSets: (mesh.uvSets ?? []).map((uvs) => takeRows(uvs, firsts, 2)),
    colors: (mesh.colors ?? []).map((colors) => takeRows(colors, firsts, 4)),
    triangles,
  };
}

/** Numbers the vertices in the order of their points, so that a mesh without seams keeps the file's order. */
function numberVertices(mesh: SceneMesh, used: number[]) {
  const layers: [Float32Array, number][] = [
    ...(mesh.normals ? [[mesh.normals, 3] as [Float32Array, number]] : []),
    ...(mesh.uvSets ?? []).map((uvs): [Float32Array, number] => [uvs, 2]),
    ...(mesh.colors ?? []).map((colors): [Float32Array, number] => [colors, 4]),
  ];
  const keyOf = (corner: number) => {
    let key = String(mesh.corners[corner]);
    for (const [rows, width] of layers)
      key += `/${rows.subarray(corner * width, (corner + 1) * width).join()}`;
    return key;
  };
  const known = new Map<string, number>();
  const firsts: number[] = [];
  // In the order of corners, not of triangles: a vertex's number must not hang on how a polygon was cut.
  const vertexOf = new Map<number, number>();
  for (const corner of [...new Set(used)].sort((a, b) => a - b)) {
    const key = keyOf(corner);
    const vertex = known.get(key) ?? firsts.push(corner) - 1;
    known.set(key, vertex);
    vertexOf.set(corner, vertex);
  }
  const order = firsts.map((_, vertex) => vertex);
  order.sort((a, b) => mesh.corners[firsts[a]] - mesh.corners[firsts[b]] || a - b);
  const place = placesIn(order, order.length);
  return {
    firsts: Int32Array.from(order, (vertex) => firsts[vertex]),
    triangles: Uint32Array.from(used, (corner) => place[vertexOf.get(corner)!]),
  };
}

function unitRows(rows: Float32Array): Float32Array {
  for (let at = 0; at < rows.length; at += 3) {
    const [x, y, z] = rows.subarray(at, at + 3);
    const size = Math.hypot(x, y, z);
    rows.set(size > 0 ? [x / size, y / size, z / size] : [0, 1, 0], at);
  }
  return rows;
}
