import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { nearestOnTriangle } from "../math/triangle.ts";
import { createClosestPoint } from "./closest-point.ts";
import type { Mesh } from "./mesh.ts";

/** Random triangles, some long, some flat, some mere points, some twice. */
function soup(seed: number, count: number): Mesh {
  const random = createRandom(seed);
  const positions: number[] = [];
  for (let f = 0; f < count; f++) {
    const center = [random(), random(), random()];
    const size = f % 7 === 0 ? 1 : 0.05;
    for (let k = 0; k < 3; k++) {
      for (let axis = 0; axis < 3; axis++) {
        positions.push(center[axis] + (random() - 0.5) * size * (f % 5 === 0 ? 0 : 1));
      }
    }
  }
  const triangles = Array.from({ length: count * 3 }, (_, i) => (i % 33 === 31 ? i - 1 : i));
  triangles.push(...triangles.slice(0, 30));
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** The nearest point of a triangle by dense sampling. */
function sampledSquare(t: number[], p: number[]): number {
  const n = 60;
  let best = Infinity;
  for (let i = 0; i <= n; i++) {
    for (let j = 0; i + j <= n; j++) {
      let square = 0;
      for (let axis = 0; axis < 3; axis++) {
        const at = (t[axis] * (n - i - j) + t[3 + axis] * i + t[6 + axis] * j) / n;
        square += (at - p[axis]) ** 2;
      }
      best = Math.min(best, square);
    }
  }
  return best;
}

describe("nearestOnTriangle", () => {
  test.each([1, 2, 3])(
    "is never further than any sampled point, and is on the triangle, seed %i",
    (seed) => {
      const random = createRandom(seed);
      const out = new Float64Array(3);
      for (let i = 0; i < 150; i++) {
        const t = Array.from({ length: 9 }, () => random());
        if (i % 10 === 1) t.splice(3, 3, ...t.slice(0, 3));
        if (i % 10 === 2) t.splice(6, 3, ...t.slice(3, 6));
        if (i % 10 === 3) t.splice(0, 9, ...t.slice(0, 3), ...t.slice(0, 3), ...t.slice(0, 3));
        if (i % 10 === 4) for (let a = 0; a < 3; a++) t[6 + a] = 2 * t[3 + a] - t[a];
        const p = [random() * 2 - 0.5, random() * 2 - 0.5, random() * 2 - 0.5];
        const square = nearestOnTriangle(t, p[0], p[1], p[2], out);
        const sampled = sampledSquare(t, p);
        expect(square).toBeLessThanOrEqual(sampled + 1e-12);
        expect(Math.sqrt(sampled) - Math.sqrt(square)).toBeLessThan(0.03);
        expect(Math.min(...out)).toBeGreaterThanOrEqual(-1e-12);
        expect(out[0] + out[1] + out[2]).toBeCloseTo(1, 12);
        const at = [0, 1, 2].map((a) => out[0] * t[a] + out[1] * t[3 + a] + out[2] * t[6 + a]);
        const length = Math.hypot(at[0] - p[0], at[1] - p[1], at[2] - p[2]);
        expect(length).toBeCloseTo(Math.sqrt(square), 6);
      }
    },
  );
});

describe("createClosestPoint", () => {
  test.each([1, 2, 3])(
    "equals a search through every triangle, with and without limits, seed %i",
    (seed) => {
      const mesh = soup(seed, 400);
      const random = createRandom(seed + 100);
      const find = createClosestPoint(mesh);
      const out = new Float64Array(3);
      for (let i = 0; i < 300; i++) {
        const p = [0, 1, 2].map(() => random() * 3 - 1);
        const limit = i % 3 === 0 ? 0.1 : undefined;
        const accept = i % 4 === 0 ? (triangle: number) => triangle % 3 === 1 : undefined;
        let best = -1;
        let least = limit === undefined ? Infinity : limit * limit;
        for (let f = 0; f < mesh.triangles.length / 3; f++) {
          if (accept && !accept(f)) continue;
          const t = [0, 1, 2].flatMap((k) => {
            const v = mesh.triangles[f * 3 + k] * 3;
            return [...mesh.positions.subarray(v, v + 3)];
          });
          const square = nearestOnTriangle(t, p[0], p[1], p[2], out);
          if (square < least) {
            least = square;
            best = f;
          }
        }
        const found = find(p[0], p[1], p[2], limit, accept);
        expect(found?.triangle ?? -1).toBe(best);
        if (found) expect(found.distance).toBe(Math.sqrt(least));
      }
    },
  );

  test("finds nothing in a mesh without triangles, and handles thousands at one position", () => {
    const positions = Float32Array.of(1, 2, 3);
    expect(createClosestPoint({ positions, triangles: new Uint32Array(0) })(0, 0, 0)).toBe(
      undefined,
    );
    const find = createClosestPoint({ positions, triangles: new Uint32Array(30000) });
    expect(find(1, 2, 5)).toEqual({ triangle: 0, barycentric: [1, 0, 0], distance: 2 });
  });
});
