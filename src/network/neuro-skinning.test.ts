import { beforeAll, test } from "vitest";
import {
  drawingScope,
  expectRows,
  floats,
  indices,
  leaky,
  linearRows,
  randomRows,
} from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom } from "../math/random.ts";
import { graphAttention } from "./neuro-skinning.ts";

beforeAll(startJax);

test.each([1, 2])("attention weights neighbors per head, like loops (seed %i)", async (seed) => {
  const random = createRandom(seed);
  const [N, F, D, width, heads] = [15, 4, 5, 8, 4];
  const x = randomRows(random, N, F);
  const near = Array.from({ length: N }, () =>
    Array.from({ length: D }, () => Math.floor(random() * N)),
  );
  const scope = drawingScope(random);
  const out = graphAttention(
    scope,
    "a",
    floats(x.flat(), [N, F]),
    indices(near.flat(), [N, D]),
    width,
  );
  const values = linearRows(x, scope.arrays["a.value.W"], scope.arrays["a.value.b"]);
  const own = linearRows(x, scope.arrays["a.own.W"]);
  const other = linearRows(x, scope.arrays["a.other.W"]);
  const expected = near.map((list, i) =>
    Array.from({ length: width }, (_, o) => {
      const head = Math.floor(o / (width / heads));
      const scores = list.map((j) => Math.exp(leaky(own[i][head] + other[j][head])));
      const total = scores.reduce((a, b) => a + b, 0);
      return leaky(list.reduce((sum, j, d) => sum + (scores[d] / total) * values[j][o], 0));
    }),
  );
  await expectRows(out, expected);
});
