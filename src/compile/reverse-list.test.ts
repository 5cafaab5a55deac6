import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { reverseList } from "./reverse-list.ts";

test("each row lists exactly its valid slots, in order, then padding", () => {
  for (let seed = 0; seed < 50; seed++) {
    const random = createRandom(seed);
    const rows = 1 + Math.floor(random() * 9);
    const indices = Int32Array.from({ length: 30 }, () => Math.floor(random() * rows));
    const valid = Uint8Array.from({ length: 30 }, () => Number(random() < 0.6));
    const { data, degree } = reverseList(indices, rows, seed % 2 ? valid : undefined);
    expect(data.length).toBe(rows * degree);
    for (let row = 0; row < rows; row++) {
      const slots = [...indices.keys()].filter(
        (slot) => indices[slot] === row && (seed % 2 === 0 || valid[slot]),
      );
      const padding = Array(degree - slots.length).fill(30);
      expect([...data.subarray(row * degree, (row + 1) * degree)], `seed ${seed}`).toEqual([
        ...slots,
        ...padding,
      ]);
    }
  }
});

test("an unread table still has a list", () => {
  expect(reverseList(new Int32Array(0), 2)).toEqual({ data: Int32Array.of(0, 0), degree: 1 });
});

test("an index out of range is reported", () => {
  expect(() => reverseList(Int32Array.of(0, 5), 5)).toThrow("slot 1 reads row 5");
});
