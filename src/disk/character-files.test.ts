import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tubeGlb } from "../../test/helpers/glb-builder.ts";
import { readCharacter } from "../formats/read-character.ts";
import { InputError } from "../input-error.ts";
import { readCharacterFile, writeCharacterFile } from "./character-files.ts";
import { checkOutput, defaultOutput } from "./output-paths.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "heterskin-io-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function expectRefusal(promise: Promise<unknown>, words: RegExp): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  const { message } = error as InputError;
  expect(message).toMatch(words);
  // One sentence: its only full stop at the end of a word is the last.
  expect(message.replace(/\.(?=\w)/g, "").match(/\.(\s|$)/g)?.length).toBe(1);
}

/** The first bytes of a PNG. */
const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2);

test("a GLB truncated anywhere is refused", async () => {
  const bytes = tubeGlb().builder.glb();
  for (let size = 4; size < bytes.length; size += 97) {
    const cut = { name: "cut.glb", bytes: bytes.slice(0, size) };
    await expectRefusal(readCharacter(cut), /the GLB should have \d+ bytes|cut off|truncated/);
  }
});

describe("missing and unknown files", () => {
  test("no file", () =>
    expectRefusal(readCharacterFile(path.join(folder, "none.glb")), /none\.glb: no such file/));
  test("a folder", () => expectRefusal(readCharacterFile(folder), /this is a folder/));
  test("an empty file", async () => {
    await writeFile(path.join(folder, "empty.glb"), "");
    await expectRefusal(readCharacterFile(path.join(folder, "empty.glb")), /the file is empty/);
  });
  test("an unknown format", () =>
    expectRefusal(
      readCharacter({ name: "a.blend", bytes: Uint8Array.from([1, 2]) }),
      /use one of .*\.glb/,
    ));
});

describe("files next to the file", () => {
  test("reads neighboring files, and reports a missing one", async () => {
    const { builder } = tubeGlb();
    await writeFile(path.join(folder, "a b.bin"), builder.bin());
    builder.glb();
    builder.json.buffers[0].uri = "a%20b.bin";
    await writeFile(path.join(folder, "near.gltf"), JSON.stringify(builder.json));
    expect((await readCharacterFile(path.join(folder, "near.gltf"))).character.name).toBe("near");
    builder.json.buffers[0].uri = "gone.bin";
    await writeFile(path.join(folder, "far.gltf"), JSON.stringify(builder.json));
    await expectRefusal(
      readCharacterFile(path.join(folder, "far.gltf")),
      /"gone\.bin"\) was not found/,
    );
  });
});

describe("output", () => {
  test("is written completely or not at all, and overwrites only by force", async () => {
    const file = await readCharacter({ name: "tube.glb", bytes: tubeGlb().builder.glb() });
    const out = path.join(folder, "out");
    await mkdir(out);
    const target = path.join(out, "tube.glb");
    await writeCharacterFile(target, file, file.character.weights!);
    const first = await readFile(target);
    await expectRefusal(
      writeCharacterFile(target, file, {
        ...file.character.weights!,
        weights: file.character.weights!.weights.map((w) => w / 2 + 0.25),
      }),
      /the file exists/,
    );
    expect(await readFile(target)).toEqual(first);
    await writeCharacterFile(target, file, file.character.weights!, {
      force: true,
      weightType: "uint8",
    });
    expect((await readFile(target)).length).not.toBe(first.length);
    expect(await readdir(out)).toEqual(["tube.glb"]);
    await writeCharacterFile(path.join(out, "tube.gltf"), file, file.character.weights!);
    expect((await readdir(out)).sort()).toEqual(["tube.bin", "tube.glb", "tube.gltf"]);
    expect((await readCharacterFile(path.join(out, "tube.gltf"))).character.mesh).toEqual(
      file.character.mesh,
    );
  });

  test("copies images of a .gltf, with their folders", async () => {
    const { builder } = tubeGlb();
    const here = path.join(folder, "here");
    await mkdir(path.join(here, "maps"), { recursive: true });
    await writeFile(path.join(here, "maps", "a.png"), PICTURE);
    builder.json.images = [{ uri: "maps/a.png" }];
    await writeFile(path.join(here, "a.gltf"), builder.gltf());
    const file = await readCharacterFile(path.join(here, "a.gltf"));
    const there = path.join(folder, "there");
    await mkdir(there);
    await writeCharacterFile(path.join(there, "b.gltf"), file, file.character.weights!);
    expect(new Uint8Array(await readFile(path.join(there, "maps", "a.png")))).toEqual(PICTURE);
    // Next to the input the image already exists and does not count as overwritten.
    await writeCharacterFile(path.join(here, "b.gltf"), file, file.character.weights!);
    // An image from elsewhere is written next to the output, never above it.
    file.source.images.set("../../x.png", PICTURE);
    file.source.json.images!.push({ uri: "../../x.png" });
    await writeCharacterFile(path.join(there, "c.gltf"), file, file.character.weights!);
    expect(new Uint8Array(await readFile(path.join(there, "x.png")))).toEqual(PICTURE);
  });

  test("is RigNet text if the path ends so, and is read back with its weights", async () => {
    const { builder, joints } = tubeGlb();
    const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() });
    const target = path.join(folder, "tube.txt");
    await writeCharacterFile(target, file, file.character.weights!);
    await writeFile(path.join(folder, "bare.glb"), tubeGlb({ isBare: true }).builder.glb());
    const { character } = await readCharacterFile(path.join(folder, "bare.glb"), {
      skeleton: target,
    });
    expect(character.skeleton.positions).toEqual(joints);
    expect([...character.weights!.weights].filter((w) => w > 0)).toEqual(
      [...file.character.weights!.weights].filter((w) => w > 0),
    );
    await expectRefusal(
      writeCharacterFile(target, file, file.character.weights!),
      /the file exists/,
    );
  });

  test("is checked before any work is done", async () => {
    await expectRefusal(checkOutput(path.join(folder, "nowhere", "a.glb")), /does not exist/);
    await expectRefusal(checkOutput(path.join(folder, "a.stl")), /; use \.glb/);
    await writeFile(path.join(folder, "taken.glb"), "x");
    await expectRefusal(checkOutput(path.join(folder, "taken.glb")), /the file exists/);
    await checkOutput(path.join(folder, "taken.glb"), true);
    await checkOutput(path.join(folder, "free.glb"));
  });

  test.each([
    ["hero.fbx", "hero.skinned.fbx"],
    ["hero.GLTF", "hero.skinned.gltf"],
    ["hero.vrm", "hero.skinned.vrm"],
    ["hero.dae", "hero.skinned.dae"],
    ["hero.obj", "hero.skinned.glb"],
  ])("has the format of the input by default: %s", (input, output) => {
    expect(defaultOutput(path.join("a", input))).toBe(path.join("a", output));
    const moving = output.replace(".dae", ".glb");
    expect(defaultOutput(path.join("a", input), true)).toBe(path.join("a", moving));
  });

  test("refuses a path or a format it cannot write", async () => {
    const file = await readCharacter({ name: "tube.glb", bytes: tubeGlb().builder.glb() });
    const { weights } = file.character;
    await expectRefusal(
      writeCharacterFile(path.join(folder, "no", "a.glb"), file, weights!),
      /cannot be written \(ENOENT\)/,
    );
    await expectRefusal(
      writeCharacterFile(path.join(folder, "a.dae"), file, weights!),
      /only a \.dae can be written as a \.dae/,
    );
    await expectRefusal(
      writeCharacterFile(path.join(folder, "a.obj"), file, weights!),
      /use \.glb, \.gltf/,
    );
    await expectRefusal(writeCharacterFile(path.join(folder, "out"), file, weights!), /use \.glb/);
    await mkdir(path.join(folder, "dir.glb"));
    await expectRefusal(
      writeCharacterFile(path.join(folder, "dir.glb"), file, weights!),
      /this is a folder/,
    );
    // A target that cannot be replaced and a folder that is a file are refused late, yet no file is left.
    const before = (await readdir(folder)).sort();
    const forced = { force: true };
    await expectRefusal(
      writeCharacterFile(path.join(folder, "dir.glb"), file, weights!, forced),
      /this is a folder/,
    );
    await writeFile(path.join(folder, "plain"), "x");
    await expectRefusal(
      writeCharacterFile(path.join(folder, "plain", "a.glb"), file, weights!),
      /cannot be written \(ENOTDIR\)/,
    );
    expect((await readdir(folder)).sort()).toEqual([...before, "plain"].sort());
    const locked = path.join(folder, "locked");
    await mkdir(locked);
    await chmod(locked, 0o500);
    if (process.getuid?.() !== 0) {
      await expectRefusal(
        writeCharacterFile(path.join(locked, "a.glb"), file, weights!),
        /cannot be written/,
      );
      expect(await readdir(locked)).toEqual([]);
    }
  });
});
