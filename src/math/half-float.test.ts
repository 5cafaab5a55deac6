import { expect, test } from "vitest";
import { fromHalf, toHalf } from "./half-float.ts";
import { createRandom } from "./random.ts";

test("halves keep 11 bits and the special values", () => {
  const random = createRandom(7);
  const values = Float32Array.from({ length: 5000 }, (_, i) => {
    const magnitude = 2 ** (random() * 29 - 13.9);
    return i % 2 ? magnitude : -magnitude;
  });
  const back = fromHalf(toHalf(values));
  for (let i = 0; i < values.length; i++) {
    expect(Math.abs(back[i] - values[i])).toBeLessThanOrEqual(
      Math.abs(values[i]) * 2 ** -11 * 1.0001,
    );
  }
  const special = Float32Array.of(0, Number.POSITIVE_INFINITY, 1e9, 1, 65504, 2 ** -24, 1e-5);
  const got = fromHalf(toHalf(special));
  expect([...got.subarray(0, 6)]).toEqual([
    0,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    1,
    65504,
    2 ** -24,
  ]);
  expect(Math.abs(got[6] - 1e-5)).toBeLessThan(3.1e-8);
});

test("every half decodes and encodes to itself", () => {
  const all = Uint16Array.from({ length: 0x7c01 }, (_, i) => i);
  expect(toHalf(fromHalf(all))).toEqual(all);
});
