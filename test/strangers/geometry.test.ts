import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import type { Character } from "../../src/character/character.ts";
import { shippedModel } from "../../src/node.ts";
import { findUp } from "../../src/skeleton/find-up.ts";
import { skin } from "../../src/skin.ts";
import { differences, moved, renumbered, shareBeyond } from "../helpers/other-guises.ts";
import { smallSample } from "../helpers/small-sample.ts";

/** A sample person, without its own weights, with fewer vertices. */
const { weights: _, ...character } = await smallSample("dancer", 1500);

describe("positions and sizes", () => {
  const vertices = character.mesh.positions.length / 3;
  const options = (async () => ({ model: await shippedModel(), threads: 2 }))();
  const straight = (async () => skin(character, await options))();
  const apart = async (other: Character) => {
    const { weights } = await skin(other, await options);
    return differences((await straight).weights, weights, vertices);
  };

  test.each([0.01, 1.7, 1000])("units: a scale of %d gives the same rows", async (factor) => {
    const rows = await apart(moved(character, (p) => Array.from(p, (v) => v * factor)));
    expect(Math.max(...rows)).toBeLessThan(1e-4);
  });

  test("a character far from the origin has the same rows", async () => {
    // With all its vertices: the long triangles of the reduced mesh suffer more from rounding.
    const { weights: _, ...whole } = makeSample("dancer");
    const there = moved(whole, ([x, y, z]) => [x + 3, y - 2, z + 1]);
    const [a, b] = [await skin(whole, await options), await skin(there, await options)];
    const rows = differences(a.weights, b.weights, whole.mesh.positions.length / 3);
    // At that distance, single precision leaves the file a digit less.
    expect(Math.max(...rows)).toBeLessThan(2e-4);
  });

  test("the order of joints does not matter", async () => {
    const { character: other, order } = renumbered(character);
    const { weights } = await skin(other, await options);
    const joints = weights.joints.map((joint) => order[joint]);
    const rows = differences((await straight).weights, { ...weights, joints }, vertices);
    // Of a left and a right joint of the same weight, one may be dropped.
    expect(shareBeyond(1e-4, rows)).toBeLessThan(0.001);
  });

  test("an isolated vertex changes nothing, and neither does a distant speck", async () => {
    const { positions, triangles } = character.mesh;
    const stray = Float32Array.of(...positions, 0, 1000, 0);
    expect(
      Math.max(...(await apart({ ...character, mesh: { positions: stray, triangles } }))),
    ).toBe(0);
    const speck = Float32Array.of(...positions, 900, 900, 900, 901, 900, 900, 900, 901, 900);
    const more = Uint32Array.of(...triangles, vertices, vertices + 1, vertices + 2);
    expect(
      Math.max(...(await apart({ ...character, mesh: { positions: speck, triangles: more } }))),
    ).toBe(0);
  });

  test("one joint extremely far away affects only itself", async () => {
    const { skeleton } = character;
    const far = {
      names: [...skeleton.names, "lost"],
      parents: Int32Array.of(...skeleton.parents, 0),
      positions: Float32Array.of(...skeleton.positions, 1e30, 0, 0),
    };
    const { weights } = await skin({ ...character, skeleton: far }, await options);
    const rows = differences((await straight).weights, weights, vertices);
    expect(Math.max(...rows)).toBeLessThan(1e-6);
    expect([...weights.joints]).not.toContain(far.names.length - 1);
  });

  test.each([
    ["z", ([x, y, z]: Float32Array) => [x, -z, y]],
    ["-z", ([x, y, z]: Float32Array) => [x, z, -y]],
    ["x", ([x, y, z]: Float32Array) => [y, -x, z]],
  ] as const)("with %s as the up axis it is bound as if upright", async (up, turn) => {
    const lying = moved(character, (p) => turn(p));
    expect(findUp(lying.skeleton, lying.mesh.positions)?.up).toBe(up);
    const { weights, warnings } = await skin(lying, await options);
    const rows = differences((await straight).weights, weights, vertices);
    // The grid has another position on a rotated body; nothing visible may result from it.
    expect(shareBeyond(0.03, rows)).toBeLessThan(0.01);
    expect(Math.max(...rows)).toBeLessThan(0.1);
    expect(warnings.join(" ")).toMatch(/points up/);
    const told = await skin(lying, { ...(await options), up: "y" });
    expect(told.warnings.join(" ")).not.toMatch(/points up/);
  });

  test("an upright character, and one without legs, are not rotated", () => {
    for (const name of ["dancer", "fox", "fish", "octopus", "bird", "dragon"] as const) {
      const { skeleton, mesh } = makeSample(name);
      expect([undefined, "y"], name).toContain(findUp(skeleton, mesh.positions)?.up);
    }
  });
});
