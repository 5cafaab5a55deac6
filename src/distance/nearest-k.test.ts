import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { emptyNearest, insertNearest, mergeNearest } from "./bone-distances.ts";

test("inserting in any order, or in parts that are merged, equals sorting", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed);
    const k = 1 + Math.floor(random() * 6);
    const bones = Math.floor(random() * 12);
    // Few different values, so that ties are common.
    const table = Array.from({ length: bones }, (_, bone) => ({
      bone,
      distance: Math.fround(Math.floor(random() * 4) / 3),
    }));
    const sorted = table.toSorted((a, b) => a.distance - b.distance || a.bone - b.bone).slice(0, k);
    const shuffled = table.toSorted(() => random() - 0.5);
    const parts = [emptyNearest(1, k), emptyNearest(1, k), emptyNearest(1, k)];
    const whole = emptyNearest(1, k);
    for (const { bone, distance } of shuffled) {
      insertNearest(whole, 0, bone, distance);
      insertNearest(parts[bone % 3], 0, bone, distance);
    }
    const expected = Array.from({ length: k }, (_, i) => sorted[i]?.bone ?? -1);
    expect([...whole.bones], `seed ${seed}`).toEqual(expected);
    expect(mergeNearest(parts), `seed ${seed}`).toEqual(whole);
  }
});

test("an unreachable bone is not inserted", () => {
  const nearest = emptyNearest(1, 2);
  insertNearest(nearest, 0, 3, Infinity);
  expect([...nearest.bones]).toEqual([-1, -1]);
});
