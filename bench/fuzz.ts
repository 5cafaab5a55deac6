// Damaged files through reading, inspecting, binding and writing: `npm run bench fuzz -- [cases] [first] [jobs]`.
// `npm run bench fuzz -- case <number>` writes the file of one case and shows what becomes of it.

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fuzzFile, runFuzzCase } from "../test/helpers/fuzz-case.ts";
import { runFuzz } from "../test/helpers/fuzz-run.ts";
import { fuzzSeeds } from "../test/helpers/fuzz-seeds.ts";
import { saveJson } from "./save-results.ts";

async function showCase(number: number): Promise<void> {
  const seeds = await fuzzSeeds();
  const { seed, bytes } = fuzzFile(seeds, number);
  const file = path.join(tmpdir(), `fuzz-${number}-${seed.name}`);
  writeFileSync(file, bytes);
  console.log(file, await runFuzzCase(seeds, number));
}

async function runAll(cases: number, first: number, jobs: number): Promise<void> {
  console.log(`cases ${first} to ${first + cases - 1}`);
  let done = 0;
  const answers = await runFuzz(first, cases, jobs, (number, { outcome, seed, message }) => {
    if (outcome === "fault") console.log(`case ${number} (${seed}): ${message}`);
    if (++done % 1000 === 0) console.log(`${done} of ${cases}`);
  });
  const all = [...answers.values()];
  const count = (outcome: string) => all.filter((answer) => answer.outcome === outcome).length;
  const slowest = [...answers].reduce((a, b) => (b[1].milliseconds > a[1].milliseconds ? b : a));
  const result = {
    cases,
    first,
    bound: count("bound"),
    refused: count("refused"),
    faults: count("fault"),
    slowestCase: slowest[0],
    slowestMilliseconds: Math.round(slowest[1].milliseconds),
    peakMegabytes: Math.round(Math.max(...all.map(({ peak }) => peak)) / 2 ** 20),
  };
  console.log(result);
  if (cases >= 10_000) saveJson("fuzz.json", result);
  process.exitCode = result.faults > 0 ? 1 : 0;
}

const [first, ...rest] = process.argv.slice(2);
if (first === "case") await showCase(Number(rest[0]));
else await runAll(Number(first ?? 20_000), Number(rest[0] ?? 1), Number(rest[1] ?? 1));
