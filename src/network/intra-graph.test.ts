import { beforeAll, test } from "vitest";
import {
  denseRows,
  drawingScope,
  expectRows,
  floats,
  indices,
  leaky,
  linearRows,
  randomRows,
} from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom, type Random } from "../math/random.ts";
import { meshConv, skeletonConv } from "./convolutions.ts";

beforeAll(startJax);

const [N, F, OUT] = [20, 5, 6];

function randomLists(random: Random, width: number): number[][] {
  return Array.from({ length: N }, () =>
    Array.from({ length: width }, () => Math.floor(random() * N)),
  );
}

/** act(P f_i + b + Q f_j), the maximum over the edges of i. */
function overEdges(
  x: number[][],
  lists: number[][],
  arrays: Record<string, number[][]>,
  name: string,
): number[][] {
  const own = linearRows(x, arrays[`${name}.P.W`], arrays[`${name}.P.b`]);
  const other = linearRows(x, arrays[`${name}.Q.W`]);
  return own.map((row, i) =>
    row.map((value, o) => Math.max(...lists[i].map((j) => leaky(value + other[j][o])))),
  );
}

test.each([1, 2])("the mesh combines ring and ball by equation 3 (seed %i)", async (seed) => {
  const random = createRandom(seed);
  const x = randomRows(random, N, F);
  const [ring, ball] = [randomLists(random, 3), randomLists(random, 7)];
  const scope = drawingScope(random);
  const tensors = [indices(ring.flat(), [N, 3]), indices(ball.flat(), [N, 7])] as const;
  const out = meshConv(scope, "m", floats(x.flat(), [N, F]), ...tensors, OUT);
  const near = overEdges(x, ring, scope.arrays, "m.ring");
  const wide = overEdges(x, ball, scope.arrays, "m.ball");
  const both = near.map((row, i) => [...row, ...wide[i]]);
  await expectRows(out, denseRows(both, scope.arrays["m.mix.W"], scope.arrays["m.mix.b"]));
});

test("the skeleton takes the maximum over connected bones", async () => {
  const random = createRandom(3);
  const x = randomRows(random, N, F);
  const ring = randomLists(random, 8);
  const scope = drawingScope(random);
  const out = skeletonConv(scope, "s", floats(x.flat(), [N, F]), indices(ring.flat(), [N, 8]), OUT);
  await expectRows(out, overEdges(x, ring, scope.arrays, "s.bones"));
});
