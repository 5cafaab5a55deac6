/** The show characters as they are shipped: sound files of the promised size, made by the bake script. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { windingNumber } from "../samples/mesh-checks.ts";
import { SHOW, showFile } from "../samples/show/names.ts";
import { bakeShow } from "../scripts/bake-samples.ts";
import { checkCharacter } from "../src/character/character.ts";
import { readCharacter, readClips, readLook } from "../src/formats/index.ts";
import { motionsFor } from "../src/parts.ts";
import { checkWeights } from "../src/weights/check-weights.ts";
import { validateGltf } from "./helpers/validate-gltf.ts";

/** Bytes of all files and posters that the gallery offers. */
const BUDGET = 1.5e6;

const bytesOf = (path: string) => new Uint8Array(readFileSync(`app/public/${path}`));

describe.each(SHOW.map(({ name }) => name))("%s", (name) => {
  test("is a valid, rigged, colored, moving character of 3,000 to 9,500 vertices", async () => {
    const bytes = bytesOf(showFile(name));
    expect(await validateGltf(bytes)).toEqual([]);
    expect(bytes.length).toBeGreaterThan(80e3);
    expect(bytes.length).toBeLessThan(300e3);
    const file = await readCharacter({ name: `${name}.glb`, bytes });
    const { mesh, skeleton, weights } = file.character;
    checkCharacter(file.character);
    const vertices = mesh.positions.length / 3;
    expect(vertices).toBeGreaterThan(3000);
    expect(vertices).toBeLessThan(9500);
    expect(checkWeights(weights!, vertices, skeleton.names.length)).toEqual([]);
    const { colors, materials } = readLook(file);
    expect(colors?.some((value) => value < 0.5)).toBe(true);
    expect(materials.length).toBeGreaterThan(1);
    expect(motionsFor(skeleton)).toContain("walk");
    // In hollow cloth a bone would be outside, for the eye and for the voxels.
    const trunk = skeleton.names.flatMap((name, i) =>
      /^(hips|spine|chest)/.test(name) ? [i] : [],
    );
    expect(trunk.length).toBeGreaterThan(1);
    for (const i of trunk) {
      const around = windingNumber(mesh, skeleton.positions.subarray(i * 3, i * 3 + 3));
      expect(around, skeleton.names[i]).toBeGreaterThan(0.5);
    }
    const { clips } = readClips(file);
    expect(clips.map((clip) => clip.name)).toEqual([name === "vixen" ? "trot" : "walk"]);
  });

  test("is what the script bakes, and has a small poster", async () => {
    const baked = await readCharacter({ name: `${name}.glb`, bytes: await bakeShow(name) });
    const shipped = await readCharacter({ name: `${name}.glb`, bytes: bytesOf(showFile(name)) });
    const { mesh, skeleton, weights } = shipped.character;
    expect(skeleton).toEqual(baked.character.skeleton);
    expect(mesh.triangles).toEqual(baked.character.mesh.triangles);
    expect(mesh.positions).toEqual(baked.character.mesh.positions);
    expect(weights).toEqual(baked.character.weights);
    expect(bytesOf(`samples/${name}.webp`).length).toBeLessThan(30e3);
  });
});

test("all of them together stay small, and the landing shows its poster within 300 KB", () => {
  const files = SHOW.flatMap(({ name }) => [showFile(name), `samples/${name}.webp`]);
  const total = files.reduce((sum, path) => sum + bytesOf(path).length, 0);
  expect(total).toBeLessThan(BUDGET);
  const page = readFileSync("app/index.html");
  expect(page.toString()).toContain('src="./samples/landing.webp"');
  expect(bytesOf("samples/landing.webp").length + page.length).toBeLessThan(100e3);
});
