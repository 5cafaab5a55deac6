import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Character } from "../../src/character/character.ts";
import { writeCharacterFile } from "../../src/disk/character-files.ts";
import { parseFbxText } from "../../src/formats/fbx/parse-fbx.ts";
import { fileFromCharacter } from "../../src/formats/file-from-character.ts";
import { fbxBinary, fbxSevenText } from "./fbx-sample.ts";
import { smallSample } from "./small-sample.ts";

/** Fills a folder with the files that the snippets of the documents mention; they are small and generated. */
export async function fillDocFolder(folder: string): Promise<void> {
  const at = (...names: string[]) => path.join(folder, ...names);
  mkdirSync(folder, { recursive: true });
  const fish = await smallFish();
  const write = async (name: string, isVrm = false) => {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    const file = fileFromCharacter(fish);
    if (isVrm) {
      file.source.json.extensions = { VRMC_vrm: { specVersion: "1.0" } };
      file.source.json.extensionsUsed = ["VRMC_vrm"];
    }
    await writeCharacterFile(at(name), file, fish.weights!);
  };
  const names = [
    "fox",
    "rig",
    "body",
    "shirt",
    "other-tool",
    "from-elsewhere",
    "character",
    "lod1",
    "lod2",
  ];
  for (const name of names) await write(`${name}.glb`);
  await write("avatar.vrm", true);
  for (const place of ["rigs", "my-rigs", "blender-out", "data", "data/characters", "folder"]) {
    for (const name of ["one", "two", "three"]) await write(`${place}/${name}.glb`);
  }
  const table = "id\tsplit\none\ttrain\ntwo\ttest\nthree\tval\n";
  for (const name of ["data/characters.tsv", "characters.tsv"]) writeFileSync(at(name), table);
  writeFileSync(at("body.fbx"), fbxSevenText());
  writeFileSync(at("hero.fbx"), fbxBinary(parseFbxText("hero.fbx", fbxSevenText()), 7400));
  writeFileSync(at("coat.obj"), objText(fish));
  writeFileSync(at("statue.obj"), objText(await smallSample("dancer")));
  mkdirSync(at("models"));
}

/** A character of a few hundred vertices with weights, whose last joint is called Head. */
export async function smallFish(): Promise<Character> {
  const fish = await smallSample("fish");
  const names = [...fish.skeleton.names.slice(0, -1), "Head"];
  return { ...fish, skeleton: { ...fish.skeleton, names } };
}

function objText({ mesh: { positions, triangles } }: Character): string {
  const rows = (letter: string, values: ArrayLike<number>, add: number) =>
    Array.from({ length: values.length / 3 }, (_, row) => {
      const three = [0, 1, 2].map((i) => values[row * 3 + i] + add);
      return `${letter} ${three.join(" ")}\n`;
    });
  return [...rows("v", positions, 0), ...rows("f", triangles, 1)].join("");
}
