import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { dropEdges, MAX_READERS } from "./batch-feeds.ts";

const [V, WIDTH, KEPT] = [200, 8, 3];

function lists(seed: number): Int32Array {
  const random = createRandom(seed);
  return Int32Array.from({ length: V * WIDTH }, () => Math.floor(random() * V));
}

test.each([1, 2, 3])(
  "keeps entries of each row, none more often than in the row (seed %i)",
  (seed) => {
    const all = lists(seed);
    const kept = dropEdges(all, V, KEPT, createRandom(`drop ${seed}`));
    expect(kept.length).toBe(V * KEPT);
    for (let v = 0; v < V; v++) {
      const left = [...all.subarray(v * WIDTH, (v + 1) * WIDTH)];
      for (const entry of kept.subarray(v * KEPT, (v + 1) * KEPT)) {
        expect(left).toContain(entry);
        left.splice(left.indexOf(entry), 1);
      }
    }
  },
);

test("every entry of a row is kept with the same frequency", () => {
  // Eight rows, each with all eight vertices; 24 slots in all never reach the limit of readers.
  const rows = Int32Array.from({ length: WIDTH * WIDTH }, (_, i) => i % WIDTH);
  const counts = new Int32Array(WIDTH);
  const random = createRandom(7);
  for (let round = 0; round < 500; round++) {
    for (const entry of dropEdges(rows, WIDTH, KEPT, random)) counts[entry]++;
  }
  for (const count of counts) expect(Math.abs(count - 1500)).toBeLessThan(150);
});

test("the same seed keeps the same edges, another one others", () => {
  const all = lists(4);
  const kept = (seed: string) => dropEdges(all, V, KEPT, createRandom(seed));
  expect(kept("a")).toEqual(kept("a"));
  expect(kept("a")).not.toEqual(kept("b"));
});

test("a pole of the mesh is read by a limited number of slots, the others contain their own vertex", () => {
  const toPole = new Int32Array(V * WIDTH);
  const kept = dropEdges(toPole, V, KEPT, createRandom(5));
  expect(kept.filter((v) => v === 0).length).toBeLessThanOrEqual(MAX_READERS + KEPT);
  for (let i = 0; i < kept.length; i++) expect([0, Math.floor(i / KEPT)]).toContain(kept[i]);
});
