import { expect, test } from "vitest";
import { JOINT_NAME_CLASSES, jointNameFeatures } from "./bone-features.ts";

function classesOf(name: string): string[] {
  const features = jointNameFeatures(name);
  expect(features.length).toBe(JOINT_NAME_CLASSES.length);
  return JOINT_NAME_CLASSES.filter((_, column) => features[column] === 1);
}

test.each([
  ["LeftUpLeg", ["leg"]],
  ["mixamorig:RightHandIndex1", ["hand", "finger"]],
  ["Bip01 L Clavicle", ["shoulder"]],
  ["J_Bip_C_Head_end", ["end", "head"]],
  ["IKPole.Knee_R", ["control", "leg"]],
  ["upper_arm.L", ["arm"]],
  ["TAIL_03", ["tail"]],
  ["handslot.l", ["slot"]],
])("%s is understood", (name, classes) => {
  expect(classesOf(name)).toEqual(classes);
});

test.each(["", "Bone.003", "joint17", "armadillo", "Legend", "骨"])(
  "%s has no class: a keyword inside another word does not count",
  (name) => {
    expect(classesOf(name)).toEqual([]);
  },
);
