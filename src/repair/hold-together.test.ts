import { describe, expect, test } from "vitest";
import {
  BODY,
  type FigureJoint,
  type FigurePart,
  figure,
  JOINTS,
  sphere,
  weightAt,
} from "../../test/helpers/posed-figure.ts";
import { quaternionFromAxisAngle } from "../math/quaternion.ts";
import { createRandom, randomDirection } from "../math/random.ts";
import { distanceOf } from "../math/vec3.ts";
import { findContacts, TOUCHING } from "../mesh/contacts.ts";
import { forwardKinematics } from "../skeleton/pose.ts";
import { createJointMotion, linearBlend, TEST_DEGREES } from "../weights/deform.ts";
import { readRow } from "../weights/skin-weights.ts";
import { pruneWeights } from "../weights/trim-weights.ts";
import { holdTogether, readRows } from "./hold-together.ts";
import { findTears, mendTears } from "./mend-tears.ts";

const jointOf = (name: string) => JOINTS.findIndex(([each]) => each === name);

/** Returns the vertices of the last part. */
function lastPart(parts: FigurePart[]): number[] {
  const counts = parts.map(([{ positions }]) => positions.length / 3);
  const first = counts.slice(0, -1).reduce((sum, count) => sum + count, 0);
  return Array.from({ length: counts[counts.length - 1] }, (_, i) => first + i);
}

describe("visible faults", () => {
  test("a rose on the chest stays on the chest", () => {
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0.4, 0.75, 0], 0.05, 8), () => ({ hand_L: 1 })],
      [sphere([-0.4, 0.75, 0], 0.05, 8), () => ({ hand_R: 1 })],
      [sphere([-0.08, 0.68, 0.11], 0.02, 6), () => ({ arm_R: 0.6, chest: 0.4 })],
    ];
    const character = figure(JOINTS, parts);
    const held = holdTogether(character, character.weights);
    for (const v of lastPart(parts))
      expect(weightAt(held, v, jointOf("chest"))).toBeGreaterThan(0.75);
  });

  test("touching boots follow one side each", () => {
    const boot = (side: 1 | -1): FigurePart => [
      sphere([side * 0.05, 0.05, 0], 0.048, 8),
      () => (side > 0 ? { foot_L: 0.75, foot_R: 0.25 } : { foot_R: 0.75, foot_L: 0.25 }),
    ];
    const parts = [...BODY, boot(-1), boot(1)];
    const character = figure(JOINTS, parts);
    const held = holdTogether(character, character.weights);
    const outer = lastPart(parts).filter((v) => character.mesh.positions[v * 3] > 0.03);
    for (const v of outer) expect(weightAt(held, v, jointOf("foot_R"))).toBeLessThan(0.01);
  });

  test("a toe with little weight in many vertices receives its end of the foot", () => {
    const foot = sphere([0.06, 0.04, 0.06], 0.06, 10);
    const parts: FigurePart[] = [
      ...BODY,
      [foot, ([, , z]) => (z > 0.06 ? { foot_L: 0.85, toe_L: 0.15 } : { foot_L: 1 })],
    ];
    const character = figure(JOINTS, parts);
    const held = holdTogether(character, character.weights);
    const toe = lastPart(parts).map((v) => weightAt(held, v, jointOf("toe_L")));
    // Visible: at least a quarter of the heaviest weight.
    expect(toe.filter((weight) => weight >= 0.2).length).toBeGreaterThan(5);
  });

  test("an end marker and a control receive no additional weight", () => {
    const joints = JOINTS.map(
      ([name, parent, position]) =>
        [name === "toe_L" ? "toe_L_end" : name, parent, position] as (typeof JOINTS)[0],
    );
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0.06, 0.04, 0.06], 0.06, 10), () => ({ foot_L: 0.85, toe_L_end: 0.15 })],
    ];
    const character = figure(joints, parts);
    const held = holdTogether(character, character.weights);
    for (const v of lastPart(parts)) expect(weightAt(held, v, jointOf("toe_L"))).toBeLessThan(0.2);
  });

  test("a large part keeps the surface of a joint that has no other", () => {
    // Most of the hand's weight is on one joint, but the thumb has no other surface.
    const joints: FigureJoint[] = [...JOINTS, ["thumb_L", "hand_L", [0.45, 0.75, 0.05]]];
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0.45, 0.75, 0], 0.1, 24), ([, , z]) => (z > 0.06 ? { thumb_L: 1 } : { hand_L: 1 })],
    ];
    const character = figure(joints, parts);
    const held = holdTogether(character, character.weights);
    const thumb = lastPart(parts).map((v) => weightAt(held, v, joints.length - 1));
    expect(Math.max(...thumb)).toBeGreaterThan(0.5);
  });

  test("teeth follow the bone with most of their weight", () => {
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0, 0.87, 0.06], 0.02, 6), () => ({ jaw: 0.8, head: 0.2 })],
    ];
    const character = figure(JOINTS, parts);
    const held = holdTogether(character, character.weights);
    for (const v of lastPart(parts)) expect(weightAt(held, v, jointOf("jaw"))).toBe(1);
  });

  test("a ring stays on its finger", () => {
    const finger = sphere([0.44, 0.75, 0], 0.03, 14);
    const parts: FigurePart[] = [
      ...BODY,
      [finger, () => ({ hand_L: 1 })],
      [sphere([0.44, 0.765, 0], 0.02, 6), () => ({ hand_L: 0.5, arm_L: 0.3, chest: 0.2 })],
    ];
    const character = figure(JOINTS, parts);
    const held = holdTogether(character, character.weights);
    for (const v of lastPart(parts))
      expect(weightAt(held, v, jointOf("hand_L"))).toBeGreaterThan(0.7);
  });

  test("crossed arms keep their joints, since a joint belongs to the side of its position", () => {
    const crossed = JOINTS.map(([name, parent, position]) => {
      if (name === "hand_L") return [name, parent, [-0.1, 0.65, 0.2]] as (typeof JOINTS)[0];
      if (name === "hand_R") return [name, parent, [0.1, 0.65, 0.2]] as (typeof JOINTS)[0];
      return [name, parent, position] as (typeof JOINTS)[0];
    });
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0.1, 0.65, 0.2], 0.04, 8), () => ({ hand_R: 1 })],
      [sphere([-0.1, 0.65, 0.2], 0.04, 8), () => ({ hand_L: 1 })],
    ];
    const character = figure(crossed, parts);
    const held = holdTogether(character, character.weights);
    for (const v of lastPart(parts)) expect(weightAt(held, v, jointOf("hand_L"))).toBe(1);
  });

  test("hips that start in the plane belong to the side of their leg", () => {
    // Rounding moves each hip to the other side.
    const hips: FigureJoint[] = JOINTS.flatMap((joint): FigureJoint[] => {
      const [name, , position] = joint;
      if (name !== "leg_L" && name !== "leg_R") return [joint];
      const [hip, x] = name === "leg_L" ? ["hip_L", -1e-7] : ["hip_R", 1e-7];
      return [
        [hip, "hips", [x, 0.42, 0]],
        [name, hip, position],
      ];
    });
    const parts: FigurePart[] = [
      ...BODY,
      [sphere([0.06, 0.35, 0], 0.03, 8), () => ({ hip_L: 0.5, leg_L: 0.5 })],
    ];
    const character = figure(hips, parts);
    const held = holdTogether(character, character.weights);
    const hip = hips.findIndex(([name]) => name === "hip_L");
    for (const v of lastPart(parts)) expect(weightAt(held, v, hip)).toBeGreaterThan(0.4);
  });

  test("edges are judged by the weights after pruning", () => {
    const chest = ([x]: number[]) => (x < 0 ? 0.18 : 0.22);
    const part: FigurePart = [
      sphere([0, 0.45, 0], 0.15, 16),
      (p) => ({ chest: chest(p), hips: 1 - chest(p) }),
    ];
    const { mesh, skeleton, weights } = figure(JOINTS, [part]);
    const rows = readRows(weights);
    expect(findTears(mesh, skeleton, rows)).toEqual([]);
    expect(findTears(mesh, skeleton, readRows(pruneWeights(weights, 0.25)))).not.toEqual([]);
    expect(mendTears(mesh, skeleton, rows)).not.toEqual([]);
  });

  test("a cape cut by the legs behind it tears less than half as far", () => {
    const parts: FigurePart[] = [
      ...BODY,
      [
        sphere([0, 0.3, -0.15], 0.14, 16),
        ([x]) => (x > 0.01 ? { leg_L: 1 } : x < -0.01 ? { leg_R: 1 } : { hips: 1 }),
      ],
    ];
    const character = figure(JOINTS, parts);
    const before = findTears(character.mesh, character.skeleton, readRows(character.weights));
    const held = holdTogether(character, character.weights);
    const after = findTears(character.mesh, character.skeleton, readRows(held));
    const furthest = (torn: typeof before) => Math.max(0, ...torn.map(({ growth }) => growth));
    expect(furthest(before)).toBeGreaterThan(0.1);
    expect(furthest(after)).toBeLessThan(furthest(before) / 2);
  });
});

test.each([1, 2, 3])("joint motion equals that of linear blend skinning (seed %i)", (seed) => {
  const random = createRandom(seed);
  const parts: FigurePart[] = [
    ...BODY,
    [
      sphere([0.1, 0.5, 0], 0.1, 5),
      () => Object.fromEntries(JOINTS.map(([name]) => [name, random() ** 6])),
    ],
  ];
  const { mesh, skeleton, weights } = figure(JOINTS, parts);
  const [first] = lastPart(parts);
  const motion = createJointMotion(skeleton, mesh.positions);
  for (let i = 0; i < 20; i++) {
    const [a, b] = [first + Math.floor(random() * 30), first + Math.floor(random() * 30)];
    const { length, joint } = motion.growth(readRow(weights, a), readRow(weights, b), a);
    if (joint < 0) continue;
    // Both rows at one position, rotated about an axis perpendicular to its direction from the joint.
    const head = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    const at = mesh.positions.subarray(a * 3, a * 3 + 3);
    const [x, y, z] = [at[0] - head[0], at[1] - head[1], at[2] - head[2]];
    const [u, v, w] = randomDirection(random);
    const axis = [y * w - z * v, z * u - x * w, x * v - y * u];
    const size = Math.hypot(...axis);
    const rotations = new Float32Array(JOINTS.length * 4).map((_, k) => (k % 4 === 3 ? 1 : 0));
    const unit: [number, number, number] = [axis[0] / size, axis[1] / size, axis[2] / size];
    rotations.set(quaternionFromAxisAngle(unit, (TEST_DEGREES * Math.PI) / 180), joint * 4);
    const twice = Float32Array.of(...at, ...at);
    const pair = {
      influences: weights.influences,
      joints: Uint16Array.of(
        ...weights.joints.subarray(a * weights.influences, (a + 1) * weights.influences),
        ...weights.joints.subarray(b * weights.influences, (b + 1) * weights.influences),
      ),
      weights: Float32Array.of(
        ...weights.weights.subarray(a * weights.influences, (a + 1) * weights.influences),
        ...weights.weights.subarray(b * weights.influences, (b + 1) * weights.influences),
      ),
    };
    const posed = linearBlend(twice, pair, forwardKinematics(skeleton, rotations));
    expect(distanceOf(posed, 0, 1)).toBeCloseTo(length, 4);
    expect(motion.limitOf(readRow(weights, a), readRow(weights, b))).toBeGreaterThanOrEqual(length);
  }
});

test.each([4, 5])("contacts are the nearest vertices of other parts (seed %i)", (seed) => {
  const random = createRandom(seed);
  const parts: FigurePart[] = Array.from({ length: 12 }, () => [
    sphere([random(), random() / 3, random() / 3], 0.05 + random() * 0.08, 6),
    () => ({ hips: 1 }),
  ]);
  const { mesh } = figure(JOINTS, parts);
  const { parts: found, nearest } = findContacts(mesh);
  const V = mesh.positions.length / 3;
  const spans = [0, 1, 2].map((axis) => {
    const values = [...mesh.positions].filter((_, i) => i % 3 === axis);
    return Math.max(...values) - Math.min(...values);
  });
  const reach = TOUCHING * Math.max(...spans);
  for (let v = 0; v < V; v++) {
    let [best, closest] = [-1, reach];
    for (let u = 0; u < V; u++) {
      if (found.component[u] === found.component[v]) continue;
      const distance = distanceOf(mesh.positions, v, u);
      if (distance < closest) [best, closest] = [u, distance];
    }
    expect(best < 0 ? -1 : distanceOf(mesh.positions, v, nearest[v])).toBeCloseTo(
      best < 0 ? -1 : closest,
      6,
    );
    if (best < 0) expect(nearest[v]).toBe(-1);
  }
});
