import { expect, test } from "vitest";
import { epochBatches } from "./epoch.ts";

const sizes = Array.from({ length: 50 }, (_, i) => [100 + i * 40, 90 + i * 40, 80 + i * 40]);
const options = { seed: 11, epoch: 4, batchVertices: 4000, original: 0.25 };

test("an epoch holds each character once", () => {
  const picks = epochBatches(sizes, options).flat();
  expect(picks.map((pick) => pick.character).sort((a, b) => a - b)).toEqual([...sizes.keys()]);
  for (const { variant } of picks) expect(variant).toBeLessThan(3);
});

test("batches depend on seed and epoch alone", () => {
  expect(epochBatches(sizes, options)).toEqual(epochBatches(sizes, options));
  expect(epochBatches(sizes, { ...options, epoch: 5 })).not.toEqual(epochBatches(sizes, options));
  expect(epochBatches(sizes, { ...options, seed: 12 })).not.toEqual(epochBatches(sizes, options));
});

test("batches come close to the size asked for", () => {
  const totals = epochBatches(sizes, options).map((batch) =>
    batch.reduce((sum, { character, variant }) => sum + sizes[character][variant], 0),
  );
  const largest = Math.max(...sizes.flat());
  for (const total of totals) {
    expect(Math.abs(total - options.batchVertices)).toBeLessThanOrEqual(largest + 200);
  }
});

test("the character as drawn is picked as often as asked", () => {
  const share = (original: number): number => {
    const picks = Array.from({ length: 40 }, (_, epoch) =>
      epochBatches(sizes, { ...options, epoch, original }).flat(),
    ).flat();
    return picks.filter(({ variant }) => variant === 0).length / picks.length;
  };
  expect(share(1)).toBe(1);
  expect(share(0)).toBe(0);
  expect(Math.abs(share(0.25) - 0.25)).toBeLessThan(0.04);
});
