import { type FuzzAnswer, runFuzzCase } from "./fuzz-case.ts";
import { fuzzSeeds } from "./fuzz-seeds.ts";

/** Creates the function that runs one case after another. */
export async function createFuzzer(): Promise<(number: number) => Promise<FuzzAnswer>> {
  const seeds = await fuzzSeeds();
  return (number) => runFuzzCase(seeds, number);
}
