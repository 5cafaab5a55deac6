import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "./adjacency.ts";

test("rows equal those of a set per vertex, including degenerate and repeated triangles", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const triangles = Uint32Array.from({ length: 90 }, () => Math.floor(random() * 25));
    const sets = Array.from({ length: 26 }, () => new Set<number>());
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = triangles.slice(i, i + 3);
      for (const a of corners) for (const b of corners) if (a !== b) sets[a].add(b);
    }
    const { starts, items } = vertexNeighbors(triangles, 26);
    sets.forEach((set, v) => {
      const row = [...items.slice(starts[v], starts[v + 1])];
      expect(row, `seed ${seed}, vertex ${v}`).toEqual([...set].sort((a, b) => a - b));
    });
  }
});
