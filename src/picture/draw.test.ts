import { describe, expect, test } from "vitest";
import {
  drawDisc,
  drawLine,
  drawPolygon,
  drawRectangle,
  drawText,
  fitText,
  glyphDot,
  pictureGrid,
  textWidth,
} from "./draw.ts";
import { BACKGROUND, createPicture, type Picture, pastePicture } from "./picture.ts";
import { drawColorBar } from "./render-maps.ts";

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;

/** Amount of black in an image, in pixels. */
function darkness({ pixels }: Picture): number {
  let sum = 0;
  for (let i = 0; i < pixels.length; i += 4) sum += 1 - pixels[i] / 255;
  return sum;
}

describe("shapes", () => {
  test("cover their area, including edges", () => {
    const cases: [(picture: Picture) => void, number][] = [
      [(p) => drawDisc(p, [30.3, 29.7], 12, BLACK), Math.PI * 144],
      [(p) => drawRectangle(p, [10.25, 20.5], 20.5, 9.75, BLACK), 20.5 * 9.75],
      [(p) => drawLine(p, [10, 10], [50, 40], 4, BLACK), 50 * 4 + Math.PI * 4],
      [
        (p) =>
          drawPolygon(
            p,
            [
              [10, 10],
              [50, 10],
              [30, 50],
            ],
            BLACK,
          ),
        800,
      ],
      [
        (p) =>
          drawPolygon(
            p,
            [
              [10, 10],
              [30, 50],
              [50, 10],
            ],
            BLACK,
          ),
        800,
      ],
      [(p) => drawDisc(p, [30, 30], 12, BLACK, 0.5), Math.PI * 72],
    ];
    for (const [draw, area] of cases) {
      const picture = createPicture(60, 60, WHITE);
      draw(picture);
      expect(Math.abs(darkness(picture) / area - 1)).toBeLessThan(0.02);
    }
  });

  test("may extend beyond the picture", () => {
    const picture = createPicture(20, 20, WHITE);
    drawDisc(picture, [0, 0], 10, BLACK);
    expect(Math.abs(darkness(picture) / (25 * Math.PI) - 1)).toBeLessThan(0.03);
  });
});

describe("text", () => {
  test("has a glyph for each printable character, all different", () => {
    const shapes = Array.from({ length: 95 }, (_, i) => {
      const character = String.fromCharCode(32 + i);
      const dots = Array.from({ length: 45 }, (_, d) =>
        glyphDot(character, d % 5, Math.floor(d / 5)),
      );
      return dots.map((dot) => (dot ? "#" : ".")).join("");
    });
    expect(new Set(shapes).size).toBe(95);
    expect(shapes.filter((shape) => !shape.includes("#"))).toEqual([shapes[0]]);
    expect(glyphDot("é", 1, 0)).toBe(glyphDot("?", 1, 0));
  });

  test("keeps its width in any alignment", () => {
    const ends = (align: "left" | "center" | "right") => {
      const picture = createPicture(100, 100, WHITE);
      drawText(picture, "HTH", 50, 50, { scale: 2, align, color: BLACK });
      const used: number[] = [];
      for (let i = 0; i < 100; i++) {
        for (let j = 0; j < 100; j++) {
          if (picture.pixels[(j * 100 + i) * 4] === 0) used.push(i);
        }
      }
      return [Math.min(...used), Math.max(...used) + 1];
    };
    expect(textWidth("HTH", 2)).toBe(34);
    expect(ends("left")).toEqual([50, 84]);
    expect(ends("right")).toEqual([16, 50]);
    expect(ends("center")).toEqual([33, 67]);
  });

  test("is truncated to fit", () => {
    for (const width of [0, 11, 23, 40, 61, 500]) {
      const text = fitText("geodesic voxel", width);
      expect(textWidth(text)).toBeLessThanOrEqual(width);
    }
    expect(fitText("geodesic voxel", 500)).toBe("geodesic voxel");
    expect(fitText("geodesic voxel", 41)).toBe("geode..");
  });
});

describe("pictures in pictures", () => {
  test("are pasted at their position and cropped at the border", () => {
    const picture = createPicture(10, 10, WHITE);
    pastePicture(picture, createPicture(4, 4, BLACK), -2, 8);
    expect(darkness(picture)).toBe(4);
    expect(picture.pixels[(8 * 10 + 1) * 4]).toBe(0);
    expect(picture.pixels[(8 * 10 + 2) * 4]).toBe(255);
  });

  test("form rows of equal cells", () => {
    const grid = pictureGrid(
      [createPicture(10, 6, BLACK), createPicture(8, 8, BLACK), createPicture(10, 8, BLACK)],
      2,
    );
    expect([grid.width, grid.height]).toEqual([8 + 2 * 18, 8 + 2 * 16]);
    expect(grid.pixels.filter((value, i) => i % 4 === 0 && value === 0)).toHaveLength(60 + 64 + 80);
    // The second picture is centered in its cell.
    expect(grid.pixels[(8 * grid.width + 26) * 4]).toBe(BACKGROUND[0]);
    expect(grid.pixels[(8 * grid.width + 27) * 4]).toBe(0);
  });

  test("a color bar shows its map from left to right", () => {
    const picture = createPicture(227, 40, WHITE);
    const gray = (t: number) => [t * 250, t * 250, t * 250] as const;
    drawColorBar(picture, gray, ["0", "1"]);
    for (let i = 0; i < 50; i++) {
      const shown = picture.pixels[(23 * 227 + 6 + i) * 4];
      expect(Math.abs(shown - ((i + 0.5) / 50) * 250)).toBeLessThan(1);
    }
  });
});
