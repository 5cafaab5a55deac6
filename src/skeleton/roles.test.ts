import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { type Role, type RolePart, skeletonRoles } from "./roles.ts";
import type { Skeleton } from "./skeleton.ts";

/** A person as rows of part, parent and position; the side is L. */
const BODY: [part: string, parent: string, position: [number, number, number]][] = [
  ["hips", "", [0, 1, 0]],
  ["spine0", "hips", [0, 1.1, 0]],
  ["spine1", "spine0", [0, 1.25, 0]],
  ["neck", "spine1", [0, 1.5, 0]],
  ["head", "neck", [0, 1.6, 0]],
  ["shoulder", "spine1", [0.05, 1.45, 0]],
  ["upperArm", "shoulder", [0.2, 1.45, 0]],
  ["lowerArm", "upperArm", [0.45, 1.45, 0]],
  ["hand", "lowerArm", [0.7, 1.45, 0]],
  ["thumb0", "hand", [0.72, 1.45, 0.03]],
  ["thumb1", "thumb0", [0.75, 1.45, 0.05]],
  ["index0", "hand", [0.78, 1.45, 0.02]],
  ["index1", "index0", [0.8, 1.45, 0.02]],
  ["upperLeg", "hips", [0.1, 0.95, 0]],
  ["lowerLeg", "upperLeg", [0.1, 0.5, 0]],
  ["foot", "lowerLeg", [0.1, 0.08, 0]],
  ["toe", "foot", [0.1, 0.02, 0.1]],
];
const MIDDLE = new Set(["hips", "spine0", "spine1", "neck", "head"]);

/** The names of each convention, in the order of BODY, for the left side. */
const CONVENTIONS: Record<string, [names: string, other: (left: string) => string]> = {
  Mixamo: [
    "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Neck mixamorig:Head mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:LeftHandThumb1 mixamorig:LeftHandThumb2 mixamorig:LeftHandIndex1 mixamorig:LeftHandIndex2 mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
    (name) => name.replace("Left", "Right"),
  ],
  VRM: [
    "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand J_Bip_L_Thumb1 J_Bip_L_Thumb2 J_Bip_L_Index1 J_Bip_L_Index2 J_Bip_L_UpperLeg J_Bip_L_LowerLeg J_Bip_L_Foot J_Bip_L_ToeBase",
    (name) => name.replace("_L_", "_R_"),
  ],
  "VRM 1.0": [
    "hips spine chest neck head leftShoulder leftUpperArm leftLowerArm leftHand leftThumbMetacarpal leftThumbProximal leftIndexProximal leftIndexIntermediate leftUpperLeg leftLowerLeg leftFoot leftToes",
    (name) => name.replace("left", "right"),
  ],
  Unreal: [
    "pelvis spine_01 spine_02 neck_01 head clavicle_l upperarm_l lowerarm_l hand_l thumb_01_l thumb_02_l index_01_l index_02_l thigh_l calf_l foot_l ball_l",
    (name) => name.replace(/_l$/, "_r"),
  ],
  Biped: [
    "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head Bip01_L_Clavicle Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand Bip01_L_Finger0 Bip01_L_Finger01 Bip01_L_Finger1 Bip01_L_Finger11 Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0",
    (name) => name.replace("_L_", "_R_"),
  ],
  Rigify: [
    "DEF-spine DEF-spine.001 DEF-spine.003 DEF-spine.004 DEF-spine.006 DEF-shoulder.L DEF-upper_arm.L DEF-forearm.L DEF-hand.L DEF-thumb.01.L DEF-thumb.02.L DEF-f_index.01.L DEF-f_index.02.L DEF-thigh.L DEF-shin.L DEF-foot.L DEF-toe.L",
    (name) => name.replace(/\.L$/, ".R"),
  ],
  MakeHuman: [
    "root spine05 spine01 neck01 head clavicle.L upperarm01.L lowerarm01.L wrist.L finger1-1.L finger1-2.L finger2-1.L finger2-2.L upperleg01.L lowerleg01.L foot.L toe1-1.L",
    (name) => name.replace(/\.L$/, ".R"),
  ],
  Daz: [
    "hip abdomenLower chestLower neckLower head lCollar lShldrBend lForearmBend lHand lThumb1 lThumb2 lIndex1 lIndex2 lThighBend lShin lFoot lToe",
    (name) => name.replace(/^l/, "r"),
  ],
  "Auto-Rig Pro": [
    "root.x spine_01.x spine_02.x neck.x head.x shoulder.l arm_stretch.l forearm_stretch.l hand.l thumb1.l thumb2.l index1.l index2.l thigh_stretch.l leg_stretch.l foot.l toes_01.l",
    (name) => name.replace(/\.l$/, ".r"),
  ],
  own: [
    "hips spine chest neck head shoulder.L upperArm.L lowerArm.L hand.L thumb1.L thumb2.L index1.L index2.L upperLeg.L lowerLeg.L foot.L toe.L",
    (name) => name.replace(/\.L$/, ".R"),
  ],
  none: [
    "joint_0 joint_1 joint_2 joint_3 joint_4 joint_5 joint_6 joint_7 joint_8 joint_9 joint_10 joint_11 joint_12 joint_13 joint_14 joint_15 joint_16",
    (name) => `${name}0`,
  ],
};

function person(names: string[], other: (left: string) => string): Skeleton {
  const rows = BODY.map(([part, parent, at], i) => ({ key: part, name: names[i], parent, at }));
  const image = rows
    .filter(({ key }) => !MIDDLE.has(key))
    .map(({ key, name, parent, at }) => ({
      key: `${key}R`,
      name: other(name),
      parent: MIDDLE.has(parent) ? parent : `${parent}R`,
      at: [-at[0], at[1], at[2]],
    }));
  const all = [...rows, ...image];
  return {
    names: all.map(({ name }) => name),
    parents: Int32Array.from(all, ({ parent }) => all.findIndex(({ key }) => key === parent)),
    positions: Float32Array.from(all.flatMap(({ at }) => at)),
  };
}

const text = (role: Role | undefined) =>
  role && `${role.part}${role.side > 0 ? "L" : role.side < 0 ? "R" : ""}`;

describe("roles of a person", () => {
  const parts = BODY.map(([part]) => part.replace(/\d$/, "").replace(/thumb|index/, "finger"));
  test.each(Object.keys(CONVENTIONS))("%s", (convention) => {
    const [names, other] = CONVENTIONS[convention];
    const skeleton = person(names.split(" "), other);
    const { kind, roles } = skeletonRoles(skeleton);
    expect(kind).toBe("biped");
    const left = (part: string) => (MIDDLE.has(part) || part === "spine" ? part : `${part}L`);
    const found = roles.slice(0, BODY.length).map(text);
    // Without telling names, shoulders and fingers follow from the number of joints along the arm.
    const isPlain = convention === "none" || convention === "MakeHuman";
    parts.forEach((part, i) => {
      if (
        isPlain &&
        ["shoulder", "upperArm", "lowerArm", "hand", "finger", "spine", "neck", "hips"].includes(
          part,
        )
      )
        return;
      expect([skeleton.names[i], found[i]]).toEqual([skeleton.names[i], left(part)]);
    });
    const right = roles.slice(BODY.length).map(text);
    const sided = found.filter((_, i) => !MIDDLE.has(BODY[i][0]));
    expect(right).toEqual(sided.map((role) => role?.replace(/L$/, "R")));
    if (!isPlain) {
      expect(roles.map((role) => role?.limb ?? 0).slice(9, 13)).toEqual([0, 0, 1, 1]);
      expect(roles[2]).toMatchObject({ part: "spine", index: 1, count: 2 });
    }
  });
});

describe("roles of the samples", () => {
  test.each([
    ["dancer", "biped", { head: 1, hand: 2, foot: 2 }],
    ["fox", "quadruped", { head: 1, upperLeg: 4, lowerLeg: 4 }],
    ["bird", "bird", { head: 1, wing: 8 }],
  ] as const)("%s is a %s", (sample, kind, counts) => {
    const found = skeletonRoles(makeSample(sample).skeleton);
    expect(found.kind).toBe(kind);
    for (const [part, count] of Object.entries(counts)) {
      const own = found.roles.filter((role) => role?.part === (part as RolePart));
      expect([part, own.length]).toEqual([part, count]);
    }
  });
});

test("feet that are attached to the root belong to the nearest leg", () => {
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
      "PoleTarget.L",
    ],
    parents: Int32Array.of(-1, 0, 1, 2, 1, 4, 1, 6, 0, 0, 8),
    positions: Float32Array.of(
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      1.3,
      0,
      0,
      1.6,
      0,
      0.1,
      0.9,
      0,
      0.1,
      0.5,
      0,
      -0.1,
      0.9,
      0,
      -0.1,
      0.5,
      0,
      0.1,
      0.1,
      0,
      -0.1,
      0.1,
      0,
      0.1,
      0.5,
      1,
    ),
  };
  const { kind, roles } = skeletonRoles(skeleton);
  expect(kind).toBe("biped");
  expect(roles.map(text).slice(4)).toEqual([
    "upperLegL",
    "lowerLegL",
    "upperLegR",
    "lowerLegR",
    "footL",
    "footR",
    undefined,
  ]);
});
