import { rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { isAlive } from "../disk/write-whole.ts";
import { readObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import { type Shard, shardMark } from "./list.ts";

interface Holder {
  pid: number;
  host: string;
  since: string;
}

/** The lock of a folder, or of a shard of it. */
export function lockPath(folder: string, shard?: Shard): string {
  return path.join(folder, `batch${shardMark(shard)}.lock`);
}

/**
 * Takes a folder, or a shard of it, for this process alone; `InputError` where another has it, with its number.
 *
 * A lock whose holder runs no more is taken over.
 *
 * @returns what gives it back
 */
export function lockFolder(folder: string, shard?: Shard): () => void {
  const file = lockPath(folder, shard);
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  // Twice: a lock that was left is removed, and the next to come has the same chance as we.
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(file, `${JSON.stringify(own)}\n`, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EEXIST") {
        throw new InputError(`${folder}: this folder cannot be written to (${code}).`);
      }
    }
    const holder = readHolder(file);
    // Of another machine nothing can be known, so its lock stands.
    const isHeld = holder && (holder.host !== hostname() || isAlive(holder.pid));
    if (holder && (tries > 1 || isHeld)) {
      throw new InputError(
        `${folder}: another batch (process ${holder.pid} on ${holder.host}, since ${holder.since}) writes here; wait for it, or remove ${path.basename(file)} if it is gone.`,
      );
    }
    rmSync(file, { force: true });
  }
}

function readHolder(file: string): Holder | undefined {
  const { pid, host, since } = readObject<Holder>(file) ?? {};
  if (pid === undefined || !Number.isInteger(pid)) return undefined;
  return { pid, host: String(host), since: String(since) };
}
