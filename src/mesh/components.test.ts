import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { connectedComponents, vertexNeighbors } from "./adjacency.ts";

test("two vertices share a part exactly if a path connects them", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const triangles = Uint32Array.from({ length: 30 }, () => Math.floor(random() * 40));
    const reach = Array.from({ length: 40 }, (_, a) =>
      Array.from({ length: 40 }, (_, b) => a === b),
    );
    for (let i = 0; i < triangles.length; i += 3) {
      const corners = triangles.slice(i, i + 3);
      for (const a of corners) for (const b of corners) reach[a][b] = true;
    }
    for (let m = 0; m < 40; m++)
      for (let a = 0; a < 40; a++)
        for (let b = 0; b < 40; b++) reach[a][b] ||= reach[a][m] && reach[m][b];
    const { count, component } = connectedComponents(vertexNeighbors(triangles, 40));
    expect(Math.max(...component) + 1).toBe(count);
    for (let a = 0; a < 40; a++)
      for (let b = 0; b < 40; b++)
        expect(component[a] === component[b], `seed ${seed}: ${a}, ${b}`).toBe(reach[a][b]);
  }
});
