import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { main } from "../../src/cli/program.ts";
import { readCharacterFile } from "../../src/disk/character-files.ts";
import { InputError } from "../../src/input-error.ts";
import { BAD_FILES } from "./corpus.ts";

/** Outcome of a bad file at each level. */
export interface BadFileAnswer {
  /** The reader's refusal, undefined if the file was read; the stack of any other error. */
  read: string | undefined;
  bind: CommandAnswer;
  inspect: CommandAnswer;
  /** Files left by a refused bind. */
  left: string[];
}

export interface CommandAnswer {
  status: number;
  stderr: string;
}

const RIG = "joints root 0.2 0.1 0.2\njoints tip 0.2 0.6 0.2\nroot root\nhier root tip\n";

/** Creates the job that passes one bad file after another to the reader and to the commands. */
export const createBadFileJob = async (): Promise<(what: string) => Promise<BadFileAnswer>> => {
  return async (what) => {
    const bad = BAD_FILES.find((file) => file.what === what)!;
    const folder = mkdtempSync(path.join(tmpdir(), "heterskin-bad-"));
    try {
      const input = path.join(folder, bad.name);
      writeFileSync(input, bad.make());
      const rig = path.join(folder, "rig.txt");
      writeFileSync(rig, RIG);
      const isBare = bad.name.endsWith(".obj");
      const before = readdirSync(folder);
      const read = await readCharacterFile(input, isBare ? { skeleton: rig } : {}).then(
        () => undefined,
        (error: Error) => (error instanceof InputError ? error.message : error.stack),
      );
      const how = ["--method", "inverse-distance", ...(isBare ? ["--skeleton", rig] : [])];
      const bind = await command("bind", input, path.join(folder, "out.glb"), ...how);
      const left = readdirSync(folder).filter((name) => !before.includes(name));
      const inspect = bad.isLarge ? bind : await command("inspect", input);
      return { read, bind, inspect, left };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
};

async function command(...argv: string[]): Promise<CommandAnswer> {
  const stderr: string[] = [];
  const streams = {
    stdout: { write: () => undefined },
    stderr: { write: (text: string) => stderr.push(text) },
  };
  const status = await main(argv, streams, new AbortController().signal);
  return { status, stderr: stderr.join("") };
}
