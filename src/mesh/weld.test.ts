import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { weld, weldTriangles } from "./weld.ts";

/** Literal implementation of the rule in the doc comment. */
function slowWeld(positions: Float32Array, tolerance: number): number[] {
  const firsts: number[] = [];
  const welded: number[] = [];
  for (let vertex = 0; vertex < positions.length / 3; vertex++) {
    const place = firsts.findIndex((first) => {
      let sum = 0;
      for (let i = 0; i < 3; i++)
        sum += (positions[first * 3 + i] - positions[vertex * 3 + i]) ** 2;
      return sum <= tolerance * tolerance;
    });
    welded.push(place >= 0 ? place : firsts.push(vertex) - 1);
  }
  return welded;
}

describe("weld", () => {
  test.each([1, 2, 3, 4, 5, 6])("agrees with the slow rule on random clouds, seed %i", (seed) => {
    const random = createRandom(seed);
    const spread = 10 ** (random() * 6 - 3);
    const positions = Float32Array.from({ length: 600 }, () => (random() - 0.5) * spread);
    const tolerance = spread * random() * 0.1;
    const result = weld(positions, tolerance);
    expect([...result.welded]).toEqual(slowWeld(positions, tolerance));
    expect(result.count).toBe(Math.max(...result.welded) + 1);
  });

  test("joins equal positions and only those when the tolerance is zero", () => {
    const positions = Float32Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3.0000002, -0, 0, 0, 0, 0, 0);
    const { welded, count, positions: places } = weld(positions, 0);
    expect([...welded]).toEqual([0, 0, 1, 2, 2]);
    expect(count).toBe(3);
    expect([...places.subarray(0, 3)]).toEqual([1, 2, 3]);
  });

  test("uses the lowest index, whatever its cell", () => {
    const positions = Float32Array.of(0, 0, 0, 1.5, 0, 0, 0.9, 0, 0);
    expect([...weld(positions, 1).welded]).toEqual([0, 1, 0]);
  });

  test("accepts no vertices, one vertex and positions that are not finite", () => {
    expect(weld(new Float32Array(0), 0.1).count).toBe(0);
    expect(weld(Float32Array.of(5, 5, 5), 0).count).toBe(1);
    expect(weld(Float32Array.of(NaN, 0, 0, NaN, 0, 0, Infinity, 0, 0), 0.1).count).toBe(3);
  });
});

describe("weldTriangles", () => {
  test("renumbers corners and drops triangles that lost one", () => {
    const mesh = { positions: new Float32Array(15), triangles: Uint32Array.of(0, 1, 2, 2, 3, 4) };
    expect([...weldTriangles(mesh, Int32Array.of(5, 6, 7, 7, 8))]).toEqual([5, 6, 7]);
  });
});
