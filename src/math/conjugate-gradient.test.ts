import { expect, test } from "vitest";
import { createRandom } from "./random.ts";
import {
  BLOCK,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
  solveConjugateGradient,
} from "./symmetric-solver.ts";

/** Two closed chains with random springs, each spring tied to the ground a little. */
function chains(size: number, seed: number): SymmetricMatrix {
  const random = createRandom(seed);
  const starts = Int32Array.from({ length: 2 * size + 1 }, (_, i) => 2 * i);
  const items = new Int32Array(4 * size);
  const values = new Float64Array(4 * size);
  const diagonal = Float64Array.from({ length: 2 * size }, () => 0.01 + random() * 0.1);
  const springs = Float64Array.from({ length: 2 * size }, () => random() * 5);
  for (let row = 0; row < 2 * size; row++) {
    const chain = Math.floor(row / size) * size;
    const [before, after] = [-1, 1].map((step) => chain + ((row - chain + step + size) % size));
    items.set([before, after], 2 * row);
    values.set([-springs[before], -springs[row]], 2 * row);
    diagonal[row] += springs[before] + springs[row];
  }
  return { diagonal, pattern: { starts, items }, values };
}

test("agrees with the factorization, for all parts and for one", () => {
  for (let seed = 0; seed < 10; seed++) {
    const matrix = chains(40, seed);
    const random = createRandom(seed + 50);
    // Parts stay contiguous; the order within each is rotated.
    const order = Int32Array.from({ length: 80 }, (_, i) =>
      i < 40 ? (i + 7) % 40 : 40 + (i % 40),
    );
    const factor = factorCholesky(matrix, order);
    for (const [from, to] of [
      [0, 80],
      [40, 80],
    ]) {
      const right = Float64Array.from({ length: (to - from) * BLOCK }, () => random() - 0.5);
      const [expected, got] = [right.slice(), right.slice()];
      solveCholesky(factor, expected, from, to);
      solveConjugateGradient(matrix, order, got, from, to);
      got.forEach((value, i) => {
        expect(value, `seed ${seed}`).toBeCloseTo(expected[i], 5);
      });
    }
  }
});

test("a right-hand side of zero has the solution zero", () => {
  const x = new Float64Array(80 * BLOCK);
  solveConjugateGradient(
    chains(40, 1),
    Int32Array.from({ length: 80 }, (_, i) => i),
    x,
  );
  expect(x).toEqual(new Float64Array(80 * BLOCK));
});
