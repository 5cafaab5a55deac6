/** Compares the columns of the bend, the body and the radii with values computed by hand and by slow loops. */
import { expect, test } from "vitest";
import { randomGraphInput } from "../../test/helpers/random-graph-input.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { bonesOf } from "../skeleton/bones.ts";
import { BEND_FEATURES, bendFeatures } from "./bend-features.ts";
import { BODY_FEATURES, bodyFeatures } from "./body-features.ts";
import { bodyThickness } from "./body-thickness.ts";
import { RADIUS_FEATURES, radiusFeatures } from "./bone-features.ts";
import { buildSkinGraph, featureWidths } from "./build-skin-graph.ts";
import { jointRadii, segmentTails } from "./joint-radii.ts";
import { logDistance } from "./pair-features.ts";
import type { GraphInput } from "./skin-graph.ts";

/** An arm that is bent by a right angle: shoulder, elbow, wrist with a tail; some vertices around the elbow. */
function bentArm(): GraphInput {
  const skeleton = {
    names: ["shoulder", "elbow", "wrist"],
    parents: Int32Array.of(-1, 0, 1),
    positions: Float32Array.of(0, 0, 0, 0.4, 0, 0, 0.4, 0.4, 0),
  };
  const positions = Float32Array.of(0.3, 0.1, 0, 0.3, -0.1, 0, 0.5, 0.1, 0, 0.4, 0.3, 0.08);
  const each = [0, 1, 2];
  return {
    mesh: { positions, triangles: Uint32Array.of(0, 1, 2, 1, 2, 3) },
    skeleton,
    bones: bonesOf(skeleton, Float32Array.of(0, 0, 0, 0, 0, 0, 0.4, 0.5, 0)),
    inside: Float32Array.of(1, 1, 1),
    distances: {
      k: 3,
      bones: Int32Array.from([...each, ...each, 1, 0, 2, 1, 2, 0]),
      distances: new Float32Array(12).fill(0.1),
    },
    normals: Float32Array.of(0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1),
    thickness: Float32Array.of(0.2, 0.2, 0.1, 0.16),
    ball: Int32Array.of(1, 2, 0, 2, 0, 1, 0, 1),
    prior: new Float32Array(12),
  };
}

function row(table: Float32Array, at: number): Record<string, number> {
  const width = BEND_FEATURES.length;
  return Object.fromEntries(BEND_FEATURES.map((name, i) => [name, table[at * width + i]]));
}

test("radii are medians of the vertices on the halves of the segments that touch a joint", () => {
  // Nearest bones are the upper arm (twice, past its middle: they belong to the elbow) and the forearm (near its
  // head: the elbow; past its middle: the wrist).
  const radii = jointRadii(bentArm());
  expect(radii[1]).toBeCloseTo(0.1, 5);
  expect(radii[2]).toBeCloseTo(0.08, 5);
  // There are no vertices next to the shoulder: the elbow's radius is used.
  expect(radii[0]).toBeCloseTo(0.1, 5);
});

test("segments store the joints they lead to", () => {
  const { bones, skeleton } = bentArm();
  expect([...segmentTails(bones, skeleton)]).toEqual([1, 2, -1]);
});

test("the bend of an elbow: planes, radial distance, inner and outer side", () => {
  const input = bentArm();
  const radii = Float32Array.of(0.1, 0.1, 0.08);
  const table = bendFeatures(input, radii, 3);
  // Vertex 0 is in the crook, on the side of the forearm.
  const upper = row(table, 0);
  expect(upper.planeHead).toBeCloseTo(0.3 / 0.11 / 3, 4);
  expect(upper.planeTail).toBeCloseTo((-0.1 * Math.SQRT1_2 + 0.1 * Math.SQRT1_2) / 0.11 / 3, 4);
  expect(upper.radial).toBeCloseTo(0, 4);
  expect(upper.bendHead).toBe(0);
  expect(upper.bendTail).toBeCloseTo(1, 4);
  expect(upper.azimuthUp).toBeCloseTo(1, 4);
  // Vertex 1 is outside, and in front of the plane that halves the bend.
  const outer = row(table, 3);
  expect(outer.planeTail).toBeCloseTo((-0.2 * Math.SQRT1_2) / 0.11 / 3, 4);
  expect(outer.bendTail).toBeCloseTo(-1, 4);
  // For the forearm's own bend, vertex 0 is on the side away from the upper arm.
  const fore = row(table, 1);
  expect(fore.planeHead).toBeCloseTo(0, 4);
  expect(fore.bendHead).toBeCloseTo(-1, 4);
  expect(fore.azimuthUp).toBeCloseTo(0, 4);
});

test("the columns do not depend on scale", () => {
  const input = bentArm();
  const by = (array: Float32Array, factor: number) => array.map((value) => value * factor);
  const scaled: GraphInput = {
    ...input,
    mesh: { ...input.mesh, positions: by(input.mesh.positions, 3) },
    skeleton: { ...input.skeleton, positions: by(input.skeleton.positions, 3) },
    bones: bonesOf(
      { ...input.skeleton, positions: by(input.skeleton.positions, 3) },
      by(input.bones.ends, 3),
    ),
  };
  const near = bendFeatures(input, jointRadii(input), 3);
  const far = bendFeatures(scaled, jointRadii(scaled), 3);
  // The floor of 0.01 in the ratios is the only absolute length.
  for (const [i, value] of near.entries()) expect(Math.abs(value - far[i])).toBeLessThan(0.12);
});

test("curvature is positive in a hollow, negative on a ridge, zero on a plane", () => {
  const ring = (height: number): GraphInput => ({
    ...bentArm(),
    mesh: {
      positions: Float32Array.of(0, 0, 0, 1, 0, height, -1, 0, height, 0, 1, height),
      triangles: Uint32Array.of(0, 1, 3, 0, 3, 2, 0, 2, 1),
    },
    normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
    ball: Int32Array.of(1, 2, 0, 0, 0, 0, 0, 0),
  });
  const at = (height: number) => {
    const input = ring(height);
    return bodyFeatures(input, vertexNeighbors(input.mesh.triangles, 4));
  };
  expect(at(0)[0]).toBe(0);
  expect(at(0.75)[0]).toBeCloseTo(0.75 / 1.25, 4);
  expect(at(-0.75)[1]).toBeCloseTo(-0.75 / 1.25, 4);
  expect(at(0)[2]).toBeCloseTo(logDistance(0.1), 4);
});

test("thickness is the distance through the body along the inward normal", () => {
  // A bar from x = 0.2 to 0.8 in a grid of tenths.
  const n = 10;
  const grid = {
    ...{ nx: n, ny: n, nz: n, size: 0.1, cells: new Uint8Array(n ** 3) },
    origin: [0, 0, 0] as [number, number, number],
  };
  const outside = Uint8Array.from({ length: n ** 3 }, (_, cell) =>
    cell % n < 2 || cell % n >= 8 ? 1 : 0,
  );
  const thickness = bodyThickness(
    Float32Array.of(0.8, 0.45, 0.45, 0.2, 0.45, 0.45),
    Float32Array.of(1, 0, 0, -1, 0, 0),
    grid,
    outside,
  );
  for (const value of thickness) expect(Math.abs(value - 0.6)).toBeLessThanOrEqual(0.0501);
});

test("bones have the radii of both ends; leaves that of their joint", () => {
  const table = radiusFeatures(bentArm(), Float32Array.of(0.3, 0.2, 0.1));
  expect(RADIUS_FEATURES.length).toBe(2);
  const expected = [0.3, 0.2, 0.2, 0.1, 0.1, 0.1].map(logDistance);
  for (const [i, value] of table.entries()) expect(value).toBeCloseTo(expected[i], 5);
});

test("the feature set bend is the set extended with additional columns", () => {
  const input = randomGraphInput(60, 7, 3, 4);
  const config = { k: 4, ring: 8, ball: 16 };
  const plain = buildSkinGraph(input, { ...config, features: "extended" });
  const bend = buildSkinGraph(input, { ...config, features: "bend" });
  const [short, long] = [
    featureWidths({ ...config, features: "extended" }),
    featureWidths({ ...config, features: "bend" }),
  ];
  expect(long.vertex - short.vertex).toBe(BODY_FEATURES.length);
  const head = (table: Float32Array, from: number, to: number) =>
    table.filter((_, i) => i % from < to);
  expect(head(bend.vertexFeatures, long.vertex, short.vertex)).toEqual(plain.vertexFeatures);
  expect(head(bend.boneFeatures, long.bone, short.bone)).toEqual(plain.boneFeatures);
  expect(head(bend.pairFeatures, long.pair, short.pair)).toEqual(plain.pairFeatures);
  expect(bend.pairFeatures.every(Number.isFinite)).toBe(true);
});
