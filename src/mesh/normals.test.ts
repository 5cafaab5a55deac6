import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import type { Mesh } from "./mesh.ts";
import { orientOutwards, outwardNormals, vertexNormals } from "./normals.ts";

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

/** Two octahedra of radius 1, two apart in x, facing outward. */
function twoOctahedra(): Mesh {
  const ring = [
    [1, 0, 0],
    [0, 0, -1],
    [-1, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
    [0, -1, 0],
  ];
  const positions = [0, 4].flatMap((x) => ring.flatMap((p) => [p[0] + x, p[1], p[2]]));
  const triangles = [0, 6].flatMap((base) =>
    [0, 1, 2, 3].flatMap((i) => {
      const [a, b] = [base + i, base + ((i + 1) % 4)];
      return [a, b, base + 4, b, a, base + 5];
    }),
  );
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const outside = (x: number, y: number, z: number): boolean =>
  Math.abs(x) + Math.abs(y) + Math.abs(z) > 1 && Math.abs(x - 4) + Math.abs(y) + Math.abs(z) > 1;

test("triangles flipped at random are oriented, in each part", () => {
  const mesh = twoOctahedra();
  for (let seed = 0; seed < 10; seed++) {
    const random = createRandom(seed);
    const triangles = mesh.triangles.slice();
    for (let i = 0; i < triangles.length; i += 3) {
      if (random() < 0.5) [triangles[i], triangles[i + 1]] = [triangles[i + 1], triangles[i]];
    }
    const normals = outwardNormals({ ...mesh, triangles }, outside, 0.1);
    for (let v = 0; v < 12; v++) {
      const center = v < 6 ? 0 : 4;
      expect(normals[v * 3], `seed ${seed}`).toBeCloseTo(mesh.positions[v * 3] - center, 5);
      expect(normals[v * 3 + 1], `seed ${seed}`).toBeCloseTo(mesh.positions[v * 3 + 1], 5);
      expect(normals[v * 3 + 2], `seed ${seed}`).toBeCloseTo(mesh.positions[v * 3 + 2], 5);
    }
  }
});

test("cloth with the outside on both sides keeps the winding of its larger part", () => {
  const positions = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1.2, 0.5, 0]);
  const triangles = Uint32Array.from([0, 1, 2, 0, 2, 3, 1, 2, 4]);
  const turned = orientOutwards({ positions, triangles }, () => true, 0.1).triangles;
  expect([...turned]).toEqual([0, 1, 2, 0, 2, 3, 1, 4, 2]);
});

test("a tie up to rounding keeps the winding of most triangles", () => {
  // In a strip of three, one large triangle has the outside in front, two small ones have it behind.
  const strip = (noise: number): Mesh => ({
    positions: Float32Array.from([0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 1, 0, 4 + noise, 0, 0]),
    triangles: Uint32Array.from([0, 1, 2, 2, 1, 3, 1, 4, 3]),
  });
  const seen = (x: number, _y: number, z: number): boolean =>
    x < 1 ? z > 0 : x > 2 ? z < 0 : true;
  for (const noise of [-1e-5, 0, 1e-5]) {
    const mesh = strip(noise);
    expect(orientOutwards(mesh, seen, 0.1).triangles, `${noise}`).toEqual(mesh.triangles);
  }
});
