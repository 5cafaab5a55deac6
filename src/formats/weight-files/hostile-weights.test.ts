// Weight files that claim more than they contain, or contain other values than numbers.

import { describe, expect, test } from "vitest";
import { InputError } from "../../input-error.ts";
import { checkWeights } from "../../weights/check-weights.ts";
import { rowCount } from "../../weights/skin-weights.ts";
import { parseRigNetText } from "../rignet/rignet-text.ts";
import { formatWeights, parseWeights } from "./weight-formats.ts";

const parse = (name: string, text: string) => parseWeights(name, new TextEncoder().encode(text));
const json = (value: unknown) => parse("w.json", JSON.stringify(value));
const maya = (inside: string) =>
  parse("w.xml", `<deformerWeight><weights source="a" shape="s" ${inside}</deformerWeight>`);

describe("weight files are refused in one sentence", () => {
  test.each<[string, () => unknown]>([
    ["a vertex far beyond all others", () => parse("w.csv", "vertex,joint,weight\n60000000,a,1\n")],
    ["a claimed number of points", () => maya('max="60000000"></weights>')],
    ["a number that cannot be allocated", () => maya('max="1e15"></weights>')],
    ["an infinite number of points", () => maya('max="Infinity" defaultValue="1"></weights>')],
    ["a default for all of them", () => maya('max="60000000" defaultValue="1"></weights>')],
    ["a weight that overflows", () => parse("w.csv", "vertex,joint,weight\n0,a,1e308\n")],
    ["a row with an unknown joint", () => json({ joints: ["a"], meshes: [{ weights: [[7, 1]] }] })],
    ["no mesh", () => json({ joints: ["a"], meshes: [null] })],
    [
      "too many joints",
      () => json({ joints: new Array(70_000).fill("a"), meshes: [{ weights: [] }] }),
    ],
    ["layers that are not a list", () => json({ layers: {}, influences: [] })],
  ])("%s", (_, read) => {
    expect(read).toThrow(InputError);
    expect(read).toThrow(/^[^\n]{10,300}[.)]$/);
  });

  test("or are read if the rest is valid", () => {
    const odd = {
      layers: [null, { influences: { 0: "x", 1: [1, "2", null] } }],
      influences: [null, 3],
      mesh: null,
    };
    const { meshes, joints } = json(odd);
    expect(joints).toEqual(["", ""]);
    expect([...meshes[0].weights.weights]).toEqual([1]);
    const place = '<shape name="s"><point index="-1" value="0 0 0"/></shape>';
    const text = `<deformerWeight>${place}<weights source="a" shape="s"><point index="0" value="1"/></weights></deformerWeight>`;
    expect(parse("w.xml", text).meshes[0].points).toBeUndefined();
    const other = { joints: ["a"], meshes: [{ name: 3, points: ["x", 0, 0], weights: [[0, 1]] }] };
    expect(json(other).meshes[0]).toMatchObject({ name: "3", points: undefined });
    // A list may be claimed by its length alone.
    expect(
      json({ layers: [], influences: [], mesh: { vertPositions: { length: 1e12 } } }),
    ).toBeDefined();
  });
});

describe("one vertex with all joints does not lengthen every row", () => {
  const joints = Array.from({ length: 20_000 }, (_, j) => `j${j}`);
  const vertices = Array.from({ length: 20_000 }, (_, v) => v);

  test.each<[string, () => { influences: number; rows: number }]>([
    [
      "CSV",
      () => {
        const all = joints.map((name, j) => `0,${name},${j + 1}`);
        const lines = ["vertex,joint,weight", ...all, ...vertices.map((v) => `${v},j1,1`)];
        const { weights } = parse("w.csv", lines.join("\n")).meshes[0];
        expect(checkWeights(weights, vertices.length, joints.length)).toEqual([]);
        return { influences: weights.influences, rows: rowCount(weights) };
      },
    ],
    [
      "plain JSON",
      () => {
        const weights = vertices.map((v) => (v === 0 ? joints.flatMap((_, j) => [j, 1]) : [1, 1]));
        const { weights: read } = json({ joints, meshes: [{ weights }] }).meshes[0];
        return { influences: read.influences, rows: rowCount(read) };
      },
    ],
    [
      "RigNet text",
      () => {
        const text = ["joints a 0 0 0", `skin 0 ${"a 1 ".repeat(200_000)}`.trim()];
        const rest = vertices.slice(1).map((v) => `skin ${v} a 1`);
        const { weights } = parseRigNetText("rig.txt", [...text, ...rest].join("\n"));
        return { influences: weights!.influences, rows: rowCount(weights!) };
      },
    ],
  ])("%s", (_, read) => {
    const { influences, rows } = read();
    expect(influences).toBeLessThanOrEqual(64);
    expect(rows).toBe(vertices.length);
  });
});

test("the cost of ngSkinTools layers is linear in their size", () => {
  const long = new Array(100_000).fill(1);
  const influences = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, j) => [j, j === 0 ? long : [1]]),
  );
  const list = Array.from({ length: 50_000 }, (_, index) => ({ path: `j${index}`, index }));
  const { meshes } = json({ influences: list, layers: [{ influences }] });
  expect(rowCount(meshes[0].weights)).toBe(long.length);
});

test("many layers are blended exactly", () => {
  const layers = Array.from({ length: 3000 }, (_, i) => ({
    opacity: 0.5,
    influences: { [i % 2]: [1] },
  }));
  const influences = [
    { path: "a", index: 0 },
    { path: "b", index: 1 },
  ];
  const { weights } = json({ influences, layers }).meshes[0].weights;
  // The last layer has a half, the one below it a quarter, and so on: 2/3 and 1/3.
  expect([...weights]).toBeAllClose([2 / 3, 1 / 3], 1e-6);
});

test("names in a table of weights start no formula, and are read back", () => {
  const joints = ["=cmd|calc", "+1", "plain", "two\nlines", 'a "b", c'];
  const weights = {
    influences: 1,
    joints: Uint16Array.of(0, 1, 2, 3, 4),
    weights: new Float32Array(5).fill(1),
  };
  const [text] = formatWeights({ joints, meshes: [{ name: "@mesh", weights }] }, "csv").values();
  expect(text).not.toMatch(/(?:^|,|\n)"?[=+@]/);
  const back = parse("w.csv", text);
  expect(back.joints).toEqual(joints);
  expect(back.meshes[0].name).toBe("@mesh");
});
