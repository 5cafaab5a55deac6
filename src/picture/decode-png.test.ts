import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { decodePng, encodePng } from "./png.ts";

const random = createRandom("pixels");
const [width, height] = [7, 5];
const pixels = Uint8ClampedArray.from({ length: width * height * 4 }, () => random() * 256);

describe("decodePng", () => {
  test("returns what encodePng received", () => {
    expect(decodePng(encodePng({ width, height, pixels }))).toEqual({ width, height, pixels });
  });

  test.each([
    [0, 0],
    [0, 1],
    [2, 2],
    [2, 3],
    [4, 4],
    [6, 4],
  ] as const)("agrees with another reader on color type %i, filter %i", (kind, filter) => {
    const png = new PNG({ width, height });
    png.data = Buffer.from(pixels);
    const options = { colorType: kind, filterType: filter, inputHasAlpha: true } as const;
    const bytes = new Uint8Array(PNG.sync.write(png, options));
    const theirs = PNG.sync.read(Buffer.from(bytes));
    expect([...decodePng(bytes)!.pixels]).toEqual([...theirs.data]);
  });

  test("returns undefined for damaged files, or other formats", () => {
    const whole = encodePng({ width, height, pixels });
    for (let size = 0; size < whole.length - 16; size += 7) {
      expect(decodePng(whole.subarray(0, size))).toBeUndefined();
    }
    expect(decodePng(Uint8Array.of(0xff, 0xd8, 0xff))).toBeUndefined();
  });
});
