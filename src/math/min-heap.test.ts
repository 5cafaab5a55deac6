import { expect, test } from "vitest";
import { MinHeap } from "./min-heap.ts";
import { createRandom } from "./random.ts";

test("items are removed by key, then by number, in any order of insertion", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const heap = new MinHeap(4);
    let waiting: [number, number][] = [];
    for (let step = 0; step < 500; step++) {
      if (waiting.length === 0 || random() < 0.6) {
        const entry: [number, number] = [Math.floor(random() * 20), Math.floor(random() * 50)];
        waiting.push(entry);
        heap.push(entry[0], entry[1]);
      } else {
        waiting.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(heap.peekKey(), `seed ${seed}`).toBe(waiting[0][0]);
        expect(heap.pop(), `seed ${seed}`).toBe(waiting[0][1]);
        waiting = waiting.slice(1);
      }
      expect(heap.size).toBe(waiting.length);
    }
  }
});
