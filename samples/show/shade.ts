import type { Mesh } from "../../src/mesh/mesh.ts";
import { vertexNormals } from "../../src/mesh/normals.ts";

/** Cells along the longest side of the grid for ray casting. */
const CELLS = 110;
/** Cells that a ray skips at its start, so that a surface does not darken itself, and its length in cells. */
const NEAR = 2.2;
const FAR = 17;
const RAYS = 48;
/** How much darker a corner is from which no sky is visible, as a fraction. */
const DEPTH = 0.52;

/** V, brightness of each vertex: 1 in the open, less in corners, and a little less below than above. */
export function ambientShade(mesh: Mesh): Float32Array {
  const { positions } = mesh;
  const normals = vertexNormals(mesh);
  const { isFilled, cell } = surfaceGrid(mesh);
  const directions = Array.from({ length: RAYS }, (_, i) => {
    const y = 1 - (2 * (i + 0.5)) / RAYS;
    const angle = i * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - y * y);
    return [r * Math.cos(angle), y, r * Math.sin(angle)];
  });
  const shade = new Float32Array(positions.length / 3);
  for (let v = 0; v < shade.length; v++) {
    const [x, y, z] = positions.subarray(v * 3, v * 3 + 3);
    const [nx, ny, nz] = normals.subarray(v * 3, v * 3 + 3);
    let [seen, all] = [0, 0];
    for (const [dx, dy, dz] of directions) {
      const facing = nx * dx + ny * dy + nz * dz;
      if (facing < 0.15) continue;
      all += facing;
      let far = NEAR;
      while (far < FAR) {
        const t = far * cell;
        if (isFilled(x + t * dx + cell * nx, y + t * dy + cell * ny, z + t * dz + cell * nz)) break;
        far += 0.9;
      }
      seen += facing * Math.min(1, far / FAR) ** 0.7;
    }
    const open = all > 0 ? seen / all : 1;
    shade[v] = (1 - DEPTH * (1 - open)) * (0.95 + 0.05 * ny);
  }
  return shade;
}

function surfaceGrid({ positions, triangles }: Mesh) {
  const min = [0, 1, 2].map((k) => Math.min(...positions.filter((_, i) => i % 3 === k)));
  const max = [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));
  const cell = Math.max(...max.map((value, k) => value - min[k])) / CELLS;
  const [nx, ny, nz] = max.map((value, k) => Math.ceil((value - min[k]) / cell) + 1);
  const filled = new Uint8Array(nx * ny * nz);
  const indexOf = (x: number, y: number, z: number): number => {
    const [i, j, k] = [x - min[0], y - min[1], z - min[2]].map((value) => Math.floor(value / cell));
    return i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz ? -1 : i + nx * (j + ny * k);
  };
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      positions.subarray(triangles[f + k] * 3, triangles[f + k] * 3 + 3),
    );
    const size = Math.max(
      ...[0, 1, 2].flatMap((k) => [Math.abs(b[k] - a[k]), Math.abs(c[k] - a[k])]),
    );
    const steps = Math.max(1, Math.ceil((1.5 * size) / cell));
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        const [u, v] = [i / steps, j / steps];
        const at = [0, 1, 2].map((k) => a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]));
        const index = indexOf(at[0], at[1], at[2]);
        if (index >= 0) filled[index] = 1;
      }
    }
  }
  const isFilled = (x: number, y: number, z: number) => {
    const index = indexOf(x, y, z);
    return index >= 0 && filled[index] === 1;
  };
  return { isFilled, cell };
}
