import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../src/math/random.ts";
import { openSides, volumeAndArea } from "./mesh-checks.ts";
import { relax } from "./relax.ts";
import { ball, ellipsoid, roundBox, type SignedDistance, smoothUnion } from "./signed-distance.ts";
import { surfaceNets } from "./surface-nets.ts";

const BOX = { min: [-1, -1, -1], max: [1, 1, 1] };

function randomShape(random: Random): SignedDistance {
  const place = () => [0, 1, 2].map(() => random() * 1.2 - 0.6);
  const shapes = Array.from({ length: 12 }, () => ball(place(), 0.08 + 0.2 * random()));
  return smoothUnion(shapes, 0.05);
}

describe("surfaceNets", () => {
  test("reproduces the area and volume of a ball within 2 %", () => {
    const shape = ball([0.1, 0, -0.05], 0.8);
    const mesh = relax(surfaceNets(shape, BOX, 0.06), shape, 0.06, 5);
    const { volume, area } = volumeAndArea(mesh);
    expect(Math.abs(volume / ((4 / 3) * Math.PI * 0.8 ** 3) - 1)).toBeLessThan(0.02);
    expect(Math.abs(area / (4 * Math.PI * 0.8 ** 2) - 1)).toBeLessThan(0.02);
    expect(openSides(mesh)).toBe(0);
  });

  test.each([1, 2, 3, 4, 5, 6])(
    "is closed, with two triangles per edge, for any shape (seed %i)",
    (seed) => {
      const mesh = surfaceNets(randomShape(createRandom(seed)), BOX, 0.07);
      expect(mesh.triangles.length).toBeGreaterThan(300);
      expect(openSides(mesh)).toBe(0);
      expect(volumeAndArea(mesh).volume).toBeGreaterThan(0);
    },
  );

  test("skipping far blocks changes nothing", () => {
    // A shape that claims to be near everywhere prevents the skipping of blocks.
    const shape = ellipsoid([0, 0.1, 0], [0.7, 0.4, 0.5]);
    const slow: SignedDistance = (x, y, z) => Math.max(-0.1, Math.min(0.1, shape(x, y, z)));
    expect(surfaceNets(shape, BOX, 0.05).triangles).toEqual(surfaceNets(slow, BOX, 0.05).triangles);
  });

  test("a symmetric shape yields a symmetric mesh", () => {
    const mesh = surfaceNets(roundBox([0, 0, 0], [0.61, 0.4, 0.3], 0.1), BOX, 0.09);
    const keys = new Set<string>();
    const key = (x: number, y: number, z: number) =>
      [x, y, z].map((value) => (Math.round(value * 1e4) + 0).toString()).join(" ");
    for (let i = 0; i < mesh.positions.length; i += 3) {
      keys.add(key(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]));
    }
    for (let i = 0; i < mesh.positions.length; i += 3) {
      expect(keys).toContain(key(-mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]));
    }
  });
});

describe("relax", () => {
  test("puts every vertex onto the surface and evens out the edges", () => {
    const shape = ellipsoid([0, 0, 0], [0.8, 0.5, 0.6]);
    const rough = surfaceNets(shape, BOX, 0.07);
    const even = relax(rough, shape, 0.07, 6);
    let furthest = 0;
    for (let i = 0; i < even.positions.length; i += 3) {
      const [x, y, z] = even.positions.subarray(i, i + 3);
      furthest = Math.max(furthest, Math.abs(shape(x, y, z)));
    }
    expect(furthest).toBeLessThan(0.002);
    expect(spread(even)).toBeLessThan(0.75 * spread(rough));
  });

  /** Variation of edge lengths: standard deviation divided by mean. */
  function spread({ positions, triangles }: ReturnType<typeof relax>): number {
    const lengths = [...triangles].map((a, corner) => {
      const b = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
      return Math.hypot(
        ...[0, 1, 2].map((axis) => positions[a * 3 + axis] - positions[b * 3 + axis]),
      );
    });
    const mean = lengths.reduce((sum, value) => sum + value, 0) / lengths.length;
    const square = lengths.reduce((sum, value) => sum + (value - mean) ** 2, 0) / lengths.length;
    return Math.sqrt(square) / mean;
  }
});
