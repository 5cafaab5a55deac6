import { blendPixel, type Color, type Picture } from "./picture.ts";

/** A point of a picture, x to the right and y down from its top left corner. */
export type Point = readonly [number, number];

/** Fills an antialiased rectangle. */
export function drawRectangle(
  picture: Picture,
  [x, y]: Point,
  width: number,
  height: number,
  color: Color,
  opacity = 1,
): void {
  const cover = (at: number, from: number, size: number) =>
    Math.min(at + 1, from + size) - Math.max(at, from);
  for (let j = Math.floor(y); j < y + height; j++) {
    for (let i = Math.floor(x); i < x + width; i++) {
      const coverage = Math.max(0, cover(i, x, width)) * Math.max(0, cover(j, y, height));
      blendPixel(picture, i, j, color, opacity * coverage);
    }
  }
}

/** Draws a line with round ends. */
export function drawLine(
  picture: Picture,
  a: Point,
  b: Point,
  thickness: number,
  color: Color,
  opacity = 1,
): void {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const inverse = 1 / Math.max(dx * dx + dy * dy, 1e-12);
  fillWhere(picture, [a, b], thickness / 2, color, opacity, (x, y) => {
    const t = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) * inverse));
    return Math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - thickness / 2;
  });
}

/** Draws lines from point to point. */
export function drawPolyline(
  picture: Picture,
  points: Point[],
  thickness: number,
  color: Color,
  opacity = 1,
): void {
  for (let i = 1; i < points.length; i++) {
    drawLine(picture, points[i - 1], points[i], thickness, color, opacity);
  }
}

/** Fills a disc. */
export function drawDisc(
  picture: Picture,
  center: Point,
  radius: number,
  color: Color,
  opacity = 1,
): void {
  const distance = (x: number, y: number) => Math.hypot(x - center[0], y - center[1]) - radius;
  fillWhere(picture, [center], radius, color, opacity, distance);
}

/** Fills a convex polygon of either winding. */
export function drawPolygon(picture: Picture, corners: Point[], color: Color, opacity = 1): void {
  const sides = corners.map((a, i) => {
    const b = corners[(i + 1) % corners.length];
    const length = Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1e-12);
    return [a[0], a[1], (b[1] - a[1]) / length, (a[0] - b[0]) / length];
  });
  const area = corners.reduce((sum, a, i) => {
    const b = corners[(i + 1) % corners.length];
    return sum + a[0] * b[1] - b[0] * a[1];
  }, 0);
  const sign = area < 0 ? -1 : 1;
  fillWhere(picture, corners, 0, color, opacity, (x, y) => {
    let furthest = -Infinity;
    for (const [ax, ay, nx, ny] of sides) {
      furthest = Math.max(furthest, sign * ((x - ax) * nx + (y - ay) * ny));
    }
    return furthest;
  });
}

/** Fills where a signed distance is negative, antialiased over one pixel. */
function fillWhere(
  picture: Picture,
  points: Point[],
  reach: number,
  color: Color,
  opacity: number,
  distance: (x: number, y: number) => number,
): void {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const left = Math.max(0, Math.floor(Math.min(...xs) - reach - 1));
  const right = Math.min(picture.width - 1, Math.ceil(Math.max(...xs) + reach + 1));
  const top = Math.max(0, Math.floor(Math.min(...ys) - reach - 1));
  const bottom = Math.min(picture.height - 1, Math.ceil(Math.max(...ys) + reach + 1));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const cover = Math.min(1, Math.max(0, 0.5 - distance(x + 0.5, y + 0.5)));
      if (cover > 0) blendPixel(picture, x, y, color, opacity * cover);
    }
  }
}
