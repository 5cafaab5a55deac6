import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach } from "vitest";
import { main } from "../../src/cli/program.ts";

/** Exit status and output of a run of the program. */
export interface CliRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs the program in this process, as if in a pipe. */
export async function runCli(...argv: string[]): Promise<CliRun> {
  const { bytes: _, ...run } = await pipeCli(new Uint8Array(0), ...argv);
  return run;
}

/** Runs the program with these bytes, or this stream, on its standard input. */
export async function pipeCli(
  input: Uint8Array | AsyncIterable<Uint8Array>,
  ...argv: string[]
): Promise<CliRun & { bytes: Uint8Array }> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const sink = (chunks: Buffer[]) => ({
    write: (text: string | Uint8Array) => chunks.push(Buffer.from(text as string)),
  });
  const streams = {
    stdin:
      input instanceof Uint8Array
        ? (async function* () {
            yield input;
          })()
        : input,
    stdout: sink(out),
    stderr: sink(err),
  };
  const status = await main(argv, streams, new AbortController().signal);
  const bytes = new Uint8Array(Buffer.concat(out));
  return { status, stdout: `${Buffer.from(bytes)}`, stderr: `${Buffer.concat(err)}`, bytes };
}

/** A separate folder for each test of the file, deleted afterwards. */
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
