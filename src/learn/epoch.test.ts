import { expect, test } from "vitest";
import { balancedChances, batchRoom, epochBatches } from "./epoch.ts";

const sizes = Array.from({ length: 50 }, (_, i) =>
  [100, 90, 80].map((least) => ({
    vertices: least + i * 40,
    joints: 5 + (i % 40),
    parts: 1 + (i % 7),
  })),
);
const room = batchRoom(sizes, 4000);
const options = { seed: 11, epoch: 4, room, original: 0.25 };

test("an epoch contains each character once", () => {
  const picks = epochBatches(sizes, options).flat();
  expect(picks.map((pick) => pick.character).sort((a, b) => a - b)).toEqual([...sizes.keys()]);
  for (const { variant } of picks) expect(variant).toBeLessThan(3);
});

test("batches depend only on seed and epoch", () => {
  expect(epochBatches(sizes, options)).toEqual(epochBatches(sizes, options));
  expect(epochBatches(sizes, { ...options, epoch: 5 })).not.toEqual(epochBatches(sizes, options));
  expect(epochBatches(sizes, { ...options, seed: 12 })).not.toEqual(epochBatches(sizes, options));
});

test("no batch exceeds its capacity, and all but the last few are nearly full", () => {
  const totals = epochBatches(sizes, options).map((batch) => {
    const taken = batch.map(({ character, variant }) => sizes[character][variant]);
    const sum = (name: "vertices" | "joints" | "parts") =>
      taken.reduce((total, size) => total + size[name], 0);
    expect(sum("vertices")).toBeLessThanOrEqual(room.vertices);
    expect(sum("joints")).toBeLessThanOrEqual(room.joints);
    expect(sum("parts")).toBeLessThanOrEqual(room.parts);
    expect(batch.length).toBeLessThanOrEqual(room.characters);
    return sum("vertices");
  });
  const full = totals.filter((total) => total > 0.8 * room.vertices);
  expect(full.length).toBeGreaterThanOrEqual(totals.length - 3);
});

test("a character larger than the capacity determines it", () => {
  const giant = [...sizes, [{ vertices: 9000, joints: 300, parts: 90 }]];
  const larger = batchRoom(giant, 4000);
  expect(larger).toMatchObject({ vertices: 9000 });
  expect(larger.joints).toBeGreaterThanOrEqual(300);
  expect(epochBatches(giant, { ...options, room: larger }).flat()).toHaveLength(51);
});

test("balance lets n characters of one skeleton count as n^(1 - balance)", () => {
  const skeletons = sizes.map((_, i) => (i < 16 ? "shared" : `own ${i}`));
  const shared = (balance: number): number => {
    const chances = balancedChances(skeletons, balance);
    const epochs = Array.from({ length: 200 }, (_, epoch) =>
      epochBatches(sizes, { ...options, epoch, chances }).flat(),
    );
    // Characters with a unique skeleton always occur once.
    for (const picks of epochs) {
      expect(picks.filter(({ character }) => character >= 16)).toHaveLength(34);
    }
    return epochs.flat().filter(({ character }) => character < 16).length / epochs.length;
  };
  expect(shared(0)).toBe(16);
  expect(Math.abs(shared(0.5) - 4)).toBeLessThan(0.4);
  expect(Math.abs(shared(1) - 1)).toBeLessThan(0.25);
});

test("the original variant is picked with the given probability", () => {
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
