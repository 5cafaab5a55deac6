import { expect, test } from "vitest";
import { power } from "./power.ts";
import { createRandom } from "./random.ts";

test("powers equal those of the language, within rounding", () => {
  const random = createRandom("powers");
  for (let n = 0; n < 1000; n++) {
    const base = 1000 * random() ** 2;
    const exponent = 10 * (random() - 0.5);
    expect(power(base, exponent) / base ** exponent).toBeCloseTo(1, 12);
  }
  expect([power(0, 2.4), power(0, 0), power(1, -3), power(0, -1)]).toEqual([0, 1, 1, Infinity]);
});

test("powers have the bits on which Node 20 and 24 agree", () => {
  expect([power(0.3, 2.4), power(7.7, -4), power(0.05, 1 / 2.4)]).toEqual(BITS);
});

/** From Node 20.20, 22.23 and 24.21. */
const BITS = [0.05560207655106707, 0.0002844704103977803, 0.2870147184764281];
