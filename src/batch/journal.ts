import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import { type Shard, shardMark } from "./list.ts";

/** What became of one file of a batch. */
export interface BatchRow {
  /** Paths below the input and the output folder. */
  file: string;
  output: string;
  status: "done" | "failed";
  /** One sentence, where it failed. */
  error?: string | undefined;
  /** Whether the input is to blame, and not we. */
  isUserError?: boolean | undefined;
  vertices?: number | undefined;
  triangles?: number | undefined;
  joints?: number | undefined;
  /** Entry n counts the vertices with n influences. */
  influences?: number[] | undefined;
  /** L1 error to expect, 0 to 2; see `doubtScore`. */
  doubt?: number | undefined;
  /** Vertices with a reason to doubt their weights. */
  doubtful?: number | undefined;
  /** Share of the weight on far joints, where it was measured. */
  bleed?: number | undefined;
  warnings: string[];
  seconds: number;
}

/** A finished file in the journal, with what it was made from. */
export interface BatchRecord extends BatchRow {
  /** One value for the options, the model and the version. */
  settings: string;
  /** See `fingerprint`. */
  input: string;
  /** SHA-256 of the output; empty where there is none. */
  bytes: string;
}

/** What an earlier run has left behind. */
export interface BatchHistory {
  /** The last record of each output. */
  records: Map<string, BatchRecord>;
  /** Outputs that a run has begun: files of ours, whether whole or not. */
  begun: Set<string>;
}

/** The journal of a run in its output folder; shards have one each. */
export function journalPath(folder: string, shard?: Shard): string {
  return path.join(folder, `batch${shardMark(shard)}.jsonl`);
}

/** Reads all journals of a folder; a line cut short by the end of a run counts for nothing. */
export function readJournals(folder: string): BatchHistory {
  const records = new Map<string, BatchRecord>();
  const begun = new Set<string>();
  const journals = readdirSync(folder).filter((name) => /^batch(\.\d+-of-\d+)?\.jsonl$/.test(name));
  const text = journals.sort().map((name) => readText(path.join(folder, name)));
  for (const line of text.join("\n").split("\n")) {
    const entry = parseObject<BatchRecord & { begun: string }>(line);
    if (entry?.begun !== undefined) begun.add(entry.begun);
    if (entry?.output === undefined) continue;
    begun.add(entry.output);
    records.set(entry.output, entry as BatchRecord);
  }
  return { records, begun };
}

/** Adds a line; on its way to the disk when this returns, whatever happens to the process. */
export function appendJournal(file: string, entry: BatchRecord | { begun: string }): void {
  // A line of its own even after one that was cut short.
  try {
    appendFileSync(file, `\n${JSON.stringify(entry)}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${file}: cannot be written (${code}); make room, and run it again.`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
