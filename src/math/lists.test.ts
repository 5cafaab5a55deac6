import { expect, test } from "vitest";
import { inverseIndex, listsOf } from "./arrays.ts";
import { createRandom, shuffled } from "./random.ts";

test("each member is in the list of its group, in order, and nowhere else", () => {
  const random = createRandom(1);
  for (let count = 0; count < 8; count++) {
    const groups = Int32Array.from({ length: 30 }, () => Math.floor(random() * (count + 1)) - 1);
    const { starts, items } = listsOf(groups, count);
    expect(starts.length).toBe(count + 1);
    for (let group = 0; group < count; group++) {
      const expected = [...groups.keys()].filter((member) => groups[member] === group);
      expect([...items.subarray(starts[group], starts[group + 1])]).toEqual(expected);
    }
    expect(items.length).toBe(groups.filter((group) => group >= 0).length);
  }
});

test("indices are the positions of numbers in a list, and -1 for others", () => {
  const list = Int32Array.from(shuffled(12, createRandom(2))).subarray(0, 7);
  const places = inverseIndex(list, 12);
  for (let number = 0; number < 12; number++) expect(places[number]).toBe(list.indexOf(number));
});
