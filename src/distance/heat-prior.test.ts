import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { cellAt, type VoxelGrid } from "../voxel/voxel-grid.ts";
import { type BoneDistances, euclideanDistances } from "./bone-distances.ts";
import { heatPrior, heatSources } from "./heat-prior.ts";
import type { MeasuredCharacter } from "./measure.ts";

const RINGS = 41;
const SIDES = 12;

/** A tube of length 1 along x, from `y`, facing out. */
function tube(y: number, radius = 0.05): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    for (let side = 0; side < SIDES; side++) {
      const angle = (side / SIDES) * 2 * Math.PI;
      positions.push(ring / (RINGS - 1), y + radius * Math.cos(angle), radius * Math.sin(angle));
      if (ring === RINGS - 1) continue;
      const [a, b] = [ring * SIDES + side, ring * SIDES + ((side + 1) % SIDES)];
      triangles.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function join(a: Mesh, b: Mesh): Mesh {
  const base = a.positions.length / 3;
  return {
    positions: Float32Array.from([...a.positions, ...b.positions]),
    triangles: Uint32Array.from([...a.triangles, ...b.triangles.map((v) => v + base)]),
  };
}

/** Joints at x = 0, 0.5 and 1 along the tube, the last a leaf point; their root is far away. */
const arm: Skeleton = {
  names: ["a", "b", "tip", "root"],
  parents: Int32Array.from([3, 0, 1, -1]),
  positions: Float32Array.from([0, 0, 0, 0.5, 0, 0, 1, 0, 0, -3, 0, 0]),
};

/** Cells of 0.01 around the tube, none of them outside; straight distances. */
function measure(mesh: Mesh, bones: Bones, k: number): MeasuredCharacter {
  const [nx, ny, nz] = [120, 40, 40];
  const cells = new Uint8Array(nx * ny * nz);
  const grid: VoxelGrid = { nx, ny, nz, origin: [-0.1, -0.2, -0.2], size: 0.01, cells };
  const distances = euclideanDistances(mesh, bones, { k });
  return { grid, outside: new Uint8Array(cells.length), bones, distances };
}

function weightsOf(distances: BoneDistances, prior: Float32Array, v: number): Map<number, number> {
  const row = new Map<number, number>();
  for (let i = v * distances.k; i < (v + 1) * distances.k; i++) {
    if (distances.bones[i] >= 0) row.set(distances.bones[i], prior[i]);
  }
  return row;
}

describe("heatPrior", () => {
  const mesh = tube(0);
  const bones = bonesOf(arm);
  const measured = measure(mesh, bones, 4);
  const { distances } = measured;
  const prior = heatPrior({ mesh, skeleton: arm }, measured, vertexNormals(mesh));

  test("a bar with two bones has equal weights in the middle, which decrease to both sides", () => {
    let last = Number.POSITIVE_INFINITY;
    for (let ring = 0; ring < RINGS; ring++) {
      for (let side = 0; side < SIDES; side++) {
        const row = weightsOf(distances, prior, ring * SIDES + side);
        const mirrored = weightsOf(distances, prior, (RINGS - 1 - ring) * SIDES + side);
        // The tip shares the end of the second bone, so the mirror image of bone a is b with the tip.
        expect(row.get(0)).toBeCloseTo(mirrored.get(1)! + mirrored.get(2)!, 4);
      }
      const first = weightsOf(distances, prior, ring * SIDES).get(0)!;
      expect(first).toBeLessThan(last);
      last = first;
    }
    const middle = ((RINGS - 1) / 2) * SIDES;
    expect(weightsOf(distances, prior, middle).get(0)).toBeCloseTo(0.5, 2);
  });

  test("rows sum to 1", () => {
    for (let v = 0; v < prior.length / 4; v++) {
      const sum = prior.subarray(v * 4, v * 4 + 4).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum - 1), `vertex ${v}`).toBeLessThan(1e-4);
    }
  });

  test("only the near half of a leaf's tail heats", () => {
    const lone: Skeleton = {
      names: ["base", "leaf", "end"],
      parents: Int32Array.from([-1, 0, 0]),
      positions: Float32Array.from([-3, 0, 0, 0, 0, 0, 1, 0, 0]),
    };
    // The leaf's tail runs along the tube, up to the other leaf.
    const tails = Float32Array.from([-3, 0, 0, 1, 0, 0, 1, 0, 0]);
    const own = measure(mesh, bonesOf(lone, tails), 3);
    const { fractions } = heatSources({ mesh, skeleton: lone }, own, vertexNormals(mesh));
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const x = mesh.positions[v * 3];
      if (x !== 0.75)
        expect(weightsOf(own.distances, fractions, v).get(x < 0.75 ? 1 : 2), `x = ${x}`).toBe(1);
    }
  });

  test("a vertex follows the bone behind its own skin, not a nearer one in front of it", () => {
    const two = join(tube(0), tube(0.12));
    const pair: Skeleton = {
      names: ["low", "low end", "high", "high end"],
      parents: Int32Array.from([-1, 0, -1, 2]),
      // The upper bone is close to the lower side of its tube.
      positions: Float32Array.from([0, -0.03, 0, 1, -0.03, 0, 0, 0.08, 0, 1, 0.08, 0]),
    };
    const own = measure(two, bonesOf(pair), 4);
    const near = own.distances;
    const weights = heatPrior({ mesh: two, skeleton: pair }, own, vertexNormals(two));
    const facing = RINGS >> 1; // ring
    const v = facing * SIDES; // the side towards the upper tube, nearer to the upper bone
    expect(near.bones[v * 4]).toBeGreaterThan(1);
    const row = weightsOf(near, weights, v);
    expect(row.get(0)! + row.get(1)!).toBeGreaterThan(0.95);
  });

  test("a detour increases the distance of a bone", () => {
    const detour = { ...distances, distances: distances.distances.slice() };
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      for (let slot = v * 4; slot < v * 4 + 4; slot++) {
        if (detour.bones[slot] === 0) detour.distances[slot] += 0.5;
      }
    }
    const around = { ...measured, distances: detour };
    const { fractions } = heatSources({ mesh, skeleton: arm }, around, vertexNormals(mesh));
    const close = 2 * (RINGS >> 2) * SIDES - SIDES * 2; // just before the middle, nearest to bone a
    expect(weightsOf(distances, prior, close).get(0)).toBeGreaterThan(0.5);
    expect(weightsOf(detour, fractions, close).get(0)).toBe(0);
  });

  test("occluded bones heat nothing, unless all are occluded", () => {
    // A hole along the first bone, 6 cells wide, up to x = 0.35.
    const { grid } = measured;
    const outside = new Uint8Array(grid.cells.length);
    for (let x = 0.005; x < 0.35; x += 0.01)
      for (let y = -0.025; y < 0.03; y += 0.01)
        for (let z = -0.025; z < 0.03; z += 0.01) outside[cellAt(grid, x, y, z)] = 1;
    const character = { mesh, skeleton: arm };
    const normals = vertexNormals(mesh);
    const { fractions } = heatSources(character, { ...measured, outside }, normals);
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const x = mesh.positions[v * 3];
      if (x < 0.26 || x > 0.49 || Math.abs(x - 0.35) < 0.02) continue;
      // From there the second bone is visible past the end of the hole; the first is beyond it.
      expect(weightsOf(distances, fractions, v).get(x < 0.35 ? 1 : 0), `x = ${x}`).toBe(1);
    }
    const nothing = { ...measured, outside: outside.fill(1) };
    expect(heatPrior(character, nothing, normals)).toEqual(prior);
    expect(heatPrior(character, nothing, normals, false)).toEqual(prior);
  });

  test("permuted vertices and bones permute the weights", () => {
    const count = mesh.positions.length / 3;
    const random = createRandom(4);
    const order = Array.from({ length: count }, (_, v) => v).sort(() => random() - 0.5);
    const positions = new Float32Array(count * 3);
    order.forEach((to, v) => {
      positions.set(mesh.positions.subarray(v * 3, v * 3 + 3), to * 3);
    });
    const shuffled: Mesh = { positions, triangles: mesh.triangles.map((v) => order[v]) };
    // Each joint one index later, the last first.
    const turned: Skeleton = {
      names: ["root", "a", "b", "tip"],
      parents: Int32Array.from([-1, 0, 1, 2]),
      positions: Float32Array.from([-3, 0, 0, 0, 0, 0, 0.5, 0, 0, 1, 0, 0]),
    };
    const other = measure(shuffled, bonesOf(turned), 4);
    const others = other.distances;
    const again = heatPrior({ mesh: shuffled, skeleton: turned }, other, vertexNormals(shuffled));
    for (let v = 0; v < count; v++) {
      const [before, after] = [weightsOf(distances, prior, v), weightsOf(others, again, order[v])];
      for (let bone = 0; bone < 4; bone++) {
        expect(after.get((bone + 1) % 4), `vertex ${v}`).toBeCloseTo(before.get(bone)!, 4);
      }
    }
  });
});
