import { createHash } from "node:crypto";
import type { Queue, RedisOptions } from "bullmq";
import type { BatchRow } from "../batch/journal.ts";
import type { BindJob } from "../batch/pool.ts";
import { InputError } from "../input-error.ts";
import { expectRedis } from "./expect-redis.ts";

/** Which farm: farms of one Redis are told apart by their names. */
export interface FarmAddress {
  /** `redis://[user:password@]host[:port][/database]`; `rediss:` for an encrypted connection. */
  redis: string;
  name: string;
}

/** What a worker needs to know of a file; plain data. */
export interface FarmJob extends BindJob {
  /** Further keys of a store that the file refers to; only where the farm works on a store. */
  beside?: string[] | undefined;
  /** Whether somebody wants to know how far it is; each word about it is a call of Redis. */
  isWatched?: boolean | undefined;
  /** What the last attempt left to say, where it failed. */
  row?: BatchRow | undefined;
}

/** What a finished job leaves: its row, and hashes of its input and output. */
export interface FarmResult {
  row: BatchRow;
  input: string;
  bytes: string;
}

/** The jobs of a farm. */
export type FarmQueue = Queue<FarmJob, FarmResult, string>;

/** Where Redis is unless told. */
export const DEFAULT_REDIS = "redis://127.0.0.1:6379";
/** The name of a farm unless told. */
export const DEFAULT_FARM = "heterskin";
/** Before all keys in Redis. */
const PREFIX = "farm";
/** How often a job is tried where we are to blame, and milliseconds before the second time. */
const ATTEMPTS = 3;
const BACKOFF = 1000;

/** The queue's library; `InputError` where it is not installed. */
export async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch {
    throw new InputError("A farm needs two more packages: npm install bullmq ioredis.");
  }
}

/** How queue and workers reach a Redis. */
export interface FarmConnection {
  connection: RedisOptions;
  prefix: string;
}

/** What queue and workers are opened with; lost connections are taken up again without end. */
export function connectionOf({ redis, name }: FarmAddress): FarmConnection {
  if (!/^[\w.-]{1,80}$/.test(name)) {
    throw new InputError(`"${name}" is no name for a farm; use letters, digits, - and _.`);
  }
  const { hostname, port, username, password, pathname, protocol } = parseRedis(redis);
  const connection = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 6379),
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    ...(protocol === "rediss:" && { tls: {} }),
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(100 * times, 2000),
  };
  return { connection, prefix: PREFIX };
}

function parseRedis(redis: string): URL {
  const url = URL.canParse(redis) ? new URL(redis) : undefined;
  if (url?.hostname && /^rediss?:$/.test(url.protocol) && /^(\/\d*)?$/.test(url.pathname)) {
    return url;
  }
  throw new InputError(`"${redis}" is no address of a Redis; it looks like ${DEFAULT_REDIS}.`);
}

/** Opens a farm's queue, to be closed; `InputError` where no Redis answers. */
export async function openQueue(place: FarmAddress): Promise<FarmQueue> {
  const options = connectionOf(place);
  const { Queue } = await loadBullmq();
  await expectRedis(options.connection, new URL(place.redis).host);
  const queue: FarmQueue = new Queue(place.name, {
    ...options,
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: "exponential", delay: BACKOFF },
      // A summary is made of them, and what is known is not done again.
      removeOnComplete: false,
      removeOnFail: false,
      // The sentence is in the job; where it came from is on the worker's screen.
      stackTraceLimit: 1,
    },
  });
  // Without anybody to hear it, a lost connection would end the program.
  queue.on("error", () => undefined);
  return queue;
}

/** Jobs a single call adds. */
const BULK = 500;

/** Adds jobs, as many at once as Redis likes; those whose ids it has are left as they are. */
export async function addJobs(
  queue: FarmQueue,
  jobs: { id: string; data: FarmJob }[],
): Promise<void> {
  for (let from = 0; from < jobs.length; from += BULK) {
    const some = jobs.slice(from, from + BULK);
    await queue.addBulk(some.map(({ id, data }) => ({ name: "bind", data, opts: { jobId: id } })));
  }
}

/** Opens a farm's queue for what `use` does, and closes it. */
export async function withQueue<T>(
  place: FarmAddress,
  use: (queue: FarmQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(place);
  try {
    return await use(queue);
  } finally {
    await queue.close();
  }
}

/**
 * The same for the same input, settings (options, model, version) and place of the output, whoever submits
 * it. The place counts, since two files of the same bytes have an output each.
 */
export function jobId(input: string, settings: string, output: string): string {
  const hash = createHash("sha256").update([input, settings, output].join("\n"));
  return `f${hash.digest("hex").slice(0, 32)}`;
}
