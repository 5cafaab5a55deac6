import { expect, test } from "vitest";
import { createRandom, type Random } from "../math/random.ts";
import { sizeOf } from "./symbolic-size.ts";
import {
  broadcastView,
  reshapeView,
  sameLayout,
  transposeView,
  type View,
  viewOf,
  viewShape,
} from "./view.ts";

/** All index tuples of a shape, in row-major order. */
function indices(shape: number[]): number[][] {
  return shape.reduce<number[][]>(
    (all, size) => all.flatMap((head) => Array.from({ length: size }, (_, i) => [...head, i])),
    [[]],
  );
}

/** The array that a view shows if the tensor holds 0, 1, 2, ... */
function elements(view: View): number[] {
  return indices(viewShape(view)).map((index) => {
    const at = new Map<unknown, number>();
    view.dims.forEach((dim, d) => {
      let rest = index[d]!;
      for (const axis of [...dim.axes].reverse()) {
        at.set(axis, rest % axis.size);
        rest = Math.floor(rest / axis.size);
      }
    });
    return view.axes.reduce((offset, axis) => offset * axis.size + at.get(axis)!, 0);
  });
}

const pick = (random: Random, count: number) => Math.floor(random() * count);

function shuffled(random: Random, count: number): number[] {
  const list = [...Array(count).keys()];
  for (let i = count - 1; i > 0; i--) {
    const k = pick(random, i + 1);
    [list[i], list[k]] = [list[k]!, list[i]!];
  }
  return list;
}

/** Another shape of the same size, by merging and splitting dimensions at random. */
function randomShape(random: Random, size: number): number[] {
  const shape: number[] = [];
  let rest = size;
  for (const factor of [2, 3, 4, 6, 2, 3]) {
    if (rest % factor === 0 && random() < 0.5) {
      shape.push(factor);
      rest /= factor;
    }
    if (random() < 0.1) shape.push(1);
  }
  return [...shape, rest];
}

test("views equal copied reshapes, transposes and broadcasts", () => {
  let views = 0;
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(seed);
    let view: View = viewOf({ name: "x", dtype: "float32", shape: [2, 6, 1, 4] });
    let plain = elements(view);
    for (let step = 0; step < 4; step++) {
      const shape = viewShape(view);
      const kind = pick(random, 3);
      if (kind === 0) {
        const perm = shuffled(random, shape.length);
        const to = perm.map((dim) => shape[dim]!);
        plain = indices(to).map((index) => {
          const from = shape.map((_, dim) => index[perm.indexOf(dim)]!);
          return plain[shape.reduce((offset, size, dim) => offset * size + from[dim]!, 0)]!;
        });
        view = transposeView(view, perm);
      } else if (kind === 1 && plain.length < 200) {
        view = broadcastView(view, [3, ...shape], [0]);
        plain = [...plain, ...plain, ...plain];
      } else {
        const reshaped = reshapeView(view, randomShape(random, sizeOf(shape)));
        if (!reshaped) break;
        view = reshaped;
        views++;
      }
      expect(elements(view), `seed ${seed}`).toEqual(plain);
    }
  }
  expect(views).toBeGreaterThan(100);
});

test("a reshape that would mix repeated and stored elements is refused", () => {
  const row = broadcastView(viewOf({ name: "x", dtype: "float32", shape: [4] }), [3, 4], [0]);
  expect(reshapeView(row, [12])).toBeUndefined();
  expect(viewShape(reshapeView(row, [3, 2, 2])!)).toEqual([3, 2, 2]);
});

test("layouts are equal only if the elements correspond", () => {
  const square = viewOf({ name: "x", dtype: "float32", shape: [3, 3] });
  const other = viewOf({ name: "y", dtype: "float32", shape: [3, 3] });
  expect(sameLayout(square, other)).toBe(true);
  expect(sameLayout(square, transposeView(other, [1, 0]))).toBe(false);
});
