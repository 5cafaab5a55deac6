import type { SceneMesh } from "./scene.ts";
import { triangulate } from "./triangulate.ts";

/** Polygons as triangles over vertices: a point becomes one vertex per normal and texture coordinate it has. */
export interface SplitMesh {
  /** V, the point behind each vertex. */
  points: Int32Array;
  /** V×3, unit length. */
  normals?: Float32Array;
  /** V×2. */
  uvs?: Float32Array;
  /** By material slot: three vertices per triangle. */
  triangles: Map<number, Uint32Array>;
}

/** Splits the corners of a mesh into vertices and its polygons into triangles. */
export function splitCorners(mesh: SceneMesh): SplitMesh {
  const { vertexOf, points, corners } = numberVertices(mesh);
  const triangles = new Map<number, number[]>();
  let start = 0;
  for (let p = 0; p < mesh.sizes.length; p++) {
    const size = mesh.sizes[p];
    const slot = mesh.polygonMaterials?.[p] ?? 0;
    if (size >= 3) {
      const own = triangles.get(slot) ?? [];
      triangles.set(slot, own);
      const outline = mesh.corners.subarray(start, start + size);
      for (const corner of triangulate(mesh.points, outline)) own.push(vertexOf[start + corner]);
    }
    start += size;
  }
  const out: SplitMesh = {
    points: Int32Array.from(points),
    triangles: new Map([...triangles].map(([slot, list]) => [slot, Uint32Array.from(list)])),
  };
  if (mesh.normals) out.normals = unitRows(mesh.normals, corners);
  if (mesh.uvs) {
    out.uvs = new Float32Array(corners.length * 2);
    corners.forEach((corner, v) => {
      out.uvs!.set(mesh.uvs!.subarray(corner * 2, corner * 2 + 2), v * 2);
    });
  }
  return out;
}

/** Numbers the vertices in the order of their points, so that a mesh without seams keeps the file's order. */
function numberVertices(mesh: SceneMesh): {
  vertexOf: Uint32Array;
  points: number[];
  corners: number[];
} {
  const found = new Uint32Array(mesh.corners.length);
  const firsts: number[] = [];
  const known = new Map<string, number>();
  let start = 0;
  for (const size of mesh.sizes) {
    // Corners of mere lines and points make no vertex.
    for (let corner = start; size >= 3 && corner < start + size; corner++) {
      const n = mesh.normals?.subarray(corner * 3, corner * 3 + 3).join() ?? "";
      const uv = mesh.uvs?.subarray(corner * 2, corner * 2 + 2).join() ?? "";
      const key = `${mesh.corners[corner]}/${n}/${uv}`;
      let vertex = known.get(key);
      if (vertex === undefined) {
        vertex = firsts.push(corner) - 1;
        known.set(key, vertex);
      }
      found[corner] = vertex;
    }
    start += size;
  }
  const order = firsts.map((_, vertex) => vertex);
  order.sort((a, b) => mesh.corners[firsts[a]] - mesh.corners[firsts[b]] || a - b);
  const place = new Uint32Array(order.length);
  order.forEach((vertex, at) => {
    place[vertex] = at;
  });
  const corners = order.map((vertex) => firsts[vertex]);
  return {
    vertexOf: found.map((vertex) => place[vertex] ?? 0),
    points: corners.map((corner) => mesh.corners[corner]),
    corners,
  };
}

function unitRows(rows: Float32Array, corners: number[]): Float32Array {
  const out = new Float32Array(corners.length * 3);
  corners.forEach((corner, v) => {
    const [x, y, z] = rows.subarray(corner * 3, corner * 3 + 3);
    const size = Math.hypot(x, y, z);
    out.set(size > 0 ? [x / size, y / size, z / size] : [0, 1, 0], v * 3);
  });
  return out;
}
