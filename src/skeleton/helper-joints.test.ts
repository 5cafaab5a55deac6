import { describe, expect, test } from "vitest";
import { CONTROL, END_MARKER, findJoints, helperJoints, ORDINARY } from "./helper-joints.ts";
import type { Skeleton } from "./skeleton.ts";

function skeletonOf(rows: [string, number][]): Skeleton {
  return {
    names: rows.map(([name]) => name),
    parents: Int32Array.from(rows, ([, parent]) => parent),
    positions: new Float32Array(rows.length * 3),
  };
}

describe("helperJoints", () => {
  test("distinguishes end markers and controls from joints with similar names", () => {
    const rows: [string, number, number][] = [
      ["root", -1, ORDINARY],
      ["Head", 0, ORDINARY],
      ["HeadTop_End", 1, END_MARKER],
      ["Bip01 HeadNub", 1, END_MARKER],
      ["tail_tip", 0, ORDINARY],
      ["IKBackLeg.L", 0, ORDINARY],
      ["foot", 5, ORDINARY],
      ["PoleTarget.L", 0, CONTROL],
      ["ik_hand_root", 0, CONTROL],
      ["ik_hand_gun", 8, CONTROL],
      ["ik_hand_l", 9, CONTROL],
      ["end_of_spine", 0, ORDINARY],
      ["neck", 11, ORDINARY],
      ["bendy", 0, ORDINARY],
    ];
    const kinds = helperJoints(skeletonOf(rows.map(([name, parent]) => [name, parent])));
    expect([...kinds]).toEqual(rows.map(([, , kind]) => kind));
  });

  test("treats all joints as ordinary if no others would be left", () => {
    expect([...helperJoints(skeletonOf([["ctrl", -1]]))]).toEqual([ORDINARY]);
    expect([...helperJoints(skeletonOf([["end", -1]]))]).toEqual([ORDINARY]);
  });
});

describe("findJoints", () => {
  const skeleton = skeletonOf([
    ["Head", -1],
    ["head", 0],
    ["finger.01", 0],
    ["finger.02", 0],
    ["Fingerx01", 0],
  ]);

  test.each<[string[], number[]]>([
    [["head"], [1]],
    [["HEAD"], [0, 1]],
    [["finger.*"], [2, 3]],
    [
      ["finger.01", "Head"],
      [0, 2],
    ],
    [["*01"], [2, 4]],
    [[], []],
  ])("%j", (patterns, found) => {
    const mask = findJoints(patterns, skeleton, "lock");
    expect([...mask.keys()].filter((joint) => mask[joint])).toEqual(found);
  });

  test("names the unknown joint", () => {
    expect(() => findJoints(["tail"], skeleton, "exclude")).toThrow(/no joint "tail" to exclude/);
  });
});
