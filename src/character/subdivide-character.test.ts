import { expect, test } from "vitest";
import type { Character } from "./character.ts";
import { subdivideCharacter } from "./subdivide-character.ts";

const strip: Character = {
  name: "strip",
  mesh: {
    positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0.5, 0]),
    triangles: Uint32Array.from([0, 1, 2]),
  },
  skeleton: {
    names: ["a", "b", "c"],
    parents: Int32Array.from([-1, 0, 1]),
    positions: Float32Array.from([0, 0, 0, 0.5, 0, 0, 1, 0, 0]),
  },
  weights: {
    influences: 2,
    joints: Uint16Array.from([2, 0, 1, 2, 0, 0]),
    weights: Float32Array.from([0.75, 0.25, 0.5, 0.5, 1, 0]),
  },
};

test("a new vertex has the mean weights of its edge, sorted", () => {
  const finer = subdivideCharacter(strip, 200);
  const { influences, joints, weights } = finer.weights!;
  const corner = [
    [0.25, 0, 0.75],
    [0, 0.5, 0.5],
    [1, 0, 0],
  ];
  for (let v = 0; v < 200; v++) {
    const [x, y] = finer.mesh.positions.slice(v * 3);
    const row = weights.slice(v * influences, (v + 1) * influences);
    expect([...row]).toEqual([...row].sort((a, b) => b - a));
    const dense = [0, 0, 0];
    row.forEach((weight, i) => {
      dense[joints[v * influences + i]] += weight;
    });
    const barycentric = [1 - x - y / 0.5, x, y / 0.5];
    dense.forEach((weight, joint) => {
      const expected = corner.reduce((sum, w, c) => sum + w[joint] * barycentric[c], 0);
      expect(weight, `vertex ${v}, joint ${joint}`).toBeCloseTo(expected, 5);
    });
  }
});

test("a character that is fine enough is returned unchanged", () => {
  expect(subdivideCharacter(strip, 3)).toBe(strip);
});
