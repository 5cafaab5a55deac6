import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";

/** One line of a run's log. */
export type LogEntry = Record<string, unknown>;

/** A log of one JSON object per line, which can be taken back to where a checkpoint was made. */
export interface RunLog {
  write(entry: LogEntry): void;
  /** Bytes so far; a checkpoint keeps this. */
  length(): number;
}

/**
 * Opens a log for appending.
 *
 * @param length bytes to keep of what is there; the rest was written by a run that was cut off after
 *   its last checkpoint, and will be written again
 */
export function openRunLog(path: string, length: number): RunLog {
  if (existsSync(path) && statSync(path).size > length) truncateSync(path, length);
  return {
    write: (entry) => appendFileSync(path, `${JSON.stringify(entry)}\n`),
    length: () => (existsSync(path) ? statSync(path).size : 0),
  };
}

/** All entries of a log; a last line cut short by a crash is left out. */
export function readRunLog(path: string): LogEntry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
}
