import { expect, test } from "vitest";
import type { Mesh } from "./mesh.ts";
import { vertexNormals } from "./normals.ts";

/** A unit cube with each face split along one diagonal, facing outward. */
const cube: Mesh = {
  positions: Float32Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1),
  triangles: Uint32Array.from(
    [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]),
  ),
};

test("a cube's corners point along its diagonals, for any split of its faces", () => {
  const normals = vertexNormals(cube);
  for (let i = 0; i < 24; i++) {
    expect(normals[i]).toBeCloseTo((cube.positions[i] - 0.5) * (2 / Math.sqrt(3)), 5);
  }
});

test("isolated vertices, degenerate triangles and opposite faces yield zero, never NaN", () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 9, 9, 9]);
  const line = vertexNormals({ positions, triangles: Uint32Array.from([0, 1, 2, 0, 0, 3]) });
  expect([...line]).toEqual(new Array(15).fill(0));
  const card = vertexNormals({ positions, triangles: Uint32Array.from([0, 1, 3, 0, 3, 1]) });
  expect([...card]).toEqual(new Array(15).fill(0));
  const one = vertexNormals({ positions, triangles: Uint32Array.from([0, 1, 3]) });
  expect([...one]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
});

test("a sliver does not rotate the normal of a vertex, and nearly opposite faces yield zero", () => {
  // A square of two triangles; a sliver stands across one of its corners.
  const noise = 1e-6;
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 0, noise]);
  const square = [0, 1, 2, 0, 2, 3];
  const normals = vertexNormals({ positions, triangles: Uint32Array.from([...square, 4, 0, 1]) });
  for (const v of [0, 1]) expect(normals[v * 3 + 2]).toBeCloseTo(1, 4);
  const bent = Float32Array.from([0, 0, 0, 1, 0, noise, 0, 1, 0, 1, 0, 0]);
  const card = vertexNormals({ positions: bent, triangles: Uint32Array.from([0, 1, 2, 0, 2, 3]) });
  expect(Math.hypot(...card.subarray(0, 3))).toBe(0);
});
