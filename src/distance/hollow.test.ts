import { describe, expect, test } from "vitest";
import { makeSample, SAMPLES } from "../../samples/index.ts";
import { literalDistances } from "../../test/helpers/hollow-literal.ts";
import { createRandom, type Random } from "../math/random.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import { faceNeighbors, MESH, type VoxelGrid } from "../voxel/voxel-grid.ts";
import type { BoneDistances } from "./bone-distances.ts";
import { boneField, createHollowScene, pathToBone } from "./hollow.ts";
import { measureDistancesSync } from "./measure.ts";
import { searchAllBones } from "./search-scene.ts";

const hollow = (...scene: Parameters<typeof createHollowScene>) =>
  searchAllBones(createHollowScene(...scene));

const SOUPS = 60;

test(`distances equal the literal ones on ${SOUPS} random triangle soups`, () => {
  for (let seed = 1; seed <= SOUPS; seed++) {
    const random = createRandom(seed);
    const mesh = randomSoup(random);
    const skeleton = randomSkeleton(random);
    const grid = buildGrid(mesh, skeleton, { resolution: 16 });
    const bones = bonesOf(skeleton);
    const leaveWall = random() < 0.5;
    const k = 1 + Math.floor(random() * 6);
    const found = hollow(mesh, bones, grid, { k, leaveWall });
    expectLiteral(`seed ${seed}`, found, mesh, bones, grid, leaveWall);
  }
});

test.each(SAMPLES.map((sample) => sample.name))(
  "distances equal the literal ones on %s",
  (name) => {
    const { mesh, skeleton } = SAMPLES.find((sample) => sample.name === name)!.make();
    const { grid, bones, distances } = measureDistancesSync({ mesh, skeleton }, { resolution: 24 });
    expectLiteral(name, distances, mesh, bones, grid, true);
  },
);

describe("equation 1, by hand", () => {
  // A row of cells of side 1: a bone in cell 0, a wall in cell 4.
  const grid: VoxelGrid = {
    nx: 5,
    ny: 1,
    nz: 1,
    origin: [0, 0, 0],
    size: 1,
    cells: Uint8Array.of(0, 0, 0, 0, 1),
  };
  const bone = (x: number): Bones => ({
    segments: Float32Array.of(x, 0.5, 0.5, x, 0.5, 0.5),
    starts: Int32Array.of(0, 1),
    heads: Float32Array.of(x, 0.5, 0.5),
    ends: Float32Array.of(x, 0.5, 0.5),
  });

  test("a vertex has its previous cell's distance plus that to that cell's center", () => {
    const mesh = points([4.25, 0.5, 0.5], [4.5, 0.9, 0.2]);
    const { distances } = hollow(mesh, bone(0.1), grid, { k: 1 });
    // Three steps to cell 3, whose center is (3.5, 0.5, 0.5).
    expect(distances[0]).toBeCloseTo(3 + 0.75, 6);
    expect(distances[1]).toBeCloseTo(3 + Math.hypot(1, 0.4, 0.3), 6);
  });

  test("a vertex in a cell of the bone has its Euclidean distance", () => {
    const { distances } = hollow(points([4.25, 0.5, 0.9]), bone(4.5), grid, { k: 1 });
    expect(distances[0]).toBeCloseTo(Math.hypot(0.25, 0.4), 6);
  });

  test("a bone outside the grid starts at the nearest cell, and the distance to it is added", () => {
    const { distances } = hollow(points([4.25, 0.5, 0.5]), bone(-7), grid, { k: 1 });
    expect(distances[0]).toBeCloseTo(7 + 3 + 0.75, 6);
  });

  test("of two previous cells the one nearer to the vertex is used", () => {
    const square: VoxelGrid = {
      nx: 2,
      ny: 2,
      nz: 1,
      origin: [0, 0, 0],
      size: 1,
      cells: Uint8Array.of(0, 0, 0, 1),
    };
    const mesh = points([1.9, 1.1, 0.5]);
    const { distances } = hollow(mesh, bone(0.5), square, { k: 1 });
    expect(distances[0]).toBeCloseTo(1 + Math.hypot(0.4, 0.6), 6);
  });
});

describe("invariance", () => {
  const random = createRandom(77);
  const { mesh, skeleton } = SAMPLES.find((sample) => sample.name === "fox")!.make();
  const options = { resolution: 40, k: 8 };
  const plain = measureDistancesSync({ mesh, skeleton }, options);

  test("distances do not depend on the order of vertices", () => {
    const order = shuffled(mesh.positions.length / 3, random);
    const place = new Uint32Array(order.length);
    order.forEach((old, now) => {
      place[old] = now;
    });
    const positions = Float32Array.from(order.flatMap((old) => row(mesh.positions, old, 3)));
    const moved = { positions, triangles: mesh.triangles.map((v) => place[v]) };
    const found = measureDistancesSync({ mesh: moved, skeleton }, options).distances;
    const unshuffle = (list: ArrayLike<number>) => [...place].flatMap((now) => row(list, now, 8));
    expect(unshuffle(found.distances)).toEqual([...plain.distances.distances]);
    expect(unshuffle(found.bones)).toEqual([...plain.distances.bones]);
  });

  test("distances do not depend on the order of bones, except for ties", () => {
    const order = shuffled(skeleton.parents.length, random);
    const place = new Int32Array(order.length);
    order.forEach((old, now) => {
      place[old] = now;
    });
    const moved: Skeleton = {
      names: order.map((old) => skeleton.names[old]),
      parents: Int32Array.from(order, (old) => {
        const parent = skeleton.parents[old];
        return parent < 0 ? -1 : place[parent];
      }),
      positions: Float32Array.from(order.flatMap((old) => row(skeleton.positions, old, 3))),
    };
    const found = measureDistancesSync({ mesh, skeleton: moved }, options).distances;
    expect(found.distances).toEqual(plain.distances.distances);
    const wrong = found.bones.filter((bone, i) => {
      const [before, own, after] = [i - 1, i, i + 1].map((slot) => found.distances[slot]);
      const tied = own === before || own === after || i % 8 === 7;
      return !tied && order[bone] !== plain.distances.bones[i];
    });
    expect(wrong.length).toBe(0);
  });

  test("moving and scaling the character scales the distances", () => {
    const scale = 8;
    const shift = [16, -4, 2];
    const apply = (p: Float32Array) => p.map((x, i) => x * scale + shift[i % 3]);
    const found = measureDistancesSync(
      {
        mesh: { ...mesh, positions: apply(mesh.positions) },
        skeleton: { ...skeleton, positions: apply(skeleton.positions) },
      },
      options,
    );
    expectWithinCells(found.distances, scale, plain.distances, plain.grid.size, 2);
  });

  test("a quarter turn changes distances by at most the grid's shift", () => {
    const turn = (p: Float32Array) => {
      const out = p.slice();
      for (let i = 0; i < p.length; i += 3) {
        out[i] = p[i + 2];
        out[i + 2] = -p[i];
      }
      return out;
    };
    const found = measureDistancesSync(
      {
        mesh: { ...mesh, positions: turn(mesh.positions) },
        skeleton: { ...skeleton, positions: turn(skeleton.positions) },
      },
      options,
    );
    expectWithinCells(found.distances, 1, plain.distances, plain.grid.size, 2);
  });
});

test("every bone reaches every vertex of every sample", () => {
  for (const sample of SAMPLES) {
    const { mesh, skeleton } = sample.make();
    const k = skeleton.parents.length;
    const { distances } = measureDistancesSync({ mesh, skeleton }, { resolution: 24, k });
    expect(distances.distances.every(Number.isFinite), sample.name).toBe(true);
    expect(distances.bones.indexOf(-1), sample.name).toBe(-1);
  }
});

/** Tolerance of distances, in units of the mesh: they are stored in 32 bits. */
const ROUNDING = 1e-6;

/**
 * Checks the K nearest against a literal implementation of algorithm 1 and equation 1 for every pair: each slot
 * contains its bone's distance, which is the literal distance of its rank.
 */
function expectLiteral(
  what: string,
  found: BoneDistances,
  mesh: Mesh,
  bones: Bones,
  grid: VoxelGrid,
  leaveWall: boolean,
): void {
  const count = mesh.positions.length / 3;
  const perBone = literalDistances(mesh, bones, grid, leaveWall);
  let worst = 0;
  for (let v = 0; v < count; v++) {
    const ranked = perBone.map((distances) => distances[v]).sort((a, b) => a - b);
    for (let i = 0; i < found.k; i++) {
      const slot = v * found.k + i;
      if (i >= ranked.length) {
        expect(found.bones[slot], what).toBe(-1);
        continue;
      }
      const distance = found.distances[slot];
      worst = Math.max(
        worst,
        Math.abs(distance - perBone[found.bones[slot]][v]),
        Math.abs(distance - ranked[i]),
      );
    }
  }
  expect(worst, what).toBeLessThan(ROUNDING);
}

function expectWithinCells(
  found: BoneDistances,
  scale: number,
  plain: BoneDistances,
  size: number,
  cells: number,
): void {
  let far = 0;
  found.distances.forEach((distance, i) => {
    // The K-th nearest distance, whichever bone has it.
    if (Math.abs(distance / scale - plain.distances[i]) > cells * size) far++;
  });
  expect(far / found.distances.length).toBeLessThan(0.01);
}

function randomSoup(random: Random): Mesh {
  const count = 1 + Math.floor(random() * 12);
  const positions = Float32Array.from({ length: count * 9 }, () => random());
  return { positions, triangles: Uint32Array.from({ length: count * 3 }, (_, i) => i) };
}

function randomSkeleton(random: Random): Skeleton {
  const count = 1 + Math.floor(random() * 8);
  return {
    names: Array.from({ length: count }, (_, i) => `joint ${i}`),
    parents: Int32Array.from({ length: count }, (_, i) => Math.floor(random() * (i + 1)) - 1),
    positions: Float32Array.from({ length: count * 3 }, () => random() * 1.6 - 0.3),
  };
}

function points(...list: number[][]): Mesh {
  return { positions: Float32Array.from(list.flat()), triangles: new Uint32Array(0) };
}

function row(array: ArrayLike<number>, i: number, width: number): number[] {
  return Array.from({ length: width }, (_, k) => array[i * width + k]);
}

function shuffled(count: number, random: Random): number[] {
  return Array.from({ length: count }, (_, i) => i)
    .map((i) => [random(), i])
    .sort((a, b) => a[0] - b[0])
    .map(([, i]) => i);
}

const { mesh, skeleton } = makeSample("mushroom");
const k = skeleton.parents.length;
const { grid, bones, distances } = measureDistancesSync({ mesh, skeleton }, { resolution: 32, k });
const bone = skeleton.names.indexOf("capTop");
const field = boneField(mesh, bones, bone, grid);

test("the distances of one bone equal those computed with all bones", () => {
  const expected = Float32Array.from(field.distances, (_, v) => {
    const slot = distances.bones.subarray(v * k, v * k + k).indexOf(bone);
    return distances.distances[v * k + slot];
  });
  expect(field.distances).toEqual(expected);
});

test("every mesh cell has a descending path of neighbors to the bone", () => {
  let restarted = 0;
  for (const cell of grid.cells.keys()) {
    if (grid.cells[cell] !== MESH) continue;
    const path = pathToBone(grid, field, cell);
    expect(path.length).toBe(field.levels[cell] + 1);
    expect(field.levels[path.at(-1)!]).toBe(0);
    for (let i = 1; i < path.length; i++) {
      expect(faceNeighbors(grid, path[i - 1]).includes(path[i])).toBe(true);
    }
    // Seen from the bone: out of the wall into a hollow cell, which only a restart may do.
    if (
      path.some((at, i) => i > 0 && grid.cells[at] === MESH && grid.cells[path[i - 1]] !== MESH)
    ) {
      restarted++;
    }
  }
  expect(restarted).toBeGreaterThan(0);
});
