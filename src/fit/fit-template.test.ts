import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { InputError } from "../input-error.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { TEMPLATES } from "../skeleton/templates.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import { alignSkeleton } from "./align-skeleton.ts";
import { snapToMiddle } from "./body-middle.ts";
import { fitTemplate, meshDepth } from "./fit-template.ts";
import { JOINTS } from "./mannequin-table.ts";

function placeOf({ names, positions }: Skeleton, name: string): number[] {
  const joint = names.indexOf(name);
  expect(joint).toBeGreaterThanOrEqual(0);
  return Array.from(positions.subarray(joint * 3, joint * 3 + 3));
}

/** Joints of a template, and those of the sample at the same position in the body. */
const KNOWN: [template: string, sample: string, pairs: Record<string, string>, within: number][] = [
  [
    "biped",
    "dancer",
    {
      hips: "hips",
      chest: "chest",
      "upperArm.L": "upperArm.L",
      "lowerArm.L": "lowerArm.L",
      "hand.R": "hand.R",
      "lowerLeg.L": "lowerLeg.L",
      "foot.R": "foot.R",
    },
    0.1,
  ],
  [
    "quadruped",
    "fox",
    {
      hips: "hips",
      chest: "chest",
      head: "head",
      "frontFoot.L": "frontFoot.L",
      "hindFoot.R": "hindToe.R",
      tail2: "tail3",
    },
    0.16,
  ],
  [
    "bird",
    "bird",
    { hips: "hips", chest: "chest", head: "head", "wing2.L": "wing2.L", "foot.L": "foot.L" },
    0.16,
  ],
];

describe("templates", () => {
  test.each(KNOWN)("%s in the %s matches its own joints", (template, sample, pairs, within) => {
    const { mesh, skeleton } = makeSample(sample);
    const fitted = fitTemplate(mesh, template, meshDepth(mesh));
    const size = longestSide(boundsOf(mesh.positions));
    const wrong = Object.entries(pairs)
      .map(([name, known]) => {
        const [a, b] = [placeOf(fitted, name), placeOf(skeleton, known)];
        return [name, Math.hypot(...a.map((v, axis) => v - b[axis])) / size] as const;
      })
      .filter(([, away]) => away > within);
    expect(wrong).toEqual([]);
  });

  test.each(TEMPLATES.map(({ name }) => name))(
    "%s has its joints in the body, symmetrically",
    (name) => {
      const { mesh } = makeSample(
        name === "biped" ? "dancer" : name === "spider" ? "octopus" : "fox",
      );
      const body = meshDepth(mesh);
      const { names, positions } = fitTemplate(mesh, name, body);
      const depth = (j: number) =>
        body.depths[
          cellAt(body.grid, positions[j * 3], positions[j * 3 + 1], positions[j * 3 + 2])
        ];
      const out = names.filter((_, joint) => depth(joint) === 0);
      expect(out.length).toBeLessThanOrEqual(names.length / 4);
      const box = boundsOf(mesh.positions);
      names.forEach((own, joint) => {
        const twin = names.indexOf(own.replace(/\.L$/, ".R"));
        if (twin === joint) return;
        expect(positions[joint * 3] + positions[twin * 3]).toBeCloseTo(box.min[0] + box.max[0], 4);
        expect(positions[joint * 3 + 1]).toBeCloseTo(positions[twin * 3 + 1], 4);
      });
    },
  );

  test("an unknown one is an InputError", () => {
    const { mesh } = makeSample("fish");
    expect(() => fitTemplate(mesh, "cow")).toThrow(InputError);
    expect(() => fitTemplate(mesh, "cow")).toThrow(/biped, quadruped/);
  });
});

test("a point near the surface moves to the middle of the limb", () => {
  const { mesh, skeleton } = makeSample("dancer");
  const body = meshDepth(mesh);
  const knee = placeOf(skeleton, "lowerLeg.L");
  const off = [knee[0] + 0.03, knee[1], knee[2] + 0.03];
  const snapped = snapToMiddle(body, off, { reach: 0.06 });
  const away = (p: number[]) => Math.hypot(p[0] - knee[0], p[2] - knee[2]);
  expect(away(snapped)).toBeLessThan(away(off) / 2);
});

describe("a skeleton from elsewhere", () => {
  const { mesh, skeleton } = makeSample("fox");
  const body = meshDepth(mesh);
  const moved = (change: (x: number, y: number, z: number) => number[]): Skeleton => ({
    ...skeleton,
    positions: Float32Array.from(
      skeleton.names.flatMap((_, j) => {
        const [x, y, z] = skeleton.positions.subarray(j * 3, j * 3 + 3);
        return change(x, y, z);
      }),
    ),
  });

  test("that fits stays unchanged", () => {
    const { changes, skeleton: same } = alignSkeleton(body, skeleton);
    expect(changes).toEqual([]);
    expect(same).toBe(skeleton);
  });

  test.each<[string, string[], (x: number, y: number, z: number) => number[]]>([
    ["lies on its back", ["rotated"], (x, y, z) => [x, -z, y]],
    ["is in centimetres", ["scaled"], (x, y, z) => [100 * x, 100 * y, 100 * z]],
    ["stands elsewhere", ["moved"], (x, y, z) => [x + 3, y, z - 2]],
    ["is all of that", ["rotated", "scaled", "moved"], (x, y, z) => [40 * x, -40 * z + 9, 40 * y]],
  ])("that %s is aligned", (_, wanted, change) => {
    const { changes, before, after, skeleton: found } = alignSkeleton(body, moved(change));
    expect(before).toBeLessThan(0.6);
    expect(after).toBeGreaterThan(0.7);
    expect(changes).toEqual(expect.arrayContaining(wanted));
    const off = found.positions.map((value, i) => Math.abs(value - skeleton.positions[i]));
    expect(Math.max(...off)).toBeLessThan(0.15);
  });
});

test("a quadruped with longer legs has its joints where the mannequin's move", () => {
  const { mesh } = makeSample("fox");
  const { min, max } = boundsOf(mesh.positions);
  const size = longestSide({ min, max });
  const belly = min[1] + 0.4 * (max[1] - min[1]);
  const taller = (y: number) =>
    y < belly ? min[1] + 1.6 * (y - min[1]) : y + 0.6 * (belly - min[1]);
  const body = {
    ...mesh,
    positions: mesh.positions.map((value, i) => (i % 3 === 1 ? taller(value) : value)),
  };
  const middle = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  const truth = new Map(
    JOINTS.map(([name, ...at]) => {
      const point = at.map((value, axis) => value * size + middle[axis]);
      return [name, [point[0], taller(point[1]), point[2]]];
    }),
  );
  const error = (hasHabits: boolean) => {
    const { names, positions } = fitTemplate(body, "quadruped", meshDepth(body), hasHabits);
    const away = names.map((name, j) => {
      const at = truth.get(name)!;
      return Math.hypot(...at.map((value, axis) => positions[j * 3 + axis] - value)) / size;
    });
    return away.reduce((sum, value) => sum + value, 0) / away.length;
  };
  expect(error(true)).toBeLessThan(0.04);
  expect(error(true)).toBeLessThan(0.6 * error(false));
});
