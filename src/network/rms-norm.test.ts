import { beforeAll, expect, test } from "vitest";
import {
  drawingScope,
  expectRows,
  floats,
  randomRows,
  valuesOf,
} from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom } from "../math/random.ts";
import { rmsNorm } from "./layers.ts";

beforeAll(startJax);

test("each row is divided by its root mean square and multiplied by the gain", async () => {
  const random = createRandom(1);
  const x = randomRows(random, 9, 5).map((row, i) => row.map((value) => value * 10 ** (i - 4)));
  const scope = drawingScope(random);
  const out = rmsNorm(scope, "n", floats(x.flat(), [9, 5]));
  const gain = scope.arrays["n.gain"][0];
  const expected = x.map((row) => {
    const root = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0) / 5 + 1e-5);
    return row.map((value, f) => (value / root) * gain[f]);
  });
  await expectRows(out, expected, 4);
});

test("a row of zeros stays zero", async () => {
  const out = rmsNorm(drawingScope(createRandom(2)), "n", floats(new Float32Array(4), [1, 4]));
  expect([...(await valuesOf(out))].map(Math.abs)).toEqual([0, 0, 0, 0]);
});
