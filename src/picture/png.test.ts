import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { createPicture } from "./picture.ts";
import { encodePng } from "./png.ts";

describe("encodePng", () => {
  test.each([
    [1, 1, 1],
    [2, 17, 5],
    [3, 64, 33],
  ])("decodes to the same pixels (seed %i, %i x %i)", (seed, width, height) => {
    const random = createRandom(seed);
    const picture = createPicture(width, height);
    for (let i = 0; i < picture.pixels.length; i++) picture.pixels[i] = random() * 256;
    const decoded = PNG.sync.read(Buffer.from(encodePng(picture)));
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(new Uint8ClampedArray(decoded.data)).toEqual(picture.pixels);
  });

  test("a uniform picture is small, and the same picture yields the same bytes", () => {
    const bytes = encodePng(createPicture(300, 200));
    expect(bytes.length).toBeLessThan(1500);
    expect(encodePng(createPicture(300, 200))).toEqual(bytes);
  });
});

describe("createPicture", () => {
  test("refuses sides that are not positive integers", () => {
    expect(() => createPicture(0, 5)).toThrow(/got 0 x 5/);
    expect(() => createPicture(3, 2.5)).toThrow(/got 3 x 2.5/);
  });
});
