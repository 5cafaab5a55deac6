import { expect, test } from "vitest";
import type { Mesh } from "../mesh/mesh.ts";
import type { Character } from "./character.ts";
import { subdivideCharacter, subdivideTo } from "./subdivide-character.ts";

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

const tetrahedron: Mesh = {
  positions: Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  triangles: Uint32Array.from([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
};

function area(mesh: Mesh): number {
  let sum = 0;
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => mesh.triangles[i + k] * 3);
    const p = mesh.positions;
    const u = [0, 1, 2].map((axis) => p[b + axis] - p[a + axis]);
    const v = [0, 1, 2].map((axis) => p[c + axis] - p[a + axis]);
    sum +=
      Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) /
      2;
  }
  return sum;
}

test("a closed mesh stays closed, keeps its area and gets exactly the vertices asked for", () => {
  const { mesh, parents } = subdivideTo(tetrahedron, 300);
  expect(mesh.positions.length / 3).toBe(300);
  expect(parents.length / 2).toBe(296);
  expect(mesh.triangles.length / 3).toBe(2 * 300 - 4); // Euler: V - E + F = 2
  expect(area(mesh)).toBeCloseTo(area(tetrahedron), 4);
  const directed = new Set<string>();
  for (let i = 0; i < mesh.triangles.length; i++) {
    const next = mesh.triangles[i % 3 === 2 ? i - 2 : i + 1];
    expect(directed.has(`${mesh.triangles[i]} ${next}`)).toBe(false);
    directed.add(`${mesh.triangles[i]} ${next}`);
  }
  for (const side of directed) expect(directed).toContain(side.split(" ").reverse().join(" "));
});

test("each new vertex is midway between two earlier ones", () => {
  const { mesh, parents } = subdivideTo(tetrahedron, 60);
  for (let v = 4; v < 60; v++) {
    const [a, b] = [parents[(v - 4) * 2], parents[(v - 4) * 2 + 1]];
    expect(Math.max(a, b)).toBeLessThan(v);
    for (let axis = 0; axis < 3; axis++) {
      const middle = (mesh.positions[a * 3 + axis] + mesh.positions[b * 3 + axis]) / 2;
      expect(mesh.positions[v * 3 + axis]).toBeCloseTo(middle, 6);
    }
  }
});

test("three triangles at one edge are split together", () => {
  const fin: Mesh = {
    positions: Float32Array.from([0, 0, 0, 4, 0, 0, 2, 1, 0, 2, -1, 0, 2, 0, 1]),
    triangles: Uint32Array.from([0, 1, 2, 1, 0, 3, 0, 1, 4]),
  };
  const { mesh, parents } = subdivideTo(fin, 6);
  expect([...parents]).toEqual([0, 1]);
  expect(mesh.triangles.length / 3).toBe(6);
  expect(mesh.triangles.filter((v) => v === 5).length).toBe(6);
});

test("a large mesh comes back as it is, and one that cannot grow ends", () => {
  expect(subdivideTo(tetrahedron, 4).mesh).toBe(tetrahedron);
  const points = { positions: new Float32Array(9), triangles: Uint32Array.from([0, 1, 2]) };
  expect(subdivideTo(points, 100).mesh).toBe(points);
});
