import { expect, test } from "vitest";
import { box } from "../../test/helpers/box.ts";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import { boundsOf } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { bipedMarks } from "./biped-marks.ts";
import { fitTemplate, meshDepth } from "./fit-template.ts";

/** Boxes by two opposite corners, as one mesh. */
const boxes = (list: readonly (readonly number[])[]) =>
  joinMeshes(...list.map((ends) => box(ends.slice(0, 3), ends.slice(3))));

/** A figure with a head of half its height, no neck, short legs and spread arms, and optionally a hat. */
const chibi = (hat: boolean) =>
  boxes([
    [-0.25, 0.48, -0.2, 0.25, 1, 0.2],
    [-0.16, 0.18, -0.1, 0.16, 0.5, 0.1],
    [-0.4, 0.39, -0.05, 0.4, 0.47, 0.05],
    [-0.15, 0, -0.08, -0.02, 0.2, 0.1],
    [0.02, 0, -0.08, 0.15, 0.2, 0.1],
    ...(hat ? [[-0.38, 0.7, -0.38, 0.38, 0.74, 0.38]] : []),
  ]);

test.each([false, true])(
  "a large head without a neck lowers shoulders and hips (hat %s)",
  (hat) => {
    const mesh = chibi(hat);
    const body = meshDepth(mesh);
    const { crotch, neck } = bipedMarks(body, boundsOf(mesh.positions));
    expect(crotch).toBeGreaterThan(0.1);
    expect(crotch).toBeLessThan(0.25);
    expect(neck).toBeGreaterThan(0.45);
    expect(neck).toBeLessThan(0.6);
    const { names, positions } = fitTemplate(mesh, "biped", body);
    const y = (name: string) => positions[names.indexOf(name) * 3 + 1];
    expect(y("upperLeg.L")).toBeLessThan(0.3);
    expect(Math.abs(y("upperArm.L") - 0.43)).toBeLessThan(0.08);
    expect(y("head")).toBeGreaterThan(0.48);
  },
);

test("short legs below spread arms are not a hem, and a skirt is not a crotch", () => {
  const figure = (crotch: number, arms: number) =>
    boxes([
      [-0.1, arms + 0.1, -0.1, 0.1, 1, 0.1],
      [-0.04, arms, -0.04, 0.04, arms + 0.12, 0.04],
      [-0.18, crotch, -0.1, 0.18, arms + 0.04, 0.1],
      [-0.5, arms - 0.04, -0.04, 0.5, arms + 0.04, 0.04],
      [-0.16, 0, -0.08, -0.03, crotch + 0.02, 0.1],
      [0.03, 0, -0.08, 0.16, crotch + 0.02, 0.1],
    ]);
  const marks = (mesh: Mesh) => bipedMarks(meshDepth(mesh), boundsOf(mesh.positions));
  // A rabbit, whose bounding box ends with its ears.
  const rabbit = marks(figure(0.14, 0.62));
  expect(rabbit.crotch).toBeLessThan(0.27);
  expect(rabbit.neck).toBeCloseTo(0.69, 1);
  const skirt = marks(figure(0.25, 0.77));
  expect(skirt.crotch).toBeGreaterThan(0.42);
  const trousers = marks(figure(0.46, 0.78));
  expect(Math.abs(trousers.crotch! - 0.46)).toBeLessThan(0.02);
});

test("touching boots are not a crotch", () => {
  const mesh = boxes([
    [-0.25, 0.55, -0.2, 0.25, 1, 0.2],
    [-0.16, 0.3, -0.1, 0.16, 0.56, 0.1],
    [-0.5, 0.45, -0.05, 0.5, 0.52, 0.05],
    [-0.15, 0, -0.08, -0.04, 0.32, 0.1],
    [0.04, 0, -0.08, 0.15, 0.32, 0.1],
    [-0.18, 0, -0.12, 0.18, 0.08, 0.2],
  ]);
  const { crotch } = bipedMarks(meshDepth(mesh), boundsOf(mesh.positions));
  expect(Math.abs(crotch! - 0.3)).toBeLessThan(0.06);
});
