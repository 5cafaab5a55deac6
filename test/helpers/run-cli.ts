import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";
import { main } from "../../src/cli/program.ts";

/** What a run of the program left behind. */
export interface CliRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs the program in this process, as if in a pipe. */
export async function runCli(...argv: string[]): Promise<CliRun> {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const status = await main(argv, streams, new AbortController().signal);
  return { status, stdout: out.join(""), stderr: err.join("") };
}

/** A folder of its own for each test of the file, gone afterwards. */
export function useFolder(): { at: (name: string) => string; list: () => string[] } {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "heterskin-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    at: (name) => path.join(folder, name),
    list: () => readdirSync(folder, { recursive: true }).map(String).sort(),
  };
}

/** One folder for all tests of the file. */
export function useOneFolder(): { at: (name: string) => string } {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { at: (name) => path.join(folder, name) };
}
