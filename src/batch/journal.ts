import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FileHashes } from "../files/fingerprint.ts";
import { parseObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import { type Shard, shardMark } from "./list.ts";

/** The result of one file of a batch. */
export interface BatchRow {
  /** Paths relative to the input and the output folder. */
  file: string;
  output: string;
  status: "done" | "failed";
  error?: string | undefined;
  /** Whether the input caused the error, rather than an internal error. */
  isUserError?: boolean | undefined;
  vertices?: number | undefined;
  triangles?: number | undefined;
  joints?: number | undefined;
  /** Entry n counts the vertices with n influences. */
  influences?: number[] | undefined;
  /** Expected L1 error, 0 to 2; see `doubtScore`. */
  doubt?: number | undefined;
  doubtful?: number | undefined;
  /** Fraction of the weight on far joints, if measured. */
  bleed?: number | undefined;
  /** Findings of the pose check, one sentence each; empty if the weights passed. */
  findings?: string[] | undefined;
  warnings: string[];
  seconds: number;
}

/** A finished file in the journal, with hashes of what it depends on. */
export interface BatchRecord extends BatchRow, FileHashes {
  /** See `settingsKey`. */
  settings: string;
}

/** The journals of earlier runs. */
export interface BatchHistory {
  /** The last record of each output. */
  records: Map<string, BatchRecord>;
  /** Outputs that a run has started, and may therefore overwrite. */
  begun: Set<string>;
}

/** Returns the path of the journal in an output folder; each shard has its own. */
export function journalPath(folder: string, shard?: Shard): string {
  return path.join(folder, `batch${shardMark(shard)}.jsonl`);
}

/** Reads all journals of a folder; ignores lines that an interrupted run left incomplete. */
export function readJournals(folder: string): BatchHistory {
  const records = new Map<string, BatchRecord>();
  const begun = new Set<string>();
  const journals = readdirSync(folder).filter((name) => /^batch(\.\d+-of-\d+)?\.jsonl$/.test(name));
  for (const line of journals.sort().flatMap((name) => readLines(path.join(folder, name)))) {
    const entry = parseObject<BatchRecord & { begun: string }>(line);
    if (entry?.begun !== undefined) begun.add(entry.begun);
    if (entry?.output === undefined) continue;
    begun.add(entry.output);
    records.set(entry.output, entry as BatchRecord);
  }
  return { records, begun };
}

/** Appends a line synchronously, so that it survives a crash of the process. */
export function appendJournal(file: string, entry: BatchRecord | { begun: string }): void {
  try {
    // The line break comes first, because the previous line may be incomplete.
    appendFileSync(file, `\n${JSON.stringify(entry)}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${file}: cannot be written (${code}); free some space and run again.`);
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}
