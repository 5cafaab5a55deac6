import { expect, test } from "vitest";
import { createRandom, type Random } from "./random.ts";
import {
  BLOCK,
  choleskyWork,
  factorCholesky,
  type SymmetricMatrix,
  solveCholesky,
} from "./symmetric-solver.ts";

/** A diagonally dominant matrix with random signs; a sparse pattern has several parts. */
function randomMatrix(size: number, density: number, random: Random): SymmetricMatrix {
  const dense = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  for (let i = 0; i < size; i++)
    for (let j = 0; j < i; j++)
      if (random() < density) dense[i][j] = dense[j][i] = random() * 2 - 1;
  const starts = new Int32Array(size + 1);
  const items: number[] = [];
  const values: number[] = [];
  dense.forEach((row, i) => {
    row.forEach((value, j) => {
      if (value === 0) return;
      items.push(j);
      values.push(value);
    });
    starts[i + 1] = items.length;
  });
  const diagonal = dense.map((row) => row.reduce((sum, v) => sum + Math.abs(v), 0.1 + random()));
  return {
    diagonal: Float64Array.from(diagonal),
    pattern: { starts, items: Int32Array.from(items) },
    values: Float64Array.from(values),
  };
}

function shuffled(size: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Gauss and Jordan with pivoting, on the full matrix. */
function solveDense(matrix: SymmetricMatrix, right: number[]): number[] {
  const size = right.length;
  const a = right.map((value, i) => {
    const row = new Array<number>(size + 1).fill(0);
    row[i] = matrix.diagonal[i];
    row[size] = value;
    for (let p = matrix.pattern.starts[i]; p < matrix.pattern.starts[i + 1]; p++)
      row[matrix.pattern.items[p]] = matrix.values[p];
    return row;
  });
  for (let c = 0; c < size; c++) {
    let best = c;
    for (let r = c + 1; r < size; r++) if (Math.abs(a[r][c]) > Math.abs(a[best][c])) best = r;
    [a[c], a[best]] = [a[best], a[c]];
    for (let r = 0; r < size; r++) {
      const factor = a[r][c] / a[c][c];
      if (r !== c && factor !== 0) for (let k = c; k <= size; k++) a[r][k] -= factor * a[c][k];
    }
  }
  return a.map((row, i) => row[size] / row[i]);
}

test("equals the dense solution in any order", () => {
  for (let seed = 0; seed < 120; seed++) {
    const random = createRandom(seed);
    const size = 1 + Math.floor(random() * 40);
    const matrix = randomMatrix(size, random() * 0.3, random);
    const order = shuffled(size, random);
    const factor = factorCholesky(matrix, order);
    const right = Array.from({ length: BLOCK }, () =>
      Array.from({ length: size }, () => (random() < 0.3 ? 0 : random() * 2 - 1)),
    );
    const x = new Float64Array(size * BLOCK);
    right.forEach((b, c) => {
      order.forEach((row, i) => {
        x[i * BLOCK + c] = b[row];
      });
    });
    solveCholesky(factor, x);
    right.forEach((b, c) => {
      const expected = solveDense(matrix, b);
      order.forEach((row, i) => {
        expect(x[i * BLOCK + c], `seed ${seed}`).toBeCloseTo(expected[row], 9);
      });
    });
  }
});

test("a part that is contiguous in the order can be solved alone", () => {
  const random = createRandom(5);
  const [one, two] = [randomMatrix(9, 0.5, random), randomMatrix(14, 0.4, random)];
  const both: SymmetricMatrix = {
    diagonal: Float64Array.from([...one.diagonal, ...two.diagonal]),
    pattern: {
      starts: Int32Array.from([
        ...one.pattern.starts,
        ...two.pattern.starts.slice(1).map((s) => s + one.values.length),
      ]),
      items: Int32Array.from([...one.pattern.items, ...two.pattern.items.map((i) => i + 9)]),
    },
    values: Float64Array.from([...one.values, ...two.values]),
  };
  const factor = factorCholesky(
    both,
    Int32Array.from({ length: 23 }, (_, i) => i),
  );
  const right = Array.from({ length: 14 }, () => random());
  const x = Float64Array.from(right.flatMap((value) => new Array(BLOCK).fill(value)));
  solveCholesky(factor, x, 9, 23);
  solveDense(two, right).forEach((value, i) => {
    expect([...x.subarray(i * BLOCK, (i + 1) * BLOCK)]).toBeAllClose(new Array(BLOCK).fill(value));
  });
});

test("a matrix that is not positive definite is refused by name", () => {
  const matrix: SymmetricMatrix = {
    diagonal: Float64Array.from([1, 1]),
    pattern: { starts: Int32Array.from([0, 1, 2]), items: Int32Array.from([1, 0]) },
    values: Float64Array.from([2, 2]),
  };
  expect(() => factorCholesky(matrix, Int32Array.from([0, 1]))).toThrow(
    "factorCholesky: the matrix must be positive definite, pivot 1 is -3.",
  );
});

test("the predicted work is the sum of the squared columns of the factor", () => {
  for (let seed = 0; seed < 20; seed++) {
    const random = createRandom(seed);
    const matrix = randomMatrix(30, random() * 0.3, random);
    const order = shuffled(30, random);
    const { starts } = factorCholesky(matrix, order);
    let work = 0;
    for (let i = 0; i < 30; i++) work += (starts[i + 1] - starts[i]) ** 2;
    expect(choleskyWork(matrix.pattern, order), `seed ${seed}`).toBe(work);
    if (work > 0) expect(choleskyWork(matrix.pattern, order, work - 1)).toBe(Infinity);
  }
});
