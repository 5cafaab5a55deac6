import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import type { Character } from "../character/character.ts";
import { meanL1 } from "../evaluate/metrics.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import { createRandom } from "../math/random.ts";
import { distanceOf } from "../math/vec3.ts";
import { forwardKinematics } from "../skeleton/pose.ts";
import { jointsWithRole, skeletonRoles } from "../skeleton/roles.ts";
import { linearBlend } from "../weights/deform.ts";
import { boxPlacement } from "./box-placement.ts";
import { carryAlong } from "./fit-by-roles.ts";
import { fitSkeleton } from "./fit-skeleton.ts";
import { meshDepth } from "./fit-template.ts";

/** Mean distance of joints in longest sides of the mesh. */
function error(
  found: Float32Array,
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
): number {
  const size = longestSide(boundsOf(mesh.positions));
  const both = Float32Array.from([...found, ...skeleton.positions]);
  const J = skeleton.names.length;
  let sum = 0;
  for (let j = 0; j < J; j++) sum += distanceOf(both, j, J + j) / J / size;
  return sum;
}

/** The character with lowered arms and a stretched body, joints included. */
function sibling(source: Character, factors: [number, number, number], lower: number): Character {
  const { skeleton, mesh, weights } = source;
  const rotations = Float32Array.from({ length: skeleton.names.length * 4 }, (_, i) =>
    i % 4 === 3 ? 1 : 0,
  );
  const roles = skeletonRoles(skeleton);
  for (const side of [1, -1] as const) {
    for (const joint of jointsWithRole(roles, "upperArm", side)) {
      rotations.set([0, 0, Math.sin((-side * lower) / 2), Math.cos(lower / 2)], joint * 4);
    }
  }
  const matrices = forwardKinematics(skeleton, rotations);
  const positions = new Float32Array(skeleton.positions.length);
  skeleton.names.forEach((_, j) => {
    const m = matrices.subarray(j * 16, j * 16 + 16);
    const [x, y, z] = skeleton.positions.subarray(j * 3, j * 3 + 3);
    for (let axis = 0; axis < 3; axis++) {
      positions[j * 3 + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
    }
  });
  const stretch = (points: Float32Array) => points.map((value, i) => value * factors[i % 3]);
  return {
    ...source,
    mesh: { ...mesh, positions: stretch(linearBlend(mesh.positions, weights!, matrices)) },
    skeleton: { ...skeleton, positions: stretch(positions) },
  };
}

/** A body with a small hand of four fingers, two joints each, of the given size and spread. */
function withHand(reach: number, spread: number): Character {
  const positions: number[] = [];
  const triangles: number[] = [];
  const owners: number[] = [];
  const joints: number[][] = [[0, 0, 0]];
  const parents = [-1];
  const box = (min: number[], max: number[], joint: number) => {
    const steps = 4;
    // Each side as a grid, so that samples and regions are fine enough.
    for (const axis of [0, 1, 2]) {
      for (const side of [0, 1]) {
        const first = positions.length / 3;
        const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
        for (let i = 0; i <= steps; i++) {
          for (let k = 0; k <= steps; k++) {
            const point = [0, 0, 0];
            point[axis] = side ? max[axis] : min[axis];
            point[u] = min[u] + ((max[u] - min[u]) * i) / steps;
            point[w] = min[w] + ((max[w] - min[w]) * k) / steps;
            positions.push(...point);
            owners.push(joint);
            if (i === 0 || k === 0) continue;
            const c = first + i * (steps + 1) + k;
            const corners = [c, c - 1, c - steps - 2, c, c - steps - 2, c - steps - 1];
            triangles.push(...(side ? corners.reverse() : corners));
          }
        }
      }
    }
  };
  box([-0.1, -0.5, -0.1], [0.1, 0.4, 0.1], 0);
  joints.push([0, 0.4, 0]);
  parents.push(0);
  box([-0.06, 0.4, -0.02], [0.06, 0.4 + 0.4 * reach, 0.02], 1);
  for (let finger = 0; finger < 4; finger++) {
    const x = (finger - 1.5) * spread;
    const base = 0.4 + 0.4 * reach;
    for (const half of [0, 1]) {
      const low = base + half * 0.3 * reach;
      joints.push([x, low, 0]);
      parents.push(half ? joints.length - 2 : 1);
      box([x - 0.01, low, -0.01], [x + 0.01, low + 0.3 * reach, 0.01], joints.length - 1);
    }
  }
  const skeleton = {
    names: joints.map((_, j) => `j${j}`),
    parents: Int32Array.from(parents),
    positions: Float32Array.from(joints.flat()),
  };
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const weights = {
    influences: 1,
    joints: Uint16Array.from(owners),
    weights: new Float32Array(owners.length).fill(1),
  };
  return { name: "hand", mesh, skeleton, weights };
}

describe("a skeleton with its own body", () => {
  const source = makeSample("dancer");

  test("stays in the body it was made for", () => {
    const { way, skeleton } = fitSkeleton(source.mesh, source);
    expect(way).toBe("kept");
    expect(skeleton.positions).toEqual(source.skeleton.positions);
  });

  test.each<[string, [number, number, number], number]>([
    ["wider and shorter", [1.3, 0.8, 1.1], 0],
    ["with lowered arms", [1, 1, 1], 0.6],
  ])("follows a body that is %s", (_, factors, lower) => {
    const target = sibling(source, factors, lower);
    const { way, skeleton, inside, weights } = fitSkeleton(target.mesh, source);
    const box = boxPlacement(source.skeleton, source.mesh, target.mesh);
    expect(way).toBe("registered");
    expect(error(skeleton.positions, target)).toBeLessThan(0.02);
    expect(error(skeleton.positions, target)).toBeLessThan(error(box.positions, target) + 0.005);
    expect(inside).toBeGreaterThan(0.9);
    // The weights of its own body are transferred.
    expect(meanL1(weights!, source.weights!)).toBeLessThan(0.2);
  });

  test("finds the fingers of a small hand", () => {
    const [source, target] = [withHand(0.2, 0.035), withHand(0.28, 0.045)];
    const { skeleton, weights } = fitSkeleton(target.mesh, source);
    expect(error(skeleton.positions, target)).toBeLessThan(0.008);
    // Touching parts share their border.
    expect(meanL1(weights!, target.weights!)).toBeLessThan(0.35);
  });

  test("stands up if it lies on its back", () => {
    const lying = (points: Float32Array) =>
      points.map((value, i) =>
        i % 3 === 1 ? -points[i + 1] : i % 3 === 2 ? points[i - 1] : value,
      );
    const turned = {
      ...source,
      mesh: { ...source.mesh, positions: lying(source.mesh.positions) },
      skeleton: { ...source.skeleton, positions: lying(source.skeleton.positions) },
    };
    const { skeleton, rotation } = fitSkeleton(source.mesh, turned);
    expect(rotation).toBeDefined();
    expect(error(skeleton.positions, source)).toBeLessThan(0.03);
  });
});

test("a skeleton without a body is placed along the limbs", () => {
  const target = sibling(makeSample("dancer"), [1, 1, 1], 0.9);
  const { skeleton: own } = makeSample("dancer");
  // Twice as large and at another position.
  const away = own.positions.map((value) => 2 * value + 3);
  const { skeleton, inside } = fitSkeleton(target.mesh, { skeleton: { ...own, positions: away } });
  expect(inside).toBeGreaterThan(0.7);
  expect(error(skeleton.positions, target)).toBeLessThan(0.12);
});

test("joints outside the body are doubtful", () => {
  const { mesh, skeleton } = makeSample("fox");
  const { doubts } = fitSkeleton(mesh, { skeleton }, meshDepth(mesh));
  const outside = doubts.filter(({ reason }) => reason === "outside the body");
  expect(outside.length).toBeLessThan(skeleton.names.length / 3);
  for (const { sure } of doubts) expect(sure).toBeLessThan(1);
});

test("joints between and below given ones keep their proportions", () => {
  const random = createRandom(3);
  const skeleton = {
    names: ["a", "twist", "b", "tip"],
    parents: Int32Array.of(-1, 0, 1, 2),
    positions: Float32Array.of(0, 0, 0, 0.4, 0, 0, 1, 0, 0, 1.5, 0, 0),
  };
  const [x, y, z] = [random(), random(), random()];
  const moved = carryAlong(
    skeleton,
    new Map([
      [0, [x, y, z]],
      [2, [x, y + 2, z]],
    ]),
  );
  // Seed 3: the bone is twice as long and points up.
  expect(moved).toBeAllClose(
    Float32Array.of(x, y, z, x, y + 0.8, z, x, y + 2, z, x, y + 3, z),
    1e-5,
  );
});
