import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { fix } from "../src/fix.ts";
import { checkPoses, findingText } from "../src/review/pose-check.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { BODY, type FigurePart, figure, JOINTS, sphere, weightAt } from "./helpers/posed-figure.ts";

const LIMBS: FigurePart[] = [
  [sphere([0.3, 0.75, 0], 0.12, 8), () => ({ arm_L: 1 })],
  [sphere([-0.3, 0.75, 0], 0.12, 8), () => ({ arm_R: 1 })],
  [sphere([0.42, 0.75, 0], 0.05, 8), () => ({ hand_L: 1 })],
  [sphere([-0.42, 0.75, 0], 0.05, 8), () => ({ hand_R: 1 })],
  [sphere([0.07, 0.2, 0], 0.06, 24), () => ({ leg_L: 1 })],
  [sphere([-0.07, 0.2, 0], 0.06, 24), () => ({ leg_R: 1 })],
];
const FEET: FigurePart[] = [1, -1].flatMap((side): FigurePart[] => {
  const letter = side > 0 ? "L" : "R";
  return [
    [
      sphere([side * 0.07, 0.05, 0.1], 0.06, 16),
      ([, , z]): Record<string, number> => {
        const toe = Math.min(1, Math.max(0, (z - 0.07) / 0.06));
        return { [`foot_${letter}`]: 1 - toe, [`toe_${letter}`]: toe };
      },
    ],
  ];
});
const JAW: FigurePart = [sphere([0, 0.87, 0.09], 0.02, 8), () => ({ jaw: 1 })];
const ROSE = sphere([-0.08, 0.68, 0.11], 0.02, 6);

/** Largest difference of a weight in the first vertices. */
function largestWeightDifference(a: SkinWeights, b: SkinWeights, vertices: number): number {
  let largest = 0;
  for (let v = 0; v < vertices; v++) {
    JOINTS.forEach((_, joint) => {
      largest = Math.max(largest, Math.abs(weightAt(a, v, joint) - weightAt(b, v, joint)));
    });
  }
  return largest;
}

const check = (character: Character) => {
  const prepared = prepareCharacter(character);
  return checkPoses(prepared.character, prepared.character.weights!);
};

describe("the pose check", () => {
  test("passes a figure whose parts follow their neighbors", () => {
    const sound = figure(JOINTS, [...BODY, JAW, ...LIMBS, ...FEET, [ROSE, () => ({ chest: 1 })]]);
    expect(check(sound).findings).toEqual([]);
  });

  test("finds a floating part, with the joint and the pose that reveal it", () => {
    const loose = figure(JOINTS, [...BODY, JAW, ...LIMBS, ...FEET, [ROSE, () => ({ arm_R: 1 })]]);
    const { findings, poses } = check(loose);
    expect(findings.map(({ fault }) => fault)).toEqual(["floating"]);
    const [finding] = findings;
    expect(finding.vertices.length).toBe(ROSE.positions.length / 3);
    const names = JOINTS.map(([name]) => name);
    expect(names[finding.joint]).toBe("arm_R");
    expect(poses[finding.pose].joints).toContain(finding.joint);
    expect(finding.pose).toBe(0);
    expect(findingText(finding, names)).toMatch(
      /^A loose part of \d+ vertices .* when arm_R rotates\.$/,
    );
  });

  test("finds the end of a limb that moves nothing, but no end marker", () => {
    const stiff = FEET.map(
      ([mesh], i): FigurePart => [mesh, () => ({ [i ? "foot_R" : "foot_L"]: 1 })],
    );
    const named = (end: string) =>
      JOINTS.map(
        ([name, parent, at]) => [name.replace(/^toe/, end), parent, at] as (typeof JOINTS)[0],
      );
    const parts = [...BODY, JAW, ...LIMBS, ...stiff];
    const idle = check(figure(named("toe"), parts)).findings.map(({ fault, joint }) => [
      fault,
      JOINTS[joint][0],
    ]);
    expect(idle.sort()).toEqual([
      ["idle", "toe_L"],
      ["idle", "toe_R"],
    ]);
    expect(check(figure(named("end"), parts)).findings).toEqual([]);
  });

  test("finds one side on the joints of the other", () => {
    const swapped = LIMBS.map(
      ([mesh, row]): FigurePart => [
        mesh,
        (p) => {
          const [[name, weight]] = Object.entries(row(p));
          if (!name.startsWith("leg")) return { [name]: weight };
          return { leg_L: 0.5, leg_R: 0.5 };
        },
      ],
    );
    const faults = check(figure(JOINTS, [...BODY, JAW, ...swapped, ...FEET])).findings;
    expect(faults.map(({ fault }) => fault)).toContain("across");
  });

  test("has at most eight poses of joints that do not carry each other", () => {
    // The samples with the most joints.
    for (const name of ["dragon", "dancer", "octopus"]) {
      const sample = makeSample(name);
      const { poses } = check(sample);
      expect(poses.length, name).toBeLessThanOrEqual(8);
      for (const { joints } of poses) {
        for (const joint of joints) {
          const above = new Set<number>();
          for (let at = sample.skeleton.parents[joint]; at >= 0; at = sample.skeleton.parents[at]) {
            above.add(at);
          }
          expect(joints.filter((other) => above.has(other))).toEqual([]);
        }
      }
    }
  });
});

describe("fix", () => {
  test("lets the floating part follow the surface, and leaves the rest unchanged", async () => {
    const parts: FigurePart[] = [...BODY, JAW, ...LIMBS, ...FEET, [ROSE, () => ({ arm_R: 1 })]];
    const loose = figure(JOINTS, parts);
    const { weights, before, after, remedies } = await fix(loose);
    expect([before.findings.length, after.findings.length]).toEqual([1, 0]);
    expect(remedies.map(({ isKept }) => isKept)).toEqual([true]);
    const rose = ROSE.positions.length / 3;
    const V = loose.mesh.positions.length / 3;
    const chest = JOINTS.findIndex(([name]) => name === "chest");
    expect(weights.joints[(V - 1) * weights.influences]).toBe(chest);
    expect(largestWeightDifference(loose.weights, weights, V - rose)).toBe(0);
  });

  test("assigns an idle toe its surface", async () => {
    const stiff = FEET.map(
      ([mesh], i): FigurePart => [mesh, () => ({ [i ? "foot_R" : "foot_L"]: 1 })],
    );
    const { before, after } = await fix(figure(JOINTS, [...BODY, JAW, ...LIMBS, ...stiff]));
    expect([before.findings.length, after.findings.length]).toEqual([2, 0]);
  });

  test("fixes only the given findings, and refuses others", async () => {
    const stiff = FEET.map(
      ([mesh], i): FigurePart => [mesh, () => ({ [i ? "foot_R" : "foot_L"]: 1 })],
    );
    const character = figure(JOINTS, [...BODY, JAW, ...LIMBS, ...stiff]);
    expect((await fix(character, { findings: [2] })).after.findings.length).toBe(1);
    await expect(fix(character, { findings: [3] })).rejects.toThrow("There is no finding 3");
    const text = { findings: "1" as unknown as number[] };
    await expect(fix(character, text)).rejects.toThrow("must be a list of numbers");
    const { weights: _, ...bare } = character;
    await expect(fix(bare)).rejects.toThrow("there are no weights to fix");
  });

  test("changes nothing without findings", async () => {
    const sound = figure(JOINTS, [...BODY, JAW, ...LIMBS, ...FEET]);
    const { weights, remedies } = await fix(sound);
    expect(remedies).toEqual([]);
    const V = sound.mesh.positions.length / 3;
    expect(largestWeightDifference(sound.weights, weights, V)).toBe(0);
  });
});
