import { describe, expect, test } from "vitest";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { cellAt, MESH } from "../voxel/voxel-grid.ts";
import { type MeasuredCharacter, type MeasureOptions, measureDistancesSync } from "./measure.ts";

describe("a ball that floats above the head", () => {
  const body = boxMesh([-0.1, 0, -0.1], [0.1, 0.7, 0.1], 6);
  const ball = sphereMesh([0, 0.9, 0], 0.07);
  const skeleton = chain([0, 0.05, 0], [0, 0.3, 0], [0, 0.55, 0], [0, 0.65, 0]);

  test.each(["default", "paper"] as const)("is nearest to the head bone (%s)", (variant) => {
    const measured = measure(joinMeshes(body, ball), skeleton, { variant });
    for (const v of range(body.positions.length / 3, ball.positions.length / 3)) {
      // With the paper's point leaves, the leaf and the bone that ends there tie.
      expect(variant === "paper" ? [2, 3] : [3]).toContain(nearest(measured, v));
      expect(distanceTo(measured, v, 0)).toBeLessThan(Infinity);
    }
  });

  test("is out of reach of the volumetric distance", () => {
    const measured = measure(joinMeshes(body, ball), skeleton, { distance: "volumetric" });
    expect(nearest(measured, body.positions.length / 3)).toBe(-1);
    expect(nearest(measured, 0)).toBe(0);
  });
});

test("dress bones outside the body are nearest to the hem", () => {
  const body = boxMesh([-0.08, 0, -0.08], [0.08, 1, 0.08], 8);
  const dress = coneMesh(0.55, 0.09, 0.1, 0.4, 24);
  // A spine in the body, and two dress bones that hang from it between body and cloth.
  const skeleton: Skeleton = {
    names: ["root", "spine", "left", "left end", "right", "right end"],
    parents: Int32Array.of(-1, 0, 0, 2, 0, 4),
    positions: Float32Array.of(
      0,
      0.5,
      0,
      0,
      0.9,
      0,
      0.2,
      0.35,
      0,
      0.38,
      0.12,
      0,
      -0.2,
      0.35,
      0,
      -0.38,
      0.12,
      0,
    ),
  };
  const mesh = joinMeshes(body, dress);
  const measured = measure(mesh, skeleton, {});
  for (const v of range(body.positions.length / 3, dress.positions.length / 3)) {
    const [x, y] = mesh.positions.subarray(v * 3, v * 3 + 3);
    if (y > 0.15 || Math.abs(x) < 0.2) continue;
    expect(x > 0 ? [2, 3] : [4, 5]).toContain(nearest(measured, v));
  }
});

test("nested shells: a bone reaches the shell around it first, then the next by a restart", () => {
  const inner = sphereMesh([0, 0, 0], 0.2);
  const outer = sphereMesh([0, 0, 0], 0.5);
  const skeleton = points([0, 0, 0], [0.75, 0, 0]);
  const measured = measure(joinMeshes(inner, outer), skeleton, {});
  const innerCount = inner.positions.length / 3;
  for (const v of range(0, innerCount)) expect(nearest(measured, v)).toBe(0);
  const { size } = measured.grid;
  for (const v of range(innerCount, outer.positions.length / 3)) {
    // The restart leaves the inner shell at one cell, so the path to the far side goes around it.
    expect(distanceTo(measured, v, 0)).toBeGreaterThan(0.5 - 2 * size);
    expect(distanceTo(measured, v, 0)).toBeLessThan(1.6);
    expect(distanceTo(measured, v, 1)).toBeLessThan(Infinity);
  }
});

test("a hand near the thigh: the path runs through the body, not across the gap", () => {
  // An arch: an arm and a leg side by side, joined at the shoulder.
  const mesh = joinMeshes(
    boxMesh([-0.3, 0, -0.1], [-0.1, 0.8, 0.1], 8),
    boxMesh([-0.02, 0, -0.1], [0.3, 0.8, 0.1], 8),
    boxMesh([-0.3, 0.8, -0.1], [0.3, 1, 0.1], 8),
  );
  const skeleton: Skeleton = {
    names: ["shoulder", "hand", "hip", "knee"],
    parents: Int32Array.of(-1, 0, 0, 2),
    positions: Float32Array.of(0, 0.9, 0, -0.2, 0.1, 0, 0.14, 0.4, 0, 0.14, 0.05, 0),
  };
  const measured = measure(mesh, skeleton, { resolution: 60 });
  const straight = measure(mesh, skeleton, { resolution: 60, distance: "euclid" });
  const hands = [...range(0, mesh.positions.length / 3)].filter((v) => {
    const [x, y] = mesh.positions.subarray(v * 3, v * 3 + 3);
    return Math.abs(x + 0.1) < 1e-6 && y < 0.2;
  });
  expect(hands.length).toBeGreaterThan(0);
  for (const v of hands) {
    expect(distanceTo(straight, v, 3)).toBeLessThan(0.35);
    expect([0, 1]).toContain(nearest(measured, v));
    // Up the leg to the shoulder and down the arm.
    expect(distanceTo(measured, v, 3)).toBeGreaterThan(1.2);
  }
});

test("a bone inside a one-cell-thick wall leaves it, and follows it by the paper's rule", () => {
  // A bone in the middle of one face of a hollow box; a vertex in the middle of the opposite face.
  const mesh = boxMesh([0, 0, 0], [1, 1, 1], 8);
  const skeleton = points([0.5, 0.5, 0]);
  const free = measure(mesh, skeleton, { resolution: 20 });
  const bound = measure(mesh, skeleton, { resolution: 20, variant: "paper" });
  expect(free.grid.cells[cellAt(free.grid, 0.5, 0.5, 0)]).toBe(MESH);
  const opposite = [...range(0, mesh.positions.length / 3)].find(
    (v) => `${mesh.positions.subarray(v * 3, v * 3 + 3)}` === "0.5,0.5,1",
  )!;
  expect(distanceTo(free, opposite, 0)).toBeLessThan(1.1);
  expect(distanceTo(bound, opposite, 0)).toBeGreaterThan(1.8);
});

test("bones far outside the mesh keep their order and do not shrink the mesh", () => {
  const mesh = sphereMesh([0, 0, 0], 0.5);
  const skeleton = points([0, 0, 0], [40, 0, 0], [1e6, 0, 0], [0, -1e30, 0]);
  const measured = measure(mesh, skeleton, { resolution: 30 });
  const { grid } = measured;
  expect(grid.size).toBeLessThan(0.15);
  for (const v of range(0, mesh.positions.length / 3)) {
    expect([...measured.distances.bones.subarray(v * 4, v * 4 + 2)]).toEqual([0, 1]);
    expect(measured.distances.distances.subarray(v * 4, v * 4 + 4).every(Number.isFinite)).toBe(
      true,
    );
    expect(Math.abs(distanceTo(measured, v, 1) - 40)).toBeLessThan(3);
  }
});

test("a single triangle", () => {
  const mesh: Mesh = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    triangles: Uint32Array.of(0, 1, 2),
  };
  const measured = measure(mesh, points([0, 0, 0], [1, 0, 0.3], [0, 1, -0.3]), {});
  expect([0, 1, 2].map((v) => nearest(measured, v))).toEqual([0, 1, 2]);
});

test("a closed box without opening: bones inside and outside reach every vertex", () => {
  const mesh = boxMesh([0, 0, 0], [1, 1, 1], 6);
  const measured = measure(mesh, points([0.5, 0.5, 0.5], [0.5, 0.5, 1.4]), {});
  for (const v of range(0, mesh.positions.length / 3)) {
    expect(distanceTo(measured, v, 0)).toBeLessThan(1.7);
    expect(distanceTo(measured, v, 1)).toBeLessThan(4);
  }
});

test("a mesh that is one point, and one without triangles", () => {
  const one: Mesh = { positions: Float32Array.of(3, 4, 5), triangles: new Uint32Array(0) };
  const measured = measure(one, points([3, 4, 5]), {});
  expect(measured.distances.distances[0]).toBe(0);
});

function measure(mesh: Mesh, skeleton: Skeleton, options: MeasureOptions): MeasuredCharacter {
  const k = skeleton.parents.length;
  return measureDistancesSync({ mesh, skeleton }, { resolution: 48, k, ...options });
}

function nearest({ distances }: MeasuredCharacter, v: number): number {
  return distances.bones[v * distances.k];
}

function distanceTo({ distances }: MeasuredCharacter, v: number, bone: number): number {
  const { k, bones } = distances;
  const slot = bones.subarray(v * k, v * k + k).indexOf(bone);
  return slot < 0 ? Infinity : distances.distances[v * k + slot];
}

function* range(start: number, count: number): Generator<number> {
  for (let i = start; i < start + count; i++) yield i;
}

/** A chain of joints. */
function chain(...places: number[][]): Skeleton {
  return { ...points(...places), parents: Int32Array.from(places.keys(), (i) => i - 1) };
}

/** Joints without bones between them. */
function points(...places: number[][]): Skeleton {
  return {
    names: places.map((_, i) => `joint ${i}`),
    parents: new Int32Array(places.length).fill(-1),
    positions: Float32Array.from(places.flat()),
  };
}

/** A surface over the unit square, `columns` × `rows` quads. */
function sheet(columns: number, rows: number, at: (u: number, v: number) => number[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let j = 0; j <= rows; j++) {
    for (let i = 0; i <= columns; i++) positions.push(...at(i / columns, j / rows));
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const a = i + (columns + 1) * j;
      triangles.push(a, a + 1, a + columns + 1, a + 1, a + columns + 2, a + columns + 1);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function boxMesh(min: number[], max: number[], n: number): Mesh {
  const mix = (axis: number, t: number) => min[axis] + t * (max[axis] - min[axis]);
  const faces = [0, 1].flatMap((side) => [
    sheet(n, n, (u, v) => [mix(0, side), mix(1, u), mix(2, v)]),
    sheet(n, n, (u, v) => [mix(0, u), mix(1, side), mix(2, v)]),
    sheet(n, n, (u, v) => [mix(0, u), mix(1, v), mix(2, side)]),
  ]);
  return joinMeshes(...faces);
}

function sphereMesh(center: number[], radius: number): Mesh {
  return sheet(16, 8, (u, v) => {
    const [a, b] = [2 * Math.PI * u, Math.PI * v];
    const place = [Math.sin(b) * Math.cos(a), Math.cos(b), Math.sin(b) * Math.sin(a)];
    return place.map((x, axis) => center[axis] + radius * x);
  });
}

/** Open at both ends, from height y1 and radius r1 down to y0 and r0. */
function coneMesh(y1: number, r1: number, y0: number, r0: number, n: number): Mesh {
  return sheet(n, 8, (u, v) => {
    const r = r1 + v * (r0 - r1);
    return [r * Math.cos(2 * Math.PI * u), y1 + v * (y0 - y1), r * Math.sin(2 * Math.PI * u)];
  });
}
