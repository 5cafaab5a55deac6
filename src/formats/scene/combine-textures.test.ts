import { expect, test } from "vitest";
import { plainPng } from "../../../test/helpers/rich-fbx.ts";
import { decodePng } from "../../picture/png.ts";
import type { Losses } from "../losses.ts";
import { combineTextures } from "./images.ts";
import type { SceneMaterial, TextureRole } from "./scene.ts";

const gray = (value: number, size?: number) => plainPng([value, value, value, 255], size);

function combine(images: Partial<Record<TextureRole, Uint8Array>>) {
  const losses: Losses = new Map();
  const textures = Object.fromEntries(
    Object.entries(images).map(([role, picture]) => [role, { picture, name: `${role}.png` }]),
  );
  const material: SceneMaterial = { name: "a", color: [1, 1, 1, 1], metallic: 1, textures };
  return { ...combineTextures(material, losses), losses };
}

test("metalness and roughness maps of different sizes become one", () => {
  const { textures, losses } = combine({ metallic: gray(200, 4), roughness: gray(90, 2) });
  const { width, pixels } = decodePng(textures!.metallicRoughness!.picture)!;
  expect(width).toBe(4);
  for (let p = 0; p < pixels.length; p += 4) {
    expect([...pixels.subarray(p, p + 4)]).toEqual([255, 90, 200, 255]);
  }
  expect(losses.size).toBe(0);
});

test("one image for both stays unchanged", () => {
  const picture = gray(128);
  const { textures, losses } = combine({ metallic: picture, roughness: picture });
  expect(textures!.metallicRoughness!.picture).toBe(picture);
  expect(losses.size).toBe(0);
});

test("images that cannot be combined are reported", () => {
  const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  const { metallic, textures, losses } = combine({ metallic: jpeg, opacity: gray(3) });
  expect(metallic).toBe(0);
  expect(textures).toEqual({});
  expect(losses.size).toBe(2);
});
