import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "./adjacency.ts";
import { cotangentLaplacian } from "./cotangent-laplacian.ts";
import type { Mesh } from "./mesh.ts";

const laplacianOf = (mesh: Mesh) =>
  cotangentLaplacian(mesh, vertexNeighbors(mesh.triangles, mesh.positions.length / 3));

/** The value at (i, j), 0 outside the pattern. */
function entry(mesh: Mesh, i: number, j: number): number {
  const { matrix } = laplacianOf(mesh);
  if (i === j) return matrix.diagonal[i];
  const { starts, items } = matrix.pattern;
  for (let p = starts[i]; p < starts[i + 1]; p++) if (items[p] === j) return matrix.values[p];
  return 0;
}

test("equilateral triangles: an inner edge has the weight cot 60°, a boundary edge half of it", () => {
  const h = Math.sqrt(3) / 2;
  const rhombus: Mesh = {
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0.5, h, 0, 1.5, h, 0]),
    triangles: Uint32Array.from([0, 1, 2, 1, 3, 2]),
  };
  expect(entry(rhombus, 1, 2)).toBeCloseTo(-1 / Math.sqrt(3), 5);
  expect(entry(rhombus, 0, 1)).toBeCloseTo(-0.5 / Math.sqrt(3), 5);
  expect(entry(rhombus, 0, 3)).toBe(0);
  const { areas } = laplacianOf(rhombus);
  expect(areas[0]).toBeCloseTo(h / 6, 5);
  expect(areas[1]).toBeCloseTo(h / 3, 5);
});

test("a linear function over a flat sheet of acute triangles has a zero Laplacian inside", () => {
  const n = 7;
  const random = createRandom(3);
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < n * n; i++) {
    const row = Math.floor(i / n);
    positions.push((i % n) + row / 2 + random() * 0.1, row * 0.866 + random() * 0.1, 0);
    if (i % n < n - 1 && row < n - 1) triangles.push(i, i + 1, i + n, i + 1, i + n + 1, i + n);
  }
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const { matrix } = laplacianOf(mesh);
  const { starts, items } = matrix.pattern;
  for (let v = n; v < n * n - n; v++) {
    if (v % n === 0 || v % n === n - 1) continue;
    let sum = matrix.diagonal[v] * positions[v * 3];
    for (let p = starts[v]; p < starts[v + 1]; p++)
      sum += matrix.values[p] * positions[items[p] * 3];
    expect(sum, `vertex ${v}`).toBeCloseTo(0, 5);
  }
});

test("slivers, flat and folded triangles: symmetric, rows sum to zero, weights positive and finite", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const positions = Float32Array.from({ length: 60 }, () => Math.round(random() * 3) / 3);
    const triangles = Uint32Array.from({ length: 120 }, () => Math.floor(random() * 20));
    const { matrix, areas } = laplacianOf({ positions, triangles });
    const { starts, items } = matrix.pattern;
    const dense = new Map<string, number>();
    for (let v = 0; v < 20; v++) {
      let sum = matrix.diagonal[v];
      for (let p = starts[v]; p < starts[v + 1]; p++) {
        expect(-matrix.values[p], `seed ${seed}`).toBeGreaterThan(0);
        expect(Number.isFinite(matrix.values[p])).toBe(true);
        sum += matrix.values[p];
        dense.set(`${v} ${items[p]}`, matrix.values[p]);
      }
      expect(Math.abs(sum), `seed ${seed}`).toBeLessThan(1e-9);
      expect(areas[v]).toBeGreaterThanOrEqual(0);
    }
    for (const [key, value] of dense) {
      expect(dense.get(key.split(" ").reverse().join(" ")), `seed ${seed}`).toBeCloseTo(value, 9);
    }
  }
});
