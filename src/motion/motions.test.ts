import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { transformPoint } from "../math/mat4.ts";
import { forwardKinematics } from "../skeleton/pose.ts";
import { jointsWithRole, skeletonRoles } from "../skeleton/roles.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { bodyPlan } from "./body-plan.ts";
import { type MotionClip, type MotionName, makeMotion, motionsFor } from "./motions.ts";

/** Positions of a joint over a clip, K×3. */
function track(skeleton: Skeleton, clip: MotionClip, joint: number): number[][] {
  const J = skeleton.parents.length;
  return Array.from(clip.times, (_, k) => {
    const matrices = forwardKinematics(
      skeleton,
      clip.rotations.subarray(k * J * 4, (k + 1) * J * 4),
      clip.translations.subarray(k * J * 3, (k + 1) * J * 3),
    );
    const rest = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    return transformPoint(matrices.subarray(joint * 16, joint * 16 + 16), rest);
  });
}

const heightOf = ({ positions }: Skeleton) => {
  const ys = positions.filter((_, i) => i % 3 === 1);
  return Math.max(...ys) - Math.min(...ys);
};

describe("a walk", () => {
  test.each(["dancer", "fox"])("of the %s does not slide", (sample) => {
    const { skeleton } = makeSample(sample);
    const clip = makeMotion(skeleton, "walk")!;
    const step = clip.duration / (clip.times.length - 1);
    for (const foot of jointsWithRole(skeletonRoles(skeleton), "foot")) {
      const path = track(skeleton, clip, foot);
      const ground = Math.min(...path.map(([, y]) => y));
      const height = heightOf(skeleton);
      let planted = 0;
      let slide = 0;
      for (let k = 1; k < path.length; k++) {
        const isDown =
          path[k][1] < ground + 0.01 * height && path[k - 1][1] < ground + 0.01 * height;
        if (!isDown) continue;
        planted++;
        // The ground moves backward under a body that walks in place.
        slide += Math.hypot(
          path[k][0] - path[k - 1][0],
          path[k][2] - path[k - 1][2] + clip.speed * step,
        );
      }
      expect(planted).toBeGreaterThan(clip.times.length / 3);
      expect(slide / height).toBeLessThan(0.02);
      const lifted = Math.max(...path.map(([, y]) => y)) - ground;
      expect(lifted / height).toBeGreaterThan(0.02);
    }
  });

  test("moves feet that are attached to the root", () => {
    const skeleton: Skeleton = {
      names: [
        "Root",
        "Hips",
        "Torso",
        "Head",
        "UpperLeg.L",
        "LowerLeg.L",
        "UpperLeg.R",
        "LowerLeg.R",
        "Foot.L",
        "Foot.R",
      ],
      parents: Int32Array.of(-1, 0, 1, 2, 1, 4, 1, 6, 0, 0),
      positions: Float32Array.from(
        [
          [0, 0, 0, 0, 1, 0, 0, 1.3, 0, 0, 1.6, 0, 0.1, 0.9, 0, 0.1, 0.5, 0.01],
          [-0.1, 0.9, 0, -0.1, 0.5, 0.01, 0.1, 0.1, 0, -0.1, 0.1, 0],
        ].flat(),
      ),
    };
    const clip = makeMotion(skeleton, "walk")!;
    const path = track(skeleton, clip, 8);
    const knee = track(skeleton, clip, 5);
    path.forEach((at, k) => {
      const shin = Math.hypot(...at.map((value, axis) => value - knee[k][axis]));
      expect(shin).toBeCloseTo(0.4, 2);
    });
    const z = path.map((at) => at[2]);
    expect(Math.max(...z) - Math.min(...z)).toBeGreaterThan(0.3);
  });

  test("swings left and right alternately, and arms opposite to legs", () => {
    const { skeleton } = makeSample("dancer");
    const roles = skeletonRoles(skeleton);
    const clip = makeMotion(skeleton, "walk")!;
    const of = (part: "foot" | "hand", side: 1 | -1) =>
      track(skeleton, clip, jointsWithRole(roles, part, side)[0]).map(([, , z]) => z);
    const correlation = (a: number[], b: number[]) => {
      const center = (list: number[]) =>
        list.map((v) => v - list.reduce((s, x) => s + x, 0) / list.length);
      const [u, v] = [center(a), center(b)];
      const dot = (p: number[], q: number[]) => p.reduce((sum, value, i) => sum + value * q[i], 0);
      return dot(u, v) / Math.sqrt(dot(u, u) * dot(v, v));
    };
    expect(correlation(of("foot", 1), of("foot", -1))).toBeLessThan(-0.5);
    expect(correlation(of("foot", 1), of("hand", 1))).toBeLessThan(-0.5);
  });
});

test.each<[string, MotionName[]]>([
  ["dancer", ["idle", "walk", "run", "jump", "wave", "crouch", "look"]],
  ["fox", ["idle", "walk", "trot", "look"]],
  ["bird", ["idle", "walk", "fly", "look"]],
  ["fish", ["swim"]],
])("motions of the %s loop and move", (sample, names) => {
  const { skeleton } = makeSample(sample);
  expect(motionsFor(skeleton)).toEqual(expect.arrayContaining(names));
  for (const name of names) {
    const clip = makeMotion(skeleton, name)!;
    const J = skeleton.parents.length;
    expect(clip.rotations.every(Number.isFinite)).toBe(true);
    const [first, last] = [clip.rotations.slice(0, J * 4), clip.rotations.slice(-J * 4)];
    expect(last).toEqual(first);
    const half = Math.floor(clip.times.length / 4) * J * 4;
    const change = first.map((value, i) => Math.abs(value - clip.rotations[half + i]));
    expect([name, Math.max(...change) > 0.005]).toEqual([name, true]);
  }
});

test("a body without wings does not fly", () => {
  expect(makeMotion(makeSample("dancer").skeleton, "fly")).toBeUndefined();
});

describe("walks of odd bodies", () => {
  /** How far planted feet slide in a walk and how high they rise, in heights of the body. */
  function stepsOf(skeleton: Skeleton, mesh?: { positions: Float32Array }) {
    const plan = bodyPlan(skeleton, mesh);
    const clip = makeMotion(skeleton, "walk", mesh)!;
    const J = skeleton.parents.length;
    const step = (clip.speed * clip.duration) / (clip.times.length - 1);
    return plan.legs.map(({ end, foot }) => {
      const path = Array.from(clip.times, (_, k) =>
        transformPoint(
          forwardKinematics(
            skeleton,
            clip.rotations.subarray(k * J * 4, (k + 1) * J * 4),
            clip.translations.subarray(k * J * 3, (k + 1) * J * 3),
          ).subarray(end.joint * 16, end.joint * 16 + 16),
          foot,
        ),
      );
      const ground = Math.min(...path.map(([, y]) => y));
      const isDown = ([, y]: number[]) => y < ground + 0.01 * plan.height;
      let slide = 0;
      path.slice(1).forEach((at, k) => {
        if (isDown(at) && isDown(path[k]))
          slide += Math.hypot(at[0] - path[k][0], at[2] - path[k][2] + step);
      });
      const lifted = Math.max(...path.map(([, y]) => y)) - ground;
      return { foot, slide: slide / plan.height, lifted: lifted / plan.height };
    });
  }

  /** Joints as `name parent x y z`, those with `.L` on both sides. */
  function skeletonOf(...lines: string[]): Skeleton {
    const joints = lines.flatMap((line) => {
      const [name, parent, ...place] = line.split(" ");
      const at = place.map(Number);
      const other = (text: string) => text.replace(".L", ".R");
      if (!name.includes(".L")) return [{ name, parent, at }];
      const mirrored = { name: other(name), parent: other(parent), at: [-at[0], at[1], at[2]] };
      return [{ name, parent, at }, mirrored];
    });
    const names = joints.map(({ name }) => name);
    return {
      names,
      parents: Int32Array.from(joints, ({ parent }) => names.indexOf(parent)),
      positions: Float32Array.from(joints.flatMap(({ at }) => at)),
    };
  }

  const trunk = ["Hips - 0 0.9 0", "Spine Hips 0 1.2 0", "Head Spine 0 1.6 0"];

  test("legs without a foot joint reach the bottom of the mesh, and step on it", () => {
    const skeleton = skeletonOf(
      ...trunk,
      "UpperLeg.L Hips 0.1 0.85 0",
      "LowerLeg.L UpperLeg.L 0.1 0.45 0.01",
    );
    const mesh = { positions: Float32Array.of(0, 0, 0, 0, 1.8, 0, 0.2, 0, 0.1) };
    for (const { foot, slide, lifted } of stepsOf(skeleton, mesh)) {
      expect(foot[1]).toBe(0);
      expect(slide).toBeLessThan(0.02);
      expect(lifted).toBeGreaterThan(0.02);
    }
  });

  test("legs without a knee rise with their foot", () => {
    const skeleton = skeletonOf(
      ...trunk,
      "UpperLeg.L Hips 0.1 0.85 0",
      "Foot.L UpperLeg.L 0.1 0.1 0",
    );
    for (const { slide, lifted } of stepsOf(skeleton)) {
      expect(slide).toBeLessThan(0.03);
      expect(lifted).toBeGreaterThan(0.02);
    }
  });

  test("a chain that carries the legs does not move the feet", () => {
    const legs = [
      "Tail Hips 0 0.88 -0.1",
      "UpperLeg.L Tail 0.1 0.85 0",
      "LowerLeg.L UpperLeg.L 0.1 0.45 0.01",
      "Foot.L LowerLeg.L 0.1 0.1 0",
    ];
    const skeleton = skeletonOf(...trunk, ...legs);
    expect(bodyPlan(skeleton).tails.flat()).toContain(skeleton.names.indexOf("Tail"));
    for (const { slide } of stepsOf(skeleton)) expect(slide).toBeLessThan(0.02);
  });

  test("a lying body does not walk", () => {
    const lying = skeletonOf(
      "Hips - 0 0 0.9",
      "Spine Hips 0 0 1.2",
      "Head Spine 0 0 1.6",
      "UpperLeg.L Hips 0.1 0 0.85",
      "LowerLeg.L UpperLeg.L 0.1 0.01 0.45",
      "Foot.L LowerLeg.L 0.1 0 0.1",
    );
    expect(makeMotion(lying, "walk")).toBeUndefined();
    expect(motionsFor(lying)).not.toContain("run");
  });
});
