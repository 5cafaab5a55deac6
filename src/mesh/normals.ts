import { type Mesh, triangleCount } from "./mesh.ts";

/** Ratio of width to longest side below which a triangle is a sliver. */
const SLIVER = 3e-4;

/**
 * Returns unit vertex normals (V×3), each the mean of its triangles' normals weighted by their angle at the
 * vertex, so that the result does not depend on the triangulation of a face.
 *
 * Zero if the direction is undefined: isolated vertices, degenerate triangles, opposite sides that cancel.
 * Slivers, whose direction is dominated by rounding, have low weight.
 * Based on: Thürmer and Wüthrich. Computing vertex normals from polygonal facets. 1998.
 */
export function vertexNormals(mesh: Mesh): Float32Array {
  const { positions, triangles } = mesh;
  const normals = new Float32Array(positions.length);
  for (let corner = 0; corner < triangleCount(mesh) * 3; corner++) {
    const first = corner - (corner % 3);
    const at = triangles[corner] * 3;
    const next = triangles[first + ((corner + 1) % 3)] * 3;
    const last = triangles[first + ((corner + 2) % 3)] * 3;
    const ux = positions[next] - positions[at];
    const uy = positions[next + 1] - positions[at + 1];
    const uz = positions[next + 2] - positions[at + 2];
    const vx = positions[last] - positions[at];
    const vy = positions[last + 1] - positions[at + 1];
    const vz = positions[last + 2] - positions[at + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = Math.hypot(nx, ny, nz);
    if (area === 0) continue;
    const third = (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2;
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, third);
    const width = area / longest;
    const trust = Math.min(1, (width / SLIVER) ** 2);
    const weight = (trust * Math.atan2(area, ux * vx + uy * vy + uz * vz)) / area;
    normals[at] += nx * weight;
    normals[at + 1] += ny * weight;
    normals[at + 2] += nz * weight;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
    const scale = length > CANCELED ? 1 / length : 0;
    for (let axis = 0; axis < 3; axis++) normals[i + axis] *= scale;
  }
  return normals;
}

/** Shorter sums of unit normals cancel (two sides of a card) and have no direction. */
const CANCELED = 1e-3;
