/**
 * Measures the effect of learning from siblings:
 *
 *     npm run bench like -- <data folder> [--split test] [--counts 1,2,3] [--threads n]
 *
 * The folder has a table `characters.tsv` with the columns id, split and skeleton_group, and
 * `characters/<id>.glb`. For every skeleton that is not in the training set and that at least two characters
 * of the split share, each character is held out in turn; the model learns from one, two and three of the
 * others. As a control, each character is also bound by a model that learned from the next skeleton's
 * characters. Figures go to bench/results/like.csv, a table to standard output.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { adapt } from "../src/adapt/adapt.ts";
import { modelFor } from "../src/adapt/model-parameters.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { modelPath, readCharacterFile } from "../src/disk/character-files.ts";
import { createMeasureCache } from "../src/distance/measure.ts";
import { scoreWeights } from "../src/evaluate/score-weights.ts";
import { EXEMPLARS_ENTRY } from "../src/examples/exemplars.ts";
import { mean } from "../src/math/arrays.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { closeSkinModel } from "../src/methods/network.ts";
import { ADAPT_STEP, DEFAULT_NETWORK } from "../src/models.ts";
import { readOnnx, replaceParameters } from "../src/onnx/onnx-reader.ts";
import { freshGroups } from "./known-skeletons.ts";
import { saveLines } from "./save-results.ts";

interface Row {
  id: string;
  group: string;
  /** `siblings` or `unrelated`. */
  examples: string;
  count: number;
  /** `network`: only the adapted network; `neighbors`: the default network with the exemplars; `both`. */
  way: string;
  before: Score;
  after: Score;
  /** Duration of learning in seconds. */
  seconds: number;
}
interface Score {
  l1: number;
  distance: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: "string", default: "test" },
    counts: { type: "string", default: "1,2,3" },
    threads: { type: "string" },
  },
});
const [folder] = positionals;
const base = new Uint8Array(readFileSync(modelPath(DEFAULT_NETWORK)));
const step = new Uint8Array(readFileSync(modelPath(ADAPT_STEP)));
const threads = values.threads ? { threads: Number(values.threads) } : {};
const solve = await loadMethod(DEFAULT_NETWORK);

async function load(id: string) {
  const { character } = await readCharacterFile(path.join(folder, "characters", `${id}.glb`));
  return { ...character, name: id };
}

/** Scores models on a character, one after the other. */
async function score(id: string, models: Uint8Array[]): Promise<Score[]> {
  const prepared = prepareCharacter(await load(id));
  const cache = createMeasureCache();
  const scores: Score[] = [];
  for (const model of models) {
    const { weights } = await solve(prepared, { model, cache });
    const { l1, distance } = scoreWeights(prepared, weights);
    scores.push({ l1, distance });
    await closeSkinModel(model);
  }
  return scores;
}

/** Learns from characters; returns the model and the duration in seconds. */
async function learnFrom(ids: string[]): Promise<{ model: Uint8Array; seconds: number }> {
  const characters = await Promise.all(ids.map(load));
  const start = performance.now();
  const { model } = await adapt(base, characters, { step, ...threads });
  return { model, seconds: (performance.now() - start) / 1000 };
}

/** All ways to use an adapted model for a character. */
async function ways(id: string, adapted: Uint8Array): Promise<Record<string, Uint8Array>> {
  const { skeleton } = await load(id);
  const both = modelFor(skeleton, base, adapted);
  const { [EXEMPLARS_ENTRY]: exemplars = "[]" } = readOnnx(adapted).metadata;
  return {
    network: replaceParameters(both, {}, { [EXEMPLARS_ENTRY]: "[]" }),
    neighbors: replaceParameters(base, {}, { [EXEMPLARS_ENTRY]: exemplars }),
    both,
  };
}

/** At most `count` siblings of the character at an index, starting with the next one. */
function siblings(ids: string[], at: number, count: number): string[] {
  return Array.from(
    { length: Math.min(count, ids.length - 1) },
    (_, i) => ids[(at + 1 + i) % ids.length],
  );
}

const rows: Row[] = [];

async function measure(
  id: string,
  facts: Pick<Row, "group" | "examples" | "count">,
  { model, seconds }: { model: Uint8Array; seconds: number },
): Promise<void> {
  const made = await ways(id, model);
  const [before, ...after] = await score(id, [base, ...Object.values(made)]);
  Object.keys(made).forEach((way, i) => {
    rows.push({ id, ...facts, way, before, after: after[i], seconds });
  });
  const { l1 } = after[after.length - 1];
  console.error(
    `${id} (${facts.count} ${facts.examples}): ${before.l1.toFixed(3)} -> ${l1.toFixed(3)}`,
  );
  write();
}

/** Adapted models by their examples; the control uses them again. */
const learned = new Map<string, ReturnType<typeof learnFrom>>();

function learnOnce(ids: string[]): ReturnType<typeof learnFrom> {
  const key = ids.join();
  const known = learned.get(key) ?? learnFrom(ids);
  learned.set(key, known);
  return known;
}

const counts = values.counts.split(",").map(Number);
const groups = [...freshGroups(folder, values.split)];
// The first of every group, then the second, so that an interrupted run has covered all groups.
for (let at = 0; groups.some(([, ids]) => at < ids.length); at++) {
  for (const [place, [group, ids]] of groups.entries()) {
    if (at >= ids.length) continue;
    for (const count of new Set(counts.map((most) => Math.min(most, ids.length - 1)))) {
      const examples = siblings(ids, at, count);
      await measure(ids[at], { group, examples: "siblings", count }, await learnOnce(examples));
    }
    const others = groups[(place + 1) % groups.length][1];
    const strangers = siblings(others, 0, Math.max(...counts));
    const facts = { group, examples: "unrelated", count: strangers.length };
    await measure(ids[at], facts, await learnOnce(strangers));
  }
}
printTable();

function write(): void {
  const columns =
    "id,group,examples,count,way,l1_before,l1_after,distance_before,distance_after,seconds";
  const lines = rows.map(({ id, group, examples, count, way, before, after, seconds }) =>
    [
      id,
      group,
      examples,
      count,
      way,
      before.l1.toFixed(4),
      after.l1.toFixed(4),
      before.distance.toFixed(6),
      after.distance.toFixed(6),
      seconds.toFixed(1),
    ].join(","),
  );
  saveLines("like.csv", [columns, ...lines]);
}

/** Means over the characters; "up to n" uses as many siblings as each has, at most n. */
function printTable(): void {
  console.log("| examples | characters | way | L1 before | after | ratio | distance ratio |");
  console.log("|---|---|---|---|---|---|---|");
  const kinds: [string, (row: Row) => boolean][] = counts.map((most) => [
    most === 1 ? "one sibling" : `up to ${most} siblings`,
    (row) => row.examples === "siblings" && row.count === Math.min(most, mostSiblings(row.id)),
  ]);
  kinds.push(["unrelated", (row) => row.examples === "unrelated"]);
  for (const [name, isMeant] of kinds) {
    for (const way of ["network", "neighbours", "both"]) {
      const meant = rows.filter((row) => row.way === way && isMeant(row));
      const of = (pick: (row: Row) => number) => mean(meant.map(pick));
      const [before, after] = [of((row) => row.before.l1), of((row) => row.after.l1)];
      const distance = of((row) => row.after.distance) / of((row) => row.before.distance);
      const numbers = [before, after, after / before, distance].map((value) => value.toFixed(3));
      console.log(`| ${[name, meant.length, way, ...numbers].join(" | ")} |`);
    }
  }
}

function mostSiblings(id: string): number {
  const of = rows.filter((row) => row.id === id && row.examples === "siblings");
  return Math.max(...of.map(({ count }) => count));
}
