import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { box } from "../../test/helpers/box.ts";
import { InputError } from "../input-error.ts";
import { chooseTemplate, likelyKinds } from "./choose-template.ts";

test.each([
  ["dancer", "biped"],
  ["fox", "quadruped"],
  ["bird", "bird"],
  ["fish", "fish"],
  ["dragon", "dragon"],
  ["octopus", "spider"],
  ["robot", "biped"],
])("the %s is a %s", (sample, kind) => {
  expect(chooseTemplate(makeSample(sample).mesh)).toBe(kind);
});

/** A box on the ground, by half of its width, height and depth. */
const block = (x: number, y: number, z: number) => box([-x, 0, -z], [x, 2 * y, z]);

test("boxes and planes are not bodies", () => {
  expect(() => chooseTemplate(block(0.4, 0.3, 0.5))).toThrow(InputError);
  expect(() => chooseTemplate(block(1, 0.0001, 1))).toThrow(/does not look like a body/);
});

test("a long box is one chain", () => {
  expect(chooseTemplate(block(0.1, 0.1, 1))).toBe("snake");
});

test("kinds have likelihoods", () => {
  const kinds = likelyKinds(makeSample("fox").mesh);
  expect(kinds.map(({ kind }) => kind)).toHaveLength(8);
  const likelihoods = kinds.map(({ likelihood }) => likelihood);
  expect(likelihoods).toEqual([...likelihoods].sort((a, b) => b - a));
  expect(likelihoods[0]).toBeGreaterThan(0.5);
  expect(likelihoods.reduce((sum, value) => sum + value, 0)).toBeLessThanOrEqual(1 + 1e-9);
});

test("a body has the same kind in other units and at other positions", () => {
  const { mesh } = makeSample("bird");
  const positions = mesh.positions.map((value, i) => 100 * value + [3, -40, 7][i % 3]);
  expect(chooseTemplate({ ...mesh, positions })).toBe("bird");
});
