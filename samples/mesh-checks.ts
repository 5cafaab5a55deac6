import { type Mesh, triangleCount } from "../src/mesh/mesh.ts";

/** Edges of triangles without exactly one counterpart in the opposite direction. */
export function openSides({ triangles }: Mesh): number {
  const sides = new Map<string, number>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const side = `${triangles[corner]} ${triangles[next]}`;
    sides.set(side, (sides.get(side) ?? 0) + 1);
  }
  let open = 0;
  for (const [side, count] of sides) {
    const back = side.split(" ").reverse().join(" ");
    if (count !== 1 || sides.get(back) !== 1) open++;
  }
  return open;
}

/** The enclosed volume, positive if triangles face outward, and the area. */
export function volumeAndArea(mesh: Mesh): { volume: number; area: number } {
  const { positions, triangles } = mesh;
  let [volume, area] = [0, 0];
  for (let f = 0; f < triangleCount(mesh); f++) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const at = triangles[f * 3 + k] * 3;
      return positions.subarray(at, at + 3);
    });
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    area += Math.hypot(n[0], n[1], n[2]) / 2;
    volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
  }
  return { volume, area };
}

/** 1 inside a closed surface, 0 outside: the solid angle of all triangles (van Oosterom, 1983). */
export function windingNumber({ positions, triangles }: Mesh, p: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      [0, 1, 2].map((axis) => positions[triangles[i + k] * 3 + axis] - p[axis]),
    );
    const size = (v: number[]) => Math.hypot(v[0], v[1], v[2]);
    const dot = (v: number[], w: number[]) => v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
    const volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) -
      a[1] * (b[0] * c[2] - b[2] * c[0]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    const [la, lb, lc] = [size(a), size(b), size(c)];
    const below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * Math.atan2(volume, below);
  }
  return sum / (4 * Math.PI);
}
