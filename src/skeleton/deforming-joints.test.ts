import { expect, test } from "vitest";
import { deformingJoints, deformSkeleton } from "./deforming-joints.ts";
import { parentsFirst, type Skeleton } from "./skeleton.ts";

type Joint = [name: string, parent: string | null, x: number, y: number];

function skeleton(joints: Joint[]): Skeleton {
  const names = joints.map(([name]) => name);
  return {
    names,
    parents: Int32Array.from(joints, ([, parent]) =>
      parent === null ? -1 : names.indexOf(parent),
    ),
    positions: Float32Array.from(joints.flatMap(([, , x, y]) => [x, y, 0])),
  };
}

const left = (rig: Skeleton): string[] => {
  const { deforming } = deformingJoints(rig);
  return rig.names.filter((_, joint) => deforming[joint] === 1);
};

const RIGIFY = skeleton([
  ["root", null, 0, 0],
  ["MCH-torso.parent", "root", 0, 1],
  ["ORG-spine", "MCH-torso.parent", 0, 1],
  ["DEF-spine", "ORG-spine", 0, 1],
  ["ORG-upper_arm.L", "ORG-spine", 0.3, 1.4],
  ["DEF-upper_arm.L", "ORG-upper_arm.L", 0.3, 1.4],
  ["ORG-forearm.L", "ORG-upper_arm.L", 0.6, 1.4],
  ["DEF-forearm.L", "ORG-forearm.L", 0.6, 1.4],
  ["upper_arm_ik.L", "root", 0.3, 1.4],
  ["VIS_pole.L", "root", 0.6, 1.4],
  ["DEF-hand.L", "ORG-forearm.L", 0.9, 1.4],
  ["sword", "DEF-hand.L", 1, 1.4],
]);

test("Rigify: marked joints deform, and joints without a marked counterpart", () => {
  expect(deformingJoints(RIGIFY).convention).toBe("Rigify");
  expect(left(RIGIFY)).toEqual([
    "DEF-spine",
    "DEF-upper_arm.L",
    "DEF-forearm.L",
    "DEF-hand.L",
    "sword",
  ]);
});

test("the deforming joints of Rigify become a separate chain", () => {
  const { deforming } = deformingJoints(RIGIFY);
  const part = deformSkeleton(RIGIFY, deforming);
  const { names, parents } = part.skeleton;
  const chain = Object.fromEntries(names.map((name, j) => [name, names[parents[j]] ?? null]));
  expect(chain).toEqual({
    "DEF-spine": null,
    "DEF-upper_arm.L": "DEF-spine",
    "DEF-forearm.L": "DEF-upper_arm.L",
    "DEF-hand.L": "DEF-forearm.L",
    sword: "DEF-hand.L",
  });
  expect([...part.joints].map((joint) => RIGIFY.names[joint])).toEqual(names);
  expect(parentsFirst(part.skeleton)).toHaveLength(names.length);
});

test("without marks a joint replaces a control at its position, and only there", () => {
  const rig = skeleton([
    ["spine_01.x", null, 0, 1],
    ["c_spine_01.x", null, 0, 1],
    ["thigh_stretch.l", "spine_01.x", 0.1, 0.9],
    ["thigh_ik.l", "spine_01.x", 0.1, 0.9],
    ["c_tail", "spine_01.x", -0.2, 0.8],
  ]);
  expect(left(rig)).toEqual(["spine_01.x", "thigh_stretch.l", "c_tail"]);
  expect(deformingJoints(rig).convention).toBe("Auto-Rig Pro");
});

test("Advanced Skeleton's FKX and IKX joints are omitted", () => {
  const rig = skeleton([
    ["Root_M", null, 0, 1],
    ["FKXShoulder_R", "Root_M", 0.2, 1.4],
    ["IKXShoulder_R", "Root_M", 0.2, 1.4],
    ["Shoulder_R", "Root_M", 0.2, 1.4],
  ]);
  expect(left(rig)).toEqual(["Root_M", "Shoulder_R"]);
  expect(deformingJoints(rig).convention).toBe("Advanced Skeleton");
});

test("an ordinary skeleton keeps all its joints", () => {
  const plain = skeleton([
    ["Hips", null, 0, 1],
    ["Spine", "Hips", 0, 1.2],
    ["LeftHandIK", "Hips", 0.5, 1],
    ["Head_end", "Spine", 0, 1.8],
  ]);
  expect(deformingJoints(plain)).toEqual({ deforming: Uint8Array.of(1, 1, 1, 1) });
});

test("a rig of only mechanism keeps all its joints", () => {
  const rig = skeleton([
    ["MCH-a", null, 0, 0],
    ["MCH-b", "MCH-a", 0, 1],
  ]);
  expect(left(rig)).toEqual(rig.names);
});

test("a stray joint far away changes nothing for the others", () => {
  const lost = skeleton([["lost", null, 1e6, 0]]);
  const rig: Skeleton = {
    names: [...RIGIFY.names, ...lost.names],
    parents: Int32Array.of(...RIGIFY.parents, 0),
    positions: Float32Array.of(...RIGIFY.positions, ...lost.positions),
  };
  expect(left(rig).filter((name) => name !== "lost")).toEqual(left(RIGIFY));
});
