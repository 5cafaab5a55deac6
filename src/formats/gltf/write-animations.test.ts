import { expect, test } from "vitest";
import { makeSample } from "../../../samples/index.ts";
import { transformPoint } from "../../math/mat4.ts";
import { makeMotion } from "../../motion/motions.ts";
import { forwardKinematics } from "../../skeleton/pose.ts";
import type { CharacterFile } from "../character-file.ts";
import { fileFromCharacter } from "../file-from-character.ts";
import { readCharacter } from "../read-character.ts";
import { type WriteCharacterOptions, writeCharacter } from "../write-character.ts";
import { clipPose, readClips } from "./clips.ts";
import { movedRig } from "./moved-rig.ts";
import { carriedClipSet } from "./write-animations.ts";

const dancer = makeSample("dancer");
const walk = makeMotion(dancer.skeleton, "walk")!;

const rewritten = async (file: CharacterFile, options: WriteCharacterOptions) => {
  const { bytes } = writeCharacter(file, dancer.weights!, options);
  return readCharacter({ name: "dancer.glb", bytes });
};

/** Positions of all joints in a pose of a clip. */
function joints(file: CharacterFile, clip: number, seconds: number): number[][] {
  const set = readClips(file);
  const pose = clipPose(set, set.clips[clip], seconds);
  const { positions, names } = file.character.skeleton;
  return names.map((_, j) =>
    transformPoint(pose.subarray(j * 16, j * 16 + 16), positions.subarray(j * 3, j * 3 + 3)),
  );
}

test("a motion in a file equals the generated motion", async () => {
  const file = await rewritten(fileFromCharacter(dancer), { motions: [walk] });
  const J = dancer.skeleton.names.length;
  for (const k of [0, 5, 17]) {
    const matrices = forwardKinematics(
      dancer.skeleton,
      walk.rotations.slice(k * J * 4, (k + 1) * J * 4),
      walk.translations.slice(k * J * 3, (k + 1) * J * 3),
    );
    const found = joints(file, 0, walk.times[k]);
    found.forEach((at, j) => {
      const rest = dancer.skeleton.positions.subarray(j * 3, j * 3 + 3);
      expect(at).toBeAllClose(transformPoint(matrices.subarray(j * 16, j * 16 + 16), rest), 1e-4);
    });
  }
});

test("animations of a skeleton's file follow its joints to another body", async () => {
  const source = await rewritten(fileFromCharacter(dancer), { motions: [walk] });
  const bare = {
    ...dancer,
    mesh: { ...dancer.mesh, positions: dancer.mesh.positions.map((v) => v / 2) },
  };
  const { bytes } = writeCharacter(fileFromCharacter(bare), dancer.weights!);
  const half = source.character.skeleton.positions.map((value) => value / 2);
  const target = await readCharacter(
    { name: "half.glb", bytes },
    { rig: movedRig(source.rig, half) },
  );
  const file = await rewritten(target, { animationsOf: source });
  const names = readClips(file).clips.map(({ name }) => name);
  expect(names).toEqual(["walk"]);
  // Played before it is written, it is the same.
  const carried = carriedClipSet(target.rig, source);
  expect(carried.clips.map(({ name }) => name)).toEqual(names);
  const written = readClips(file);
  const order = target.rig.skeleton.names.map((name) => file.rig.skeleton.names.indexOf(name));
  const before = clipPose(carried, carried.clips[0], 0.3);
  const after = clipPose(written, written.clips[0], 0.3);
  order.forEach((other, j) => {
    const matrix = after.subarray(other * 16, other * 16 + 16);
    expect(before.subarray(j * 16, j * 16 + 16)).toBeAllClose(matrix, 1e-4);
  });
  for (const seconds of [0, 0.3, 0.8]) {
    const [small, large] = [joints(file, 0, seconds), joints(source, 0, seconds)];
    file.character.skeleton.names.forEach((name, j) => {
      const other = source.character.skeleton.names.indexOf(name);
      expect(small[j]).toBeAllClose(
        large[other].map((value) => value / 2),
        1e-3,
      );
    });
  }
});

test("frames rotate with the bones, so that a clip poses a body alike in another rest pose", async () => {
  const source = await rewritten(fileFromCharacter(dancer), { motions: [walk] });
  // The same skeleton at rest in a pose of the walk: clips set rotations, so they lead to the same poses.
  const rest = Float32Array.from(joints(source, 0, 0.4).flat());
  const moved = movedRig(source.rig, rest);
  const { bytes } = writeCharacter(fileFromCharacter(dancer), dancer.weights!);
  const target = await readCharacter({ name: "posed.glb", bytes }, { rig: moved });
  const file = await rewritten(target, { animationsOf: source });
  const [found, wanted] = [joints(file, 0, 0.7), joints(source, 0, 0.7)];
  const away = file.character.skeleton.names.map((name, j) => {
    const at = wanted[source.character.skeleton.names.indexOf(name)];
    return Math.hypot(...found[j].map((value, axis) => value - at[axis]));
  });
  expect(Math.max(...away)).toBeLessThan(0.12);
});
