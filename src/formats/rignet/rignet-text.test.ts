import { describe, expect, test } from "vitest";
import { createRandom } from "../../math/random.ts";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { formatRigNetText, parseRigNetText } from "./rignet-text.ts";

const SAMPLE = `joints hips 0.0 0.5 0.0
joints left 0.1 0.25 0
joints right -0.1 0.25 1e-3
root hips
skin 0 hips 0.25 left 0.75
skin 1 right 1
hier hips left
hier hips right
`;

describe("RigNet's text", () => {
  test("reads joints, hierarchy and weights", () => {
    const { skeleton, weights } = parseRigNetText("rig.txt", SAMPLE);
    expect(skeleton.names).toEqual(["hips", "left", "right"]);
    expect([...skeleton.parents]).toEqual([-1, 0, 0]);
    expect(skeleton.positions[8]).toBeCloseTo(1e-3, 9);
    expect([...weights!.joints]).toEqual([1, 0, 2, 0]);
    expect([...weights!.weights]).toEqual([0.75, 0.25, 1, 0]);
  });

  test("reads what it wrote, bit by bit", () => {
    const random = createRandom(5);
    const joints = Int32Array.from(
      { length: 60 },
      (_, i) => (i % 3) * 2 + Math.floor(random() * 2),
    );
    const weights = weightsFromSlots(
      joints,
      Float32Array.from(joints, () => random()),
      3,
    );
    const skeleton = {
      names: ["a", "b", "c", "d", "e", "f"],
      parents: Int32Array.from([1, -1, 0, 1, -1, 4]),
      positions: Float32Array.from({ length: 18 }, () => random() * 10 - 5),
    };
    const again = parseRigNetText("rig.txt", formatRigNetText({ skeleton, weights }));
    expect(again.skeleton).toEqual(skeleton);
    expect(again.weights!.joints).toEqual(weights.joints);
    again.weights!.weights.forEach((weight, i) => {
      expect(Math.abs(weight - weights.weights[i])).toBeLessThan(1e-7);
    });
  });

  test("adapts names to the format", () => {
    const skeleton = {
      names: ["left arm", "left_arm", ""],
      parents: Int32Array.from([-1, 0, 1]),
      positions: new Float32Array(9),
    };
    const { names } = parseRigNetText("rig.txt", formatRigNetText({ skeleton })).skeleton;
    expect(names).toEqual(["left_arm", "left_arm_1", "joint_2"]);
  });

  test.each([
    ["", /no line begins with "joints"/],
    ["joints a 0 0\n", /line 1: a joint needs a name and three numbers/],
    ["joints a 0 0 x\n", /line 1/],
    ["joints a 0 0 0\njoints a 0 0 0\n", /line 2: joint "a" appears twice/],
    ["joints a 0 0 0\nhier a b\n", /line 2: there is no joint "b"/],
    [
      "joints a 0 0 0\njoints b 0 0 0\nhier a b\nhier b a\n",
      /line 4: joint "a" is its own ancestor/,
    ],
    [
      Array.from({ length: 20_000 }, (_, j) => `joints j${j} 0 0 0`).join("\n"),
      /memory limit of 1024 MB \(20000 joints at once\)/,
    ],
    ["joints a 0 0 0\nskin 5 a 1\n", /line 2: vertices of skin lines must be 0 to 0/],
    ["joints a 0 0 0\nskin 0 a one\n", /line 2: "one" is not a weight/],
  ])("refuses %j", (text, words) => {
    expect(() => parseRigNetText("rig.txt", text)).toThrow(words);
  });
});
