import { expect, test } from "vitest";
import { splitPattern } from "./open-input.ts";

test.each([
  ["rigs", "rigs", ["a.glb", "b/c.glb"], []],
  ["rigs/*.glb", "rigs", ["a.glb"], ["b/c.glb", "a.fbx", "aXglb"]],
  ["rigs/**/*.glb", "rigs", ["a.glb", "b/c/d.glb"], ["a.fbx"]],
  ["/rigs/he?o*/**", "/rigs", ["hero1/a", "heyo/b/c"], ["zero/a", "hello/a"]],
  ["*.glb", ".", ["a.glb"], ["b/a.glb"]],
  ["/*.glb", "/", ["a.glb"], []],
])("%s", (pattern, folder, fitting, others) => {
  const found = splitPattern(pattern);
  expect(found.folder).toBe(folder);
  for (const file of fitting) expect(found.fits(file), file).toBe(true);
  for (const file of others) expect(found.fits(file), file).toBe(false);
});
