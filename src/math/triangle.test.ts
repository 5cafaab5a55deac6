import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import { triangleTouchesBox } from "./triangle.ts";

test("separating axes agree with clipping the triangle to the box, on 20000 random pairs", () => {
  const random = createRandom(11);
  let touching = 0;
  for (let i = 0; i < 20_000; i++) {
    const t = Array.from({ length: 9 }, () => 3 * random() - 1.5);
    // Every tenth is a segment or a point, every tenth is flat along an axis.
    if (i % 10 === 1) t.splice(6, 3, ...t.slice(3, 6));
    if (i % 20 === 1) t.splice(3, 6, ...t.slice(0, 3), ...t.slice(0, 3));
    if (i % 10 === 2) for (const corner of [1, 4, 7]) t[corner] = 0.3;
    const [cx, cy, cz] = [random() - 0.5, random() - 0.5, random() - 0.5];
    const [hx, hy, hz] = [0.05 + random() / 2, 0.05 + random() / 2, 0.05 + random() / 2];
    const expected = clipLeaves(t, [cx, cy, cz], [hx, hy, hz]);
    if (expected) touching++;
    expect(triangleTouchesBox(t, cx, cy, cz, hx, hy, hz), `pair ${i} of seed 11`).toBe(expected);
  }
  expect(touching).toBeGreaterThan(3000);
});

test("touching counts: a corner on the corner, a face on the face", () => {
  expect(triangleTouchesBox([1, 1, 1, 2, 1, 1, 1, 2, 1], 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)).toBe(true);
  expect(triangleTouchesBox([0, 1, 0, 1, 1, 0, 0, 1, 1], 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)).toBe(true);
  expect(
    triangleTouchesBox([0, 1.01, 0, 1, 1.01, 0, 0, 1.01, 1], 0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
  ).toBe(false);
});

/** Clips the triangle by the six planes of the box; returns whether anything is left. */
function clipLeaves(t: number[], center: number[], half: number[]): boolean {
  let polygon = [t.slice(0, 3), t.slice(3, 6), t.slice(6, 9)];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const depth = (p: number[]) => half[axis] - sign * (p[axis] - center[axis]);
      const cut: number[][] = [];
      polygon.forEach((p, i) => {
        const q = polygon[(i + 1) % polygon.length];
        if (depth(p) >= 0) cut.push(p);
        if (depth(p) >= 0 !== depth(q) >= 0) {
          const s = depth(p) / (depth(p) - depth(q));
          const place = p.map((x, a) => x + s * (q[a] - x));
          place[axis] = center[axis] + sign * half[axis];
          cut.push(place);
        }
      });
      polygon = cut;
    }
  }
  return polygon.length > 0;
}
