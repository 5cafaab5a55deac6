import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { lockPath } from "./batch-lock.ts";
import type { BatchSummary } from "./batch-summary.ts";
import { type BoundFolder, writeSummary } from "./bind-folder.ts";
import { readObject } from "./parse-object.ts";

/**
 * Makes one summary of those that the shards of a batch have left in its output folder.
 *
 * `InputError` where a shard has not ended yet, or where they were bound with different options.
 */
export function mergeSummaries(outFolder: string): BoundFolder {
  const found = shardSummaries(outFolder);
  const counts = new Set(found.map(({ count }) => count));
  if (counts.size !== 1) {
    const what = counts.size === 0 ? "no summaries of shards" : "summaries of different divisions";
    throw new InputError(`${outFolder}: ${what}; run all shards of one division into it.`);
  }
  const [count] = counts;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    // What holds its lock runs again, or was ended while it did: its summary is of an earlier run.
    (index) =>
      !found.some((each) => each.index === index) ||
      existsSync(lockPath(outFolder, { index, count })),
  );
  if (missing.length > 0) {
    throw new InputError(
      `${outFolder}: shard ${missing.join(", ")} of ${count} has not ended yet.`,
    );
  }
  const summaries = found.map(({ summary }) => summary);
  const [{ options, attention, heterskin }] = summaries;
  const settings = JSON.stringify([options, heterskin]);
  if (summaries.some((each) => JSON.stringify([each.options, each.heterskin]) !== settings)) {
    throw new InputError(`${outFolder}: its shards were bound with different options.`);
  }
  const rows = summaries.flatMap(({ rows }) => rows);
  return writeSummary(rows, options, { outFolder, attention });
}

function shardSummaries(
  outFolder: string,
): { index: number; count: number; summary: BatchSummary }[] {
  let names: string[];
  try {
    names = readdirSync(outFolder);
  } catch {
    throw new InputError(`${outFolder}: no such folder.`);
  }
  return names.flatMap((name) => {
    const [, index, count] = /^summary\.(\d+)-of-(\d+)\.json$/.exec(name) ?? [];
    if (index === undefined) return [];
    const summary = readSummary(path.join(outFolder, name));
    return [{ index: Number(index), count: Number(count), summary }];
  });
}

function readSummary(file: string): BatchSummary {
  const summary = readObject<BatchSummary>(file);
  if (Array.isArray(summary?.rows)) return summary as BatchSummary;
  throw new InputError(`${file}: this is no summary of a batch; run its shard again.`);
}
