import { beforeAll, expect, test } from "vitest";
import { floats, indices, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom, normal } from "../math/random.ts";
import { edgeConv } from "./layers.ts";
import { namedScope } from "./parameters.ts";

beforeAll(startJax);

const leaky = (x: number): number => (x > 0 ? x : 0.2 * x);

/** max_j act(W [f_i ; f_i - f_j] + b), edge by edge. */
function edgeByEdge(x: number[][], neighbors: number[][], W: number[][], b: number[]): number[][] {
  return x.map((own, i) =>
    b.map((bias, o) =>
      Math.max(
        ...neighbors[i].map((j) => {
          const edge = [...own, ...own.map((value, f) => value - x[j][f])];
          return leaky(edge.reduce((sum, value, f) => sum + value * W[f][o], bias));
        }),
      ),
    ),
  );
}

test.each([1, 2, 3])(
  "the two-product form equals the edge-by-edge form (seed %i)",
  async (seed) => {
    const random = createRandom(seed);
    const [N, F, O, D] = [23, 5, 7, 4];
    const matrix = (rows: number, columns: number): number[][] =>
      Array.from({ length: rows }, () => Array.from({ length: columns }, () => normal(random)));
    const x = matrix(N, F);
    const W = matrix(2 * F, O);
    const b = matrix(1, O)[0];
    const neighbors = Array.from({ length: N }, () =>
      Array.from({ length: D }, () => Math.floor(random() * N)),
    );
    const P = W.slice(0, F).map((row, f) => row.map((value, o) => value + W[F + f][o]));
    const Q = W.slice(F).map((row) => row.map((value) => -value));
    const scope = namedScope({
      "e.P.W": floats(P.flat(), [F, O]),
      "e.P.b": floats(b, [O]),
      "e.Q.W": floats(Q.flat(), [F, O]),
    });
    const out = edgeConv(
      scope,
      "e",
      floats(x.flat(), [N, F]),
      indices(neighbors.flat(), [N, D]),
      O,
    );
    const expected = edgeByEdge(x, neighbors, W, b).flat();
    const got = await valuesOf(out);
    expected.forEach((value, i) => {
      expect(got[i]).toBeCloseTo(value, 4);
    });
  },
);
