import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import type { Mesh } from "./mesh.ts";
import { orientOutwards, outwardNormals } from "./orient.ts";

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
