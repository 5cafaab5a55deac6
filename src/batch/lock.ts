import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { isAlive } from "../disk/write-whole.ts";
import { readObject } from "../files/parse-object.ts";
import { InputError } from "../input-error.ts";
import { type Shard, shardMark } from "./list.ts";

/** The process that holds a lock. */
interface Holder {
  pid: number;
  host: string;
  since: string;
  /** Namespace and start time of the process: process ids are reused, and restart in a new container. */
  process?: string | undefined;
}

/** Milliseconds between two renewals of a lock. */
const RENEWAL = 10_000;
/** A lock of an unknown process that was not renewed for so many milliseconds is abandoned. */
const ABANDONED = 6 * RENEWAL;

/** The lock of a folder, or of a shard of it. */
export function lockPath(folder: string, shard?: Shard): string {
  return path.join(folder, `batch${shardMark(shard)}.lock`);
}

/** Creates a folder and those above it. */
export function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`${folder}: cannot create this folder (${code}).`);
  }
}

/**
 * Creates and locks a folder, or a shard of it, for this process; throws `InputError` if another process holds the lock.
 *
 * The lock of a process that no longer runs is taken over, by one process only.
 *
 * @returns a function that releases the lock
 */
export function lockFolder(folder: string, shard?: Shard): () => void {
  createFolder(folder);
  const file = lockPath(folder, shard);
  if (!create(file, folder)) takeOver(file, folder);
  const renewal = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // The lock was removed by hand; the next renewal may find it again.
    }
  }, RENEWAL).unref();
  return () => {
    clearInterval(renewal);
    rmSync(file, { force: true });
  };
}

/** Creates the lock; false if there is one. */
function create(file: string, folder: string): boolean {
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    since: new Date().toISOString(),
    process: processMark(process.pid),
  };
  try {
    writeFileSync(file, `${JSON.stringify(own)}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new InputError(`${folder}: this folder cannot be written to (${code}).`);
  }
}

/** Replaces an abandoned lock. A directory guards the replacement, because only one process can create it. */
function takeOver(file: string, folder: string): void {
  const guard = `${file}.guard`;
  try {
    mkdirSync(guard);
  } catch {
    if (age(guard, folder) <= ABANDONED) throw heldError(file, folder);
    rmSync(guard, { recursive: true, force: true });
    takeOver(file, folder);
    return;
  }
  try {
    if (isHeld(file, folder)) throw heldError(file, folder);
    rmSync(file, { force: true });
    if (!create(file, folder)) throw heldError(file, folder);
  } finally {
    rmdirSync(guard);
  }
}

function isHeld(file: string, folder: string): boolean {
  const holder = readHolder(file);
  if (!holder) return false;
  const isOurs =
    holder.process === undefined ||
    namespace(holder.process) === namespace(processMark(process.pid));
  // Processes of another machine or container cannot be seen, but they renew their locks.
  if (holder.host !== hostname() || !isOurs) return age(file, folder) <= ABANDONED;
  if (!isAlive(holder.pid)) return false;
  return holder.process === undefined || holder.process === processMark(holder.pid);
}

function heldError(file: string, folder: string): InputError {
  const { pid = "unknown", host = hostname(), since = "just now" } = readHolder(file) ?? {};
  return new InputError(
    `${folder}: another batch (process ${pid} on ${host}, since ${since}) writes here; wait for it, or remove ${path.basename(file)} if it is gone.`,
  );
}

/** Milliseconds since a file was written, by the clock of the file system. */
function age(file: string, folder: string): number {
  const probe = path.join(folder, `.${randomUUID()}.tmp`);
  try {
    writeFileSync(probe, "");
    return statSync(probe).mtimeMs - statSync(file).mtimeMs;
  } catch {
    return 0;
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Process namespace and start time of a process on Linux; undefined elsewhere. */
function processMark(pid: number): string | undefined {
  try {
    const namespace = readlinkSync(`/proc/${pid}/ns/pid`);
    // Field 22; the name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return `${namespace} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function namespace(mark: string | undefined): string | undefined {
  return mark?.split(" ")[0];
}

function readHolder(file: string): Holder | undefined {
  const { pid, host, since, process } = readObject<Holder>(file) ?? {};
  if (pid === undefined || !Number.isInteger(pid)) return undefined;
  return { pid, host: String(host), since: String(since), process };
}
