import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { InputError } from "../input-error.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { chooseTemplate } from "./choose-template.ts";

test.each([
  ["dancer", "biped"],
  ["fox", "quadruped"],
  ["bird", "bird"],
  ["fish", "fish"],
])("the %s is a %s", (sample, kind) => {
  expect(chooseTemplate(makeSample(sample).mesh)).toBe(kind);
});

/** A box as a mesh. */
function box(x: number, y: number, z: number): Mesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [
    i & 1 ? x : -x,
    i & 2 ? 2 * y : 0,
    i & 4 ? z : -z,
  ]);
  const quads = [
    [0, 1, 3, 2],
    [4, 6, 7, 5],
    [0, 4, 5, 1],
    [2, 3, 7, 6],
    [0, 2, 6, 4],
    [1, 5, 7, 3],
  ];
  const triangles = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return { positions: Float32Array.from(corners), triangles: Uint32Array.from(triangles) };
}

test("boxes and planes are no bodies", () => {
  expect(() => chooseTemplate(box(0.4, 0.3, 0.5))).toThrow(InputError);
  expect(() => chooseTemplate(box(1, 0.0001, 1))).toThrow(/does not look like a body/);
});

test("a long box is one chain", () => {
  expect(chooseTemplate(box(0.1, 0.1, 1))).toBe("snake");
});
