import { readFileSync, writeFileSync } from "node:fs";
import type { SkinnedMesh } from "three";
import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import type { Character } from "../../src/character/character.ts";
import { readCharacterFile } from "../../src/disk/character-files.ts";
import { fileFromCharacter, writeCharacter } from "../../src/formats/index.ts";
import { loadWithThree } from "./load-with-three.ts";
import { runCli } from "./run-cli.ts";
import { validateGltf } from "./validate-gltf.ts";

/** Writes a sample with every vertex on joint 0, which `bind` has to replace. */
export function writeSample(name: string, file: string): Character {
  const character = makeSample(name);
  const vertices = character.mesh.positions.length / 3;
  const rigid = {
    influences: 1,
    joints: new Uint16Array(vertices),
    weights: new Float32Array(vertices).fill(1),
  };
  writeFileSync(file, writeCharacter(fileFromCharacter(character), rigid).bytes);
  return character;
}

/** Tests that samples bound by the command with its defaults are valid files with weights. */
export function testBoundSamples(names: string[], folder: { at: (name: string) => string }): void {
  test.each(names)("%s becomes a valid GLB that three loads", async (name) => {
    const { mesh, skeleton } = writeSample(name, folder.at("in.glb"));
    const run = await runCli("bind", folder.at("in.glb"), folder.at("out.glb"));
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
    const bytes = readFileSync(folder.at("out.glb"));
    expect(await validateGltf(bytes)).toEqual([]);
    const { character } = await readCharacterFile(folder.at("out.glb"));
    expect(character.weights).toBeSkinWeights(mesh.positions.length / 3, skeleton.parents.length);
    expect(new Set(character.weights!.joints).size).toBeGreaterThan(3);
    const loaded = await skinnedMesh(bytes);
    expect(loaded.skeleton.bones).toHaveLength(skeleton.parents.length);
    expect(loaded.geometry.attributes.skinWeight.count).toBe(mesh.positions.length / 3);
  });
}

async function skinnedMesh(bytes: Uint8Array): Promise<SkinnedMesh> {
  const { scene } = await loadWithThree(bytes);
  let found: SkinnedMesh | undefined;
  scene.traverse((object) => {
    if ((object as SkinnedMesh).isSkinnedMesh) found = object as SkinnedMesh;
  });
  if (!found) throw new Error("skinnedMesh: the scene shows no skinned mesh.");
  return found;
}
