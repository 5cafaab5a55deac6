import { describe, expect, test } from "vitest";
import { frontCamera } from "../../test/helpers/front-camera.ts";
import { createRandom } from "../math/random.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { enlargeCamera, fitCamera, project } from "./camera.ts";
import { fromLinear, toLinear } from "./color-maps.ts";
import { BACKGROUND, type Color, type Picture } from "./picture.ts";
import { renderMesh } from "./render-mesh.ts";

const RED: Color = [255, 0, 0];
const BLUE: Color = [0, 0, 255];

/** Ten pixels per unit, looking along -z, the origin in the middle of 20 x 20 pixels. */
const CAMERA = frontCamera([0, 0, 0], 10, 20, 20);

const FLAT = { shading: false, samples: 1 };

function triangles(...corners: number[][]): Mesh {
  return {
    positions: Float32Array.from(corners.flat()),
    triangles: Uint32Array.from(corners, (_, i) => i),
  };
}

function colors(...list: Color[]): number[] {
  return list.flatMap((color) => [...color, ...color, ...color]);
}

function pixel({ width, pixels }: Picture, x: number, y: number): number[] {
  return [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
}

describe("renderMesh", () => {
  test("a red triangle covers exactly the pixels whose center is inside", () => {
    // Corners in pixels: (0, 20), (20, 20), (0, 0): the lower left half.
    const mesh = triangles([-1, -1, 0], [1, -1, 0], [-1, 1, 0]);
    const picture = renderMesh(mesh, colors(RED), CAMERA, FLAT);
    for (let y = 0; y < 20; y++) {
      for (let x = 0; x < 20; x++) {
        if (x === y) continue;
        expect(pixel(picture, x, y)).toEqual([...(x < y ? RED : BACKGROUND)]);
      }
    }
  });

  test.each([0, 1])("the nearer triangle wins, whichever is drawn first (%i)", (order) => {
    const near = [
      [-1, -1, 0.5],
      [1, -1, 0.5],
      [0, 1, 0.5],
    ];
    const far = [
      [-1, -1, -0.5],
      [1, -1, -0.5],
      [0, 1, -0.5],
    ];
    const mesh = order === 0 ? triangles(...near, ...far) : triangles(...far, ...near);
    const paint = order === 0 ? colors(RED, BLUE) : colors(BLUE, RED);
    const picture = renderMesh(mesh, paint, CAMERA, FLAT);
    expect(pixel(picture, 10, 14)).toEqual([...RED]);
    expect(picture.pixels.some((_, i) => i % 4 === 2 && picture.pixels[i - 2] === 0)).toBe(false);
  });

  test("triangles that pass through each other meet on a line", () => {
    const mesh = triangles([-1, -1, 1], [-1, 1, 1], [1, 0, -1], [1, -1, 1], [1, 1, 1], [-1, 0, -1]);
    const picture = renderMesh(mesh, colors(RED, BLUE), CAMERA, FLAT);
    expect(pixel(picture, 6, 10)).toEqual([...RED]);
    expect(pixel(picture, 13, 10)).toEqual([...BLUE]);
  });

  test("averages samples in linear light along edges", () => {
    // The left edge runs through the middle of column 10: half of its samples are covered.
    const mesh = triangles([0.05, -5, 0], [20, 0, 0], [0.05, 5, 0]);
    const picture = renderMesh(mesh, colors([0, 0, 0]), CAMERA, { ...FLAT, samples: 2 });
    expect(pixel(picture, 9, 10)).toEqual([...BACKGROUND]);
    expect(pixel(picture, 11, 10)).toEqual([0, 0, 0]);
    const half = BACKGROUND.map((channel) => Math.round(fromLinear(toLinear(channel) / 2)));
    expect(pixel(picture, 10, 10)).toEqual(half);
  });

  test("light follows the surface and does not depend on the winding of triangles", () => {
    const up = triangles([-1, -0.4, 1], [1, -0.4, 1], [0, 0.4, -1]);
    const down = { ...up, triangles: Uint32Array.of(0, 2, 1) };
    const gray = colors([180, 180, 180]);
    const lit = renderMesh(up, gray, CAMERA);
    expect(renderMesh(down, gray, CAMERA).pixels).toEqual(lit.pixels);
    const under = triangles([-1, -0.4, -1], [1, -0.4, -1], [0, 0.4, 1]);
    expect(pixel(lit, 10, 10)[0]).toBeGreaterThan(
      pixel(renderMesh(under, gray, CAMERA), 10, 10)[0],
    );
  });
});

describe("fitCamera", () => {
  const random = createRandom(9);
  const points = Float32Array.from({ length: 300 }, () => random() * 4 - 1);

  test.each([
    [300, 200],
    [200, 300],
  ])("shows every point, with one at the margin (%i x %i)", (width, height) => {
    const camera = fitCamera(points, width, height);
    const [left, top] = [width * 0.06, height * 0.06];
    let closest = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const [x, y] = project(camera, points.subarray(i, i + 3));
      closest = Math.min(closest, x - left, width - left - x, y - top, height - top - y);
    }
    expect(closest).toBeGreaterThan(-0.01);
    expect(closest).toBeLessThan(0.01);
  });

  test("shows the character's left on the right, its front nearer, its head above", () => {
    const camera = fitCamera(points, 100, 100);
    const [middle, left, front, head] = [
      [0, 1, 0],
      [1, 1, 0],
      [0, 1, 1],
      [0, 2, 0],
    ].map((p) => project(camera, p));
    expect(left[0]).toBeGreaterThan(middle[0]);
    expect(front[2]).toBeLessThan(middle[2]);
    expect(head[1]).toBeLessThan(middle[1]);
  });

  test("depth grows away from the viewer, and keeps straight lines straight", () => {
    const camera = fitCamera(points, 100, 100);
    const [a, b, c] = [
      [0, 0, 0],
      [1, 1, -2],
      [0.5, 0.5, -1],
    ].map((p) => project(camera, p));
    expect(b[2]).toBeGreaterThan(a[2]);
    const share = (c[0] - a[0]) / (b[0] - a[0]);
    expect(c[2]).toBeCloseTo(a[2] + share * (b[2] - a[2]), 9);
  });

  test("an enlarged camera doubles every pixel coordinate", () => {
    const camera = fitCamera(points, 100, 80);
    const [x, y] = project(camera, [0.3, 0.2, 0.1]);
    const [x2, y2] = project(enlargeCamera(camera, 2), [0.3, 0.2, 0.1]);
    expect([x2, y2]).toEqual([expect.closeTo(2 * x, 9), expect.closeTo(2 * y, 9)]);
  });
});
