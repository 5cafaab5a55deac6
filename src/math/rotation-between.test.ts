import { expect, test } from "vitest";
import { rotateVector } from "./quaternion.ts";
import { createRandom, randomDirection } from "./random.ts";
import { rotationBetween } from "./rotation-between.ts";

test("rotates one direction to the other, also opposite ones", () => {
  const random = createRandom(7);
  for (let i = 0; i < 50; i++) {
    const from = randomDirection(random);
    const to = i < 5 ? from.map((value) => -value) : i < 8 ? from : randomDirection(random);
    const found = rotateVector(rotationBetween(from, to), from);
    expect(found).toBeAllClose(to, 1e-6);
  }
});
