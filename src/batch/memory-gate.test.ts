import { expect, test } from "vitest";
import { createMemoryGate } from "./pool.ts";

test("lets in what fits together, in order, and one of any size", async () => {
  const gate = createMemoryGate(10);
  const inside: number[] = [];
  const enter = (bytes: number) => gate.enter(bytes).then(() => inside.push(bytes));
  for (const bytes of [6, 4, 50, 1]) enter(bytes);
  await Promise.resolve();
  expect(inside).toEqual([6, 4]);
  gate.leave(6);
  await Promise.resolve();
  // The large one is not passed by small ones for ever.
  expect(inside).toEqual([6, 4]);
  gate.leave(4);
  await Promise.resolve();
  expect(inside).toEqual([6, 4, 50]);
  gate.leave(50);
  await Promise.resolve();
  expect(inside).toEqual([6, 4, 50, 1]);
});
