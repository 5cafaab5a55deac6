import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { ringLists } from "./build-skin-graph.ts";

/** Vertex 0 in the middle of a fan of `spokes` triangles, on an uneven circle. */
function fan(spokes: number): { positions: Float32Array; triangles: Uint32Array } {
  const random = createRandom(spokes);
  const positions = [0, 0, 0];
  const triangles: number[] = [];
  for (let i = 0; i < spokes; i++) {
    const angle = (2 * Math.PI * (i + 0.3 * random())) / spokes;
    positions.push(Math.cos(angle), Math.sin(angle) * (1 + 0.1 * random()), 0);
    triangles.push(0, 1 + i, 1 + ((i + 1) % spokes));
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

test("short rows repeat their own entries, or hold the vertex, and an isolated vertex has itself", () => {
  const neighbors = vertexNeighbors(Uint32Array.of(0, 1, 2), 4);
  const positions = new Float32Array(12);
  const repeated = ringLists(neighbors, positions, 4);
  expect([...repeated.subarray(0, 4)]).toEqual([1, 2, 1, 2]);
  expect([...repeated.subarray(12)]).toEqual([3, 3, 3, 3]);
  const filled = ringLists(neighbors, positions, 4, "self");
  expect([...filled.subarray(0, 4)]).toEqual([1, 2, 0, 0]);
});

test("of a long row, entries spread over the whole circle are kept", () => {
  const { positions, triangles } = fan(40);
  const row = ringLists(vertexNeighbors(triangles, 41), positions, 8).subarray(0, 8);
  expect(new Set(row).size).toBe(8);
  const angles = [...row]
    .map((v) => Math.atan2(positions[v * 3 + 1], positions[v * 3]))
    .sort((a, b) => a - b);
  const gaps = angles.map((angle, i) =>
    i === 0 ? angle + 2 * Math.PI - angles[7] : angle - angles[i - 1],
  );
  expect(Math.max(...gaps)).toBeLessThan((2 * 2 * Math.PI) / 8 + 0.2);
});

test("permuted vertices permute the lists and change nothing else", () => {
  const { positions, triangles } = fan(21);
  const plain = ringLists(vertexNeighbors(triangles, 22), positions, 8);
  // Number v becomes 21 - v.
  const turned = new Float32Array(positions.length);
  for (let v = 0; v < 22; v++) turned.set(positions.subarray(v * 3, v * 3 + 3), (21 - v) * 3);
  const mixed = ringLists(
    vertexNeighbors(
      triangles.map((v) => 21 - v),
      22,
    ),
    turned,
    8,
  );
  for (let v = 0; v < 22; v++) {
    const expected = [...plain.subarray(v * 8, v * 8 + 8)].sort((a, b) => a - b);
    const got = [...mixed.subarray((21 - v) * 8, (22 - v) * 8)].map((u) => 21 - u);
    expect(new Set(got)).toEqual(new Set(expected));
  }
});
