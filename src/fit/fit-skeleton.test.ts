import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import type { Character } from "../character/character.ts";
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

/** The character with its arms lowered and its body stretched, joints included. */
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
    const { way, skeleton, inside } = fitSkeleton(target.mesh, source);
    const box = boxPlacement(source.skeleton, source.mesh, target.mesh);
    expect(way).toBe("registered");
    expect(error(skeleton.positions, target)).toBeLessThan(0.02);
    expect(error(skeleton.positions, target)).toBeLessThan(error(box.positions, target) + 0.005);
    expect(inside).toBeGreaterThan(0.9);
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

test("a skeleton without a body is laid on the limbs", () => {
  const target = sibling(makeSample("dancer"), [1, 1, 1], 0.9);
  const { skeleton: own } = makeSample("dancer");
  // Twice as large and elsewhere.
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
