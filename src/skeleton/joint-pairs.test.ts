import { describe, expect, test } from "vitest";
import { SAMPLES } from "../../samples/index.ts";
import { otherSide } from "../../samples/rig.ts";
import { createRandom } from "../math/random.ts";
import { jointPairs, otherSideNames } from "./joint-pairs.ts";
import type { Skeleton } from "./skeleton.ts";

const PLANE = { axis: 0, offset: 0 } as const;

describe("otherSideNames", () => {
  test.each([
    ["arm.L", "arm.R"],
    ["arm_l", "arm_r"],
    ["L_Arm", "R_Arm"],
    ["lArm", "rArm"],
    ["handL", "handR"],
    ["mixamorig:LeftForeArm", "mixamorig:RightForeArm"],
    ["Bip01 L Hand", "Bip01 R Hand"],
    ["leftarm", "rightarm"],
    ["arm_left.001", "arm_right.001"],
    ["J_Bip_L_UpperArm", "J_Bip_R_UpperArm"],
    ["左腕", "右腕"],
    ["LEFT_LEG", "RIGHT_LEG"],
  ])("%s and %s", (left, right) => {
    expect(otherSideNames(left)).toEqual([right]);
    expect(otherSideNames(right)).toEqual([left]);
  });

  test.each(["spine", "Head", "tail_03", "pelvis", "Collar", "roll"])("%s has no side", (name) => {
    expect(otherSideNames(name)).toEqual([]);
  });

  test("returns every candidate if a name contains two sides", () => {
    expect(otherSideNames("L_arm_L")).toEqual(["R_arm_R", "R_arm_L", "L_arm_R"]);
  });
});

/** The samples on two sides, with names as given by `rename`. */
function renamed(skeleton: Skeleton, rename: (name: string, joint: number) => string): Skeleton {
  return { ...skeleton, names: skeleton.names.map(rename) };
}

function expected({ names }: Skeleton): number[] {
  return names.map((name) => names.indexOf(otherSide(name)));
}

describe.each(SAMPLES.filter(({ name }) => ["dancer", "fox", "bird", "robot"].includes(name)))(
  "jointPairs of $name",
  ({ make }) => {
    const { skeleton } = make();
    const pairs = expected(skeleton);
    const size = 0.02;

    test("finds them by name in any pose", () => {
      const random = createRandom(21);
      const positions = skeleton.positions.map((value) => value + random() * 0.3);
      const twins = jointPairs({ ...skeleton, positions }, PLANE, size);
      const sided = pairs.flatMap((twin, joint) => (twin === joint ? [] : [joint]));
      expect(sided.map((joint) => twins[joint])).toEqual(sided.map((joint) => pairs[joint]));
    });

    test("finds them by position without names", () => {
      const nameless = renamed(skeleton, (_, joint) => `bone${joint}`);
      expect([...jointPairs(nameless, PLANE, size)]).toEqual(pairs);
    });

    test("maps each joint's image back to the joint", () => {
      const some = renamed(skeleton, (name, joint) => (joint % 3 ? name : `bone${joint}`));
      const twins = jointPairs(some, PLANE, size);
      twins.forEach((twin, joint) => {
        if (twin >= 0) expect(twins[twin]).toBe(joint);
      });
    });
  },
);

describe("jointPairs", () => {
  test("maps common ancestors of a pair to themselves, and ignores a sword", () => {
    const skeleton: Skeleton = {
      names: ["hips", "leg.L", "leg.R", "sword"],
      parents: Int32Array.of(-1, 0, 0, 2),
      positions: Float32Array.of(0.4, 0, 0, 0.6, -1, 0, 0.1, -1, 0, 0.1, -1, 1),
    };
    expect([...jointPairs(skeleton, PLANE, 0.02)]).toEqual([0, 2, 1, -1]);
  });

  test("pairs only children of pairs whatever their pose", () => {
    const skeleton: Skeleton = {
      names: ["root", "a", "b", "a1", "b1"],
      parents: Int32Array.of(-1, 0, 0, 1, 2),
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, -1, 0, 0, 2, 0, 0, -1, -1, 0),
    };
    expect([...jointPairs(skeleton, PLANE, 0.02)]).toEqual([0, 2, 1, 4, 3]);
  });
});

test("names that count in opposite directions are not pairs, as in Khronos' CesiumMan", () => {
  // Two arms below a spine; one counts from the hand, the other from the shoulder.
  const skeleton: Skeleton = {
    names: ["spine", "L__4_", "L__3_", "L__2_", "R", "R__2_", "R__3_"],
    parents: Int32Array.of(-1, 0, 1, 2, 0, 4, 5),
    positions: Float32Array.of(0, 1, 0, 1, 1, 0, 2, 1, 0, 3, 1, 0, -1, 1, 0, -2, 1, 0, -3, 1, 0),
  };
  expect([...jointPairs(skeleton, PLANE, 0.1)]).toEqual([0, 4, 5, 6, 1, 2, 3]);
  // Bent arms: the names still mislead, so only positions and hierarchy decide.
  const bent = skeleton.positions.slice();
  bent.set([2, 2, 0, 2, 3, 0], 6);
  const twins = jointPairs({ ...skeleton, positions: bent }, PLANE, 0.1);
  expect([twins[2], twins[3]]).toEqual([5, 6]);
});
