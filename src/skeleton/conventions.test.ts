import { describe, expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { CONVENTIONS, humanBones, nameJoints, REQUIRED_BONES } from "./conventions.ts";
import { skeletonRoles } from "./roles.ts";
import { bipedTemplate, bothSides, skeletonOfRows, templateNamed } from "./templates.ts";

const biped = (fingers: number) => {
  const { rows } = bothSides(bipedTemplate({ fingers, spine: 3 }));
  const skeleton = skeletonOfRows(rows);
  skeleton.positions = Float32Array.from(rows.flatMap(([, , at]) => at));
  return skeleton;
};

describe.each([0, 3, 4, 5])("a biped with %d fingers", (fingers) => {
  test.each(CONVENTIONS)("named as %s keeps its roles", (convention) => {
    const skeleton = biped(fingers);
    const named = nameJoints(skeleton, convention);
    expect(new Set(named.names).size).toBe(skeleton.names.length);
    expect(skeletonRoles(named).roles).toEqual(skeletonRoles(skeleton).roles);
  });

  test("has the bones of a VRM humanoid", () => {
    const bones = humanBones(skeletonRoles(biped(fingers)));
    expect(REQUIRED_BONES.filter((bone) => !bones.has(bone))).toEqual([]);
    expect(new Set(bones.values()).size).toBe(bones.size);
    expect([...bones.keys()].filter((bone) => /Distal/.test(bone)).length).toBe(fingers * 2);
  });
});

test("well-known names appear", () => {
  const skeleton = biped(5);
  expect(nameJoints(skeleton, "mixamo").names).toEqual(
    expect.arrayContaining([
      "mixamorig:Hips",
      "mixamorig:LeftForeArm",
      "mixamorig:RightHandPinky3",
    ]),
  );
  expect(nameJoints(skeleton, "unreal").names).toEqual(
    expect.arrayContaining(["pelvis", "spine_03", "lowerarm_l", "ball_r", "thumb_01_l"]),
  );
  expect(nameJoints(skeleton, "vrm").names).toEqual(
    expect.arrayContaining(["upperChest", "leftThumbMetacarpal", "rightToes"]),
  );
});

test("other bodies keep their names", () => {
  const { rows } = bothSides(templateNamed("quadruped"));
  const fox = skeletonOfRows(rows);
  fox.positions = Float32Array.from(rows.flatMap(([, , at]) => at));
  expect(nameJoints(fox, "own")).toBe(fox);
  expect(() => nameJoints(fox, "mixamo")).toThrow(InputError);
});
