import type { Random } from "../../src/math/random.ts";

/** Picks an entry of a list. */
export const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)];

/** Picks an integer from 0 to n - 1. */
export const below = (random: Random, n: number): number => Math.floor(random() * n);

/** Picks a number of repetitions: mostly small, sometimes as many as in an attack. */
export const manyOf = (random: Random, most = 20_000): number => Math.ceil(most ** random());
