import { serveProcess } from "../src/cli/serve-process.ts";
import { type FuzzAnswer, runFuzzCase } from "./fuzz-case.ts";
import { fuzzSeeds } from "./fuzz-seeds.ts";

serveProcess<unknown, number, FuzzAnswer>(async () => {
  const seeds = await fuzzSeeds();
  return (number) => runFuzzCase(seeds, number);
});
