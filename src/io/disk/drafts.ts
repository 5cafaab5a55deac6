import { createHash, randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

/** A name to write a file under until it is whole: hidden, of a length that always fits, with its writer's number. */
export function draftOf(file: string): string {
  const id = randomUUID().slice(0, 8);
  return path.join(path.dirname(file), `.heterskin-${keyOf(file)}-${process.pid}-${id}.tmp`);
}

/** Takes away what earlier writers of these files on this machine have left, where they run no more. */
export function sweepDrafts(files: readonly string[]): void {
  const keys = new Set(files.map(keyOf));
  for (const folder of new Set(files.map((file) => path.dirname(file)))) {
    for (const name of listOf(folder)) {
      const [, key, pid] = /^\.heterskin-([0-9a-f]{12})-(\d+)-[0-9a-f]{8}\.tmp$/.exec(name) ?? [];
      if (key === undefined || !keys.has(key) || isAlive(Number(pid))) continue;
      rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's may not be called on, but is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Machines that share a folder must not take each other's writers for dead. */
function keyOf(file: string): string {
  const text = `${hostname()}/${path.basename(file)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
