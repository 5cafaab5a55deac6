import { expect, test } from "vitest";
import { factorCholesky } from "../math/symmetric-solver.ts";
import { connectedComponents, vertexNeighbors } from "./adjacency.ts";
import { dissectionOrder } from "./dissection-order.ts";
import type { Mesh } from "./mesh.ts";

/** Separate sheets of n×n vertices, with one isolated point. */
function sheets(n: number, count: number): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let sheet = 0; sheet < count; sheet++) {
    const base = sheet * n * n;
    for (let i = 0; i < n * n; i++) {
      positions.push(i % n, Math.floor(i / n), sheet * 2);
      if (i % n === n - 1 || i + n >= n * n) continue;
      triangles.push(base + i, base + i + 1, base + i + n);
      triangles.push(base + i + 1, base + i + n + 1, base + i + n);
    }
  }
  positions.push(0, 0, -5);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

test("every vertex occurs once, and each part is contiguous", () => {
  const { positions, triangles } = sheets(9, 3);
  const neighbors = vertexNeighbors(triangles, positions.length / 3);
  const parts = connectedComponents(neighbors);
  const { order, starts } = dissectionOrder(positions, neighbors, parts);
  expect([...order].sort((a, b) => a - b)).toEqual([...order.keys()]);
  for (let part = 0; part < parts.count; part++) {
    for (let i = starts[part]; i < starts[part + 1]; i++) {
      expect(parts.component[order[i]]).toBe(part);
    }
  }
});

test("the factor of a sheet of 60×60 has far less fill-in than in the order of the file", () => {
  const { positions, triangles } = sheets(60, 1);
  const count = positions.length / 3;
  const neighbors = vertexNeighbors(triangles, count);
  const matrix = {
    diagonal: new Float64Array(count).fill(8),
    pattern: neighbors,
    values: new Float64Array(neighbors.items.length).fill(-1),
  };
  const fill = (order: Int32Array) => factorCholesky(matrix, order).rows.length / count;
  const { order } = dissectionOrder(positions, neighbors, connectedComponents(neighbors));
  expect(fill(Int32Array.from({ length: count }, (_, i) => i))).toBeGreaterThan(55);
  expect(fill(order)).toBeLessThan(27);
});

test("two hubs connected to every vertex of a rim do not fill the factor", () => {
  const rim = 2000;
  const positions = [0, 1, 0, 0, -1, 0];
  const triangles: number[] = [];
  for (let i = 0; i < rim; i++) {
    const angle = (i / rim) * 2 * Math.PI;
    positions.push(Math.cos(angle), 0, Math.sin(angle));
    const [a, b] = [2 + i, 2 + ((i + 1) % rim)];
    triangles.push(0, a, b, 1, b, a);
  }
  const neighbors = vertexNeighbors(Uint32Array.from(triangles), rim + 2);
  const matrix = {
    diagonal: new Float64Array(rim + 2).fill(2 * rim),
    pattern: neighbors,
    values: new Float64Array(neighbors.items.length).fill(-1),
  };
  const { order } = dissectionOrder(
    Float32Array.from(positions),
    neighbors,
    connectedComponents(neighbors),
  );
  expect(factorCholesky(matrix, order).rows.length / rim).toBeLessThan(12);
});
