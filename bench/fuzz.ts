// Reads, inspects, binds and writes damaged files: `npm run bench fuzz -- [cases] [first] [jobs]`.
// `npm run bench fuzz -- case <number>` writes the file of one case and reports its result.

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
  const worst = (by: "milliseconds" | "peak") =>
    [...answers].sort((a, b) => b[1][by] - a[1][by]).slice(0, 5);
  const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  for (const [number, { seed, milliseconds }] of worst("milliseconds")) {
    console.log(`case ${number} (${seed}): ${Math.round(milliseconds)} ms`);
  }
  for (const [number, { seed, peak }] of worst("peak")) {
    console.log(`case ${number} (${seed}): ${megabytes(peak)} MB`);
  }
  const result = {
    cases,
    first,
    bound: count("bound"),
    refused: count("refused"),
    faults: count("fault"),
    slowestCase: worst("milliseconds")[0][0],
    slowestMilliseconds: Math.round(worst("milliseconds")[0][1].milliseconds),
    largestCase: worst("peak")[0][0],
    peakMegabytes: megabytes(worst("peak")[0][1].peak),
  };
  console.log(result);
  if (cases >= 10_000) saveJson("fuzz.json", result);
  process.exitCode = result.faults > 0 ? 1 : 0;
}

const [first, ...rest] = process.argv.slice(2);
if (first === "case") await showCase(Number(rest[0]));
else await runAll(Number(first ?? 50_000), Number(rest[0] ?? 1), Number(rest[1] ?? 1));
