import { expect, test } from "vitest";
import { boneDoubtLines } from "../../app/src/bone-doubt-lines.ts";
import { groupDoubts } from "../../app/src/group-doubts.ts";
import { plainSentence } from "../../app/src/plain-sentence.ts";
import { sharedAffixes, shortName } from "../../app/src/shared-affixes.ts";
import { sortFiles } from "../../app/src/sort-files.ts";
import type { State } from "../../app/src/store.ts";
import { qualityWords } from "../../app/src/ui/quality-panel.ts";
import { lossSentence } from "../../app/src/ui/save-bar.ts";
import { vertices } from "../../app/src/ui/words.ts";
import { CUBIC_KEYS } from "../../src/formats/losses.ts";
import { VERTEX_DOUBTS } from "../../src/review/doubts.ts";

test.each([
  [
    "a.gltf: Unexpected token 'x', \"x\" is not valid JSON.",
    "a.gltf could not be read: it is damaged, or its content does not match its name.",
  ],
  ["a.glb: the file is empty.", "a.glb: the file is empty."],
  [
    'a.gltf: buffer 0 ("a data.bin") was not found next to the file.',
    "a.gltf needs a data.bin: drop or choose both together.",
  ],
])("%s", (given, wanted) => {
  expect(plainSentence(given)).toBe(wanted);
});

test("names fold the prefix and suffix that nearly all share, and nothing else", () => {
  const mixamo = ["Hips", "Spine", "LeftArm", "RightArm"].map((name) => `mixamorig:${name}`);
  const prefix = (names: string[]) => sharedAffixes(names).prefix;
  expect(prefix(mixamo)).toBe("mixamorig:");
  expect(prefix([...mixamo, "sword"])).toBe("mixamorig:");
  expect(prefix(["hips", "hip_l", "hip_r", "spine"])).toBe("");
  expect(prefix(["Bip01 Spine", "Bip01 Head", "Bip01 L Arm", "Bip01 R Arm"])).toBe("Bip01 ");
  const blender = ["hips_Armature", "thigh.l_Armature", "thigh.r_Armature", "head_Armature"];
  const affixes = sharedAffixes(blender);
  expect(affixes).toEqual({ prefix: "", suffix: "_Armature" });
  expect(blender.map((name) => shortName(name, affixes))).toEqual([
    "hips",
    "thigh.l",
    "thigh.r",
    "head",
  ]);
});

test("a shared affix is folded, unless two names would become equal", () => {
  const rigged = ["hips", "spine", "head", "arm.l", "arm.r"].map((name) => `${name}_Armature`);
  expect(sharedAffixes([...rigged, "hair.l", "hair.r"]).suffix).toBe("_Armature");
  expect(sharedAffixes([...rigged, "hair.l", "head"]).suffix).toBe("");
});

test("many bones with the same reason are listed in one line", () => {
  const bones = [0, 1, 2, 3].map((joint) => ({ joint, reason: "idle" as const }));
  const names = ["a", "b", "c", "d"];
  expect(boneDoubtLines([...bones, { joint: 1, reason: "far" }], names)).toEqual([
    { text: "b is outside the body", joint: 1 },
    { text: "4 bones are moving no vertex: a, b, c and 1 more", joint: 0 },
  ]);
});

test("losses of a format are described in the words of an artist", () => {
  const lost = [CUBIC_KEYS, "DisplayLayer objects"].map((what) => ({ what, count: 3 }));
  const character = { formats: [{ format: "glb", lost, lostWithMotions: [] }] };
  expect(lossSentence({ character } as never, "glb", false)).toBe(
    "A GLB does not include: the curvature between animation keys (3), display layers (3). The report lists all.",
  );
});

test("the verb agrees with the number of vertices", () => {
  expect(vertices(1)).toEqual({ noun: "1 vertex", are: "is" });
  expect(vertices(1098)).toEqual({ noun: "1,098 vertices", are: "are" });
});

test("a few doubtful vertices among thousands are noise", () => {
  const count = 3000;
  const weights = {
    influences: 1,
    joints: Uint16Array.from({ length: count }, (_, v) => (v < 1000 ? 0 : 1)),
    weights: new Float32Array(count).fill(1),
  };
  const poses = { poses: [], findings: [] };
  const flags = new Uint8Array(count);
  const tie = 1 << VERTEX_DOUBTS.indexOf("tie");
  flags.fill(tie, 0, 5);
  flags.fill(tie, 1000, 1100);
  const groups = groupDoubts({ vertices: flags, bones: [], score: 0, poses }, weights);
  expect(groups.map(({ joint, vertices: own }) => [joint, own.length])).toEqual([[1, 100]]);
});

test("truncated weights are listed, but not counted as doubtful", () => {
  const weights = {
    influences: 1,
    joints: new Uint16Array(100),
    weights: new Float32Array(100).fill(1),
  };
  const flags = new Uint8Array(100);
  const state = {
    binds: [{ id: 1, weights }],
    current: 1,
    doubts: { vertices: flags, bones: [], score: 0, poses: { poses: [], findings: [] } },
  } as unknown as State;
  flags.fill(1 << VERTEX_DOUBTS.indexOf("clipped"), 0, 20);
  expect(groupDoubts(state.doubts!, weights)).toHaveLength(1);
  expect(qualityWords(state)).toEqual(["Nothing stands out."]);
  flags.fill(1 << VERTEX_DOUBTS.indexOf("tie"), 50, 60);
  expect(qualityWords(state)).toEqual(["10 vertices are worth a look."]);
});

test("files dropped together are assigned their roles in any order", async () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));
  const never = async () => {
    throw new Error("asked");
  };
  for (const files of [named("a.obj", "rig.glb"), named("rig.glb", "a.obj")]) {
    const { main, skeleton } = (await sortFiles(files, never))!;
    expect([main.map(({ name }) => name), skeleton?.name]).toEqual([["a.obj"], "rig.glb"]);
  }
  const text = (await sortFiles(named("rig.txt", "a.glb"), never))!;
  expect([text.main[0].name, text.skeleton?.name]).toEqual(["a.glb", "rig.txt"]);
  const two = named("a.glb", "b.glb", "b.png");
  const asked = (await sortFiles(two, async () => "1"))!;
  expect(asked.main.map(({ name }) => name)).toEqual(["b.glb", "b.png"]);
  const mixed = (await sortFiles(two, async () => "0/1"))!;
  expect([mixed.main[0].name, mixed.skeleton?.name]).toEqual(["a.glb", "b.glb"]);
  expect(await sortFiles(two, async () => undefined)).toBeUndefined();
});
