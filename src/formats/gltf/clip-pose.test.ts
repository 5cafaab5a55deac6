import { describe, expect, test } from "vitest";
import { fbxSevenText } from "../../../test/helpers/fbx-sample.ts";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { readCharacter } from "../read-character.ts";
import { type ClipChannel, clipPose, readClips, sampleChannel } from "./clips.ts";

/** A tube whose third joint rotates a quarter about x and back, or stays, optionally in centimeters and z up. */
async function bendingTube(isScaled: boolean) {
  const { builder } = tubeGlb({ isScaled });
  const half = Math.SQRT1_2;
  const input = builder.add(Float32Array.of(0, 1, 2), "SCALAR", { min: [0], max: [2] });
  const turns = Float32Array.of(0, 0, 0, 1, half, 0, 0, half, 0, 0, 0, 1);
  builder.json.animations = [
    {
      name: "bend",
      channels: [{ sampler: 0, target: { node: 4, path: "rotation" } }],
      samplers: [{ input, output: builder.add(turns, "VEC4") }],
    },
  ];
  return readCharacter({ name: "tube.glb", bytes: builder.glb() });
}

function moved(matrices: Float32Array, joint: number, [x, y, z]: number[]): number[] {
  const m = matrices.subarray(joint * 16, joint * 16 + 16);
  return [0, 1, 2].map((i) => m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12]);
}

describe.each([false, true])("a clip on a character, armature scaled: %s", (isScaled) => {
  test("keeps the bind pose at rest, and rotates what is attached to the joint", async () => {
    const file = await bendingTube(isScaled);
    const set = readClips(file);
    expect(set.clips.map(({ name, duration }) => [name, duration])).toEqual([["bend", 2]]);
    const rest = clipPose(set, set.clips[0], 0);
    file.character.skeleton.parents.forEach((_, joint) => {
      expect(moved(rest, joint, [0.3, 0.4, 0.5])).toBeAllClose([0.3, 0.4, 0.5], 1e-5);
    });
    const bent = clipPose(set, set.clips[0], 1);
    const pivot = [...file.character.skeleton.positions.subarray(6, 9)];
    const above = [pivot[0], pivot[1] + 0.5, pivot[2]];
    // Node 4 is joint 2; a quarter turn about x maps y to z, in the armature's axes and in the world's.
    const expected = [pivot[0], pivot[1], pivot[2] + 0.5];
    expect(moved(bent, 2, above)).toBeAllClose(expected, 1e-5);
    expect(moved(bent, 3, above)).toBeAllClose(expected, 1e-5);
    expect(moved(bent, 1, above)).toBeAllClose(above, 1e-5);
  });
});

test("clips of an FBX are read", async () => {
  const bytes = new TextEncoder().encode(fbxSevenText());
  const set = readClips(await readCharacter({ name: "square.fbx", bytes }));
  expect(set.clips.map(({ name }) => name)).toEqual(["nod"]);
  const [from, to] = [0, 1].map((seconds) => clipPose(set, set.clips[0], seconds));
  expect(from).not.toEqual(to);
});

test("a skeleton of another file has no clips", async () => {
  const { builder } = tubeGlb({ isBare: true });
  const skeleton = { name: "rig.glb", bytes: tubeGlb().builder.glb() };
  const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() }, { skeleton });
  expect(readClips(file).clips).toEqual([]);
});

test("interpolations follow glTF: held ends, steps, lines, cubics through their keys", () => {
  const channel = (interpolation: ClipChannel["interpolation"], values: number[]): ClipChannel => ({
    node: 0,
    path: "translation",
    interpolation,
    times: Float32Array.of(1, 3),
    values: Float32Array.from(values),
  });
  const linear = channel("LINEAR", [0, 0, 0, 2, 4, 8]);
  expect(sampleChannel(linear, 0)).toEqual([0, 0, 0]);
  expect(sampleChannel(linear, 2)).toEqual([1, 2, 4]);
  expect(sampleChannel(linear, 9)).toEqual([2, 4, 8]);
  expect(sampleChannel(channel("STEP", [0, 0, 0, 2, 4, 8]), 2.9)).toEqual([0, 0, 0]);
  // With tangents equal to the slope, a cubic is a line.
  const slope = [1, 2, 4];
  const cubic = channel("CUBICSPLINE", [...slope, 0, 0, 0, ...slope, ...slope, 2, 4, 8, ...slope]);
  expect(sampleChannel(cubic, 1.5)).toBeAllClose(sampleChannel(linear, 1.5), 1e-6);
});
