import { describe, expect, test } from "vitest";
import { frontCamera } from "../../test/helpers/front-camera.ts";
import type { Character } from "../character/character.ts";
import { quaternionFromAxisAngle } from "../math/quaternion.ts";
import { forwardKinematics } from "../skeleton/pose.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { project } from "./camera.ts";
import { boneColor, heatColor } from "./color-maps.ts";
import type { Picture } from "./picture.ts";
import { characterCamera } from "./render-character.ts";
import { renderClay, renderDominantBones, renderErrorMap, renderHeatMap } from "./render-maps.ts";

/** A sheet of two squares side by side, x from -1 to 1; the left one follows joint 0. */
const WEIGHTS: SkinWeights = {
  influences: 1,
  joints: Uint16Array.of(0, 0, 0, 0, 1, 1, 1, 1),
  weights: new Float32Array(8).fill(1),
};

const SHEET: Character = {
  name: "sheet",
  mesh: {
    positions: Float32Array.from(
      [-1, 0].flatMap((x) => [x, 0, 0, x + 1, 0, 0, x + 1, 1, 0, x, 1, 0]),
    ),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  },
  skeleton: {
    names: ["west", "east"],
    parents: Int32Array.of(-1, 0),
    positions: Float32Array.of(-0.5, 0.5, 0, 0.5, 0.5, 0),
  },
  weights: WEIGHTS,
};

/** The sheet fills most of 200 x 100 pixels. */
const CAMERA = frontCamera([0, 0.5, 0], 76, 200, 100);
const OPTIONS = { camera: CAMERA };

/** Fraction of each channel in a pixel's color: independent of the light. */
function hue({ width, pixels }: Picture, x: number, y: number): number[] {
  const at = (y * width + x) * 4;
  const [r, g, b] = pixels.subarray(at, at + 3);
  return [r, g, b].map((value) => value / (r + g + b));
}

function expectHue(picture: Picture, x: number, y: number, color: readonly number[]): void {
  const sum = color[0] + color[1] + color[2];
  hue(picture, x, y).forEach((share, k) => {
    expect(Math.abs(share - color[k] / sum)).toBeLessThan(0.06);
  });
}

describe("pictures of characters", () => {
  test("a heat map is hot where the joint has weight", () => {
    const picture = renderHeatMap(SHEET, WEIGHTS, 1, OPTIONS);
    expect([picture.width, picture.height]).toEqual([200, 100]);
    expectHue(picture, 150, 50, heatColor(1));
    expectHue(picture, 60, 50, heatColor(0));
  });

  test("dominant bones have their own colors, and no weight is black", () => {
    const picture = renderDominantBones(SHEET, WEIGHTS, OPTIONS);
    expectHue(picture, 50, 50, boneColor(0));
    expectHue(picture, 150, 50, boneColor(1));
    const none = { ...WEIGHTS, weights: new Float32Array(8) };
    const black = renderDominantBones(SHEET, none, { ...OPTIONS, blend: true });
    expect(black.pixels[(50 * 200 + 50) * 4]).toBeLessThan(40);
  });

  test("an error map is pale without error and red with it", () => {
    const picture = renderErrorMap(SHEET, [0, 0, 0, 0, 2, 2, 2, 2], { ...OPTIONS, worst: 2.5 });
    expectHue(picture, 60, 50, [226, 228, 230]);
    expect(hue(picture, 150, 50)[0]).toBeGreaterThan(0.6);
  });

  test("a pose moves the mesh, and the camera can be kept", () => {
    const turn = quaternionFromAxisAngle([0, 0, 1], Math.PI / 2);
    const pose = forwardKinematics(
      SHEET.skeleton,
      Float32Array.from([0, 0, 0, 1, ...turn]),
      Float32Array.of(0, 0, 0, 5, 0, 0),
    );
    const background = [...renderClay(SHEET, OPTIONS).pixels.subarray(0, 3)];
    const posed = renderClay(SHEET, { ...OPTIONS, pose });
    expect([...posed.pixels.subarray((50 * 200 + 150) * 4, (50 * 200 + 150) * 4 + 3)]).toEqual(
      background,
    );
    expect([...posed.pixels.subarray((50 * 200 + 50) * 4, (50 * 200 + 50) * 4 + 3)]).not.toEqual(
      background,
    );
  });

  test("characterCamera returns the default camera of a picture", () => {
    const camera = characterCamera(SHEET, { size: 120 });
    expect(renderClay(SHEET, { camera })).toEqual(renderClay(SHEET, { size: 120 }));
  });

  test("a skeleton is drawn over the mesh at its joints only if asked", () => {
    const plain = renderClay(SHEET, OPTIONS);
    const drawn = renderClay(SHEET, { ...OPTIONS, skeleton: true });
    const [x, y] = project(CAMERA, [0.5, 0.5, 0]);
    const at = (Math.floor(y) * 200 + Math.floor(x)) * 4;
    expect(drawn.pixels[at]).toBeLessThan(plain.pixels[at] - 40);
    const corner = (25 * 200 + 100) * 4;
    expect(drawn.pixels[corner]).toBe(plain.pixels[corner]);
  });
});
