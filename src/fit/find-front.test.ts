import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { FRONTS } from "../skeleton/find-up.ts";
import { facing, findFront } from "./find-front.ts";
import { placeTemplate } from "./place-template.ts";

/** A sample that faces +z, rotated to another front. */
function turned(name: string, front: (typeof FRONTS)[number]) {
  const { mesh } = makeSample(name);
  return { ...mesh, positions: facing(front).back(mesh.positions) };
}

describe("findFront", () => {
  test.each(FRONTS)("rotates a body that faces %s to +z and back", (front) => {
    const points = Float32Array.of(1, 2, 3, -4, 5, 6);
    const { forwards, back } = facing(front);
    expect(back(forwards(points))).toEqual(points);
    const sign = front.startsWith("-") ? -1 : 1;
    const ahead = Float32Array.of(
      front.endsWith("x") ? sign : 0,
      0,
      front.endsWith("z") ? sign : 0,
    );
    expect([...forwards(ahead)].map((value) => value + 0)).toEqual([0, 0, 1]);
  });

  test.each(["fox", "dragon"])(
    "finds the axis along which the %s is long, and its head",
    (name) => {
      for (const front of FRONTS) expect(findFront(turned(name, front)).front).toBe(front);
    },
  );

  test("left and right follow the front", () => {
    for (const front of FRONTS) {
      const { skeleton, front: found } = placeTemplate(turned("fox", front), "auto");
      expect(found).toBe(front);
      const { names, positions } = skeleton;
      const ahead = facing(front).forwards(positions);
      const x = (joint: string) => ahead[names.indexOf(joint) * 3];
      expect(x("frontFoot.L")).toBeGreaterThan(x("frontFoot.R"));
      const z = (joint: string) => ahead[names.indexOf(joint) * 3 + 2];
      expect(z("head")).toBeGreaterThan(z("hips"));
    }
  });

  test("a given front is used unchanged", () => {
    const { front, isSure } = placeTemplate(turned("fox", "z"), "quadruped", { front: "-z" });
    expect([front, isSure]).toEqual(["-z", true]);
  });
});
