import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Queue, RedisOptions } from "bullmq";
import type { BatchRow } from "../batch/journal.ts";
import type { BindJob } from "../batch/pool.ts";
import type { FileHashes } from "../files/fingerprint.ts";
import { InputError, type InputProblem } from "../input-error.ts";

/** Identifies a farm; one Redis can serve several farms with different names. */
export interface FarmAddress {
  /** `redis://[user:password@]host[:port][/database]`; `rediss:` for an encrypted connection. */
  redis: string;
  name: string;
}

/** The data of a queued job; plain data. */
export interface FarmJob extends BindJob {
  /** Keys of the files that the input refers to, if the farm works on a store. */
  beside?: string[] | undefined;
  /** Whether to report progress; each event is a call of Redis. */
  isWatched?: boolean | undefined;
  /** The row of the last failed attempt. */
  row?: BatchRow | undefined;
}

/** The result of a finished job. */
export interface FarmResult extends FileHashes {
  row: BatchRow;
}

/** The jobs of a farm. */
export type FarmQueue = Queue<FarmJob, FarmResult, string>;

/** The default address of Redis. */
export const DEFAULT_REDIS = "redis://127.0.0.1:6379";
/** The default name of a farm. */
export const DEFAULT_FARM = "heterskin";
/** Prefix of all keys in Redis. */
const PREFIX = "farm";
/** Attempts of a job after internal errors, and the delay before the second (ms). */
const ATTEMPTS = 3;
const BACKOFF = 1000;

/** Loads the queue library; throws `InputError` if it is not installed. */
export async function loadBullmq(): Promise<typeof import("bullmq")> {
  try {
    return await import("bullmq");
  } catch {
    throw new InputError("A farm needs two more packages: npm install bullmq ioredis.");
  }
}

/** Returns the connection options of queues and workers, which reconnect without limit. */
export function connectionOf({ redis, name }: FarmAddress): {
  connection: RedisOptions;
  prefix: string;
} {
  if (!/^[\w.-]{1,80}$/.test(name)) {
    throw new InputError(`"${name}" is not a valid farm name; use letters, digits, - and _.`);
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
  throw new InputError(`"${redis}" is not a Redis address; use the form ${DEFAULT_REDIS}.`);
}

/** Opens the queue of a farm, which the caller closes; throws `InputError` if no Redis answers. */
export async function openQueue(address: FarmAddress): Promise<FarmQueue> {
  const options = connectionOf(address);
  const { Queue } = await loadBullmq();
  await expectRedis(options.connection, new URL(address.redis).host);
  const queue: FarmQueue = new Queue(address.name, {
    ...options,
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: "exponential", delay: BACKOFF },
      // Ended jobs are kept for the summary, and so that they are not added again.
      removeOnComplete: false,
      removeOnFail: false,
      stackTraceLimit: 1,
    },
  });
  // Without a listener, a lost connection would end the process.
  queue.on("error", () => undefined);
  return queue;
}

/** Jobs added per call. */
const BULK = 500;

/** Adds jobs in bulk; does not change jobs whose ids exist. */
export async function addJobs(
  queue: FarmQueue,
  jobs: { id: string; data: FarmJob }[],
): Promise<void> {
  for (let from = 0; from < jobs.length; from += BULK) {
    const some = jobs.slice(from, from + BULK);
    await queue.addBulk(some.map(({ id, data }) => ({ name: "bind", data, opts: { jobId: id } })));
  }
}

/** Calls `use` with the open queue of a farm, and closes it. */
export async function withQueue<T>(
  address: FarmAddress,
  use: (queue: FarmQueue) => Promise<T>,
): Promise<T> {
  const queue = await openQueue(address);
  try {
    return await use(queue).catch(explainRefusal);
  } finally {
    const closed = queue.close().then(() => true);
    const isClosed = await Promise.race([closed, pause(CLOSE_GRACE, false)]).catch(() => false);
    // Not awaited: it may wait for an answer as well.
    if (!isClosed) queue.disconnect().catch(() => undefined);
  }
}

/** Time for Redis to answer when a queue is closed (ms). */
const CLOSE_GRACE = 2000;

/** Turns a refusal of Redis, which stores nothing more, into an `InputError`. */
function explainRefusal(error: Error): never {
  if (!/^(?:OOM|MISCONF|READONLY|NOPERM)\b/.test(error.message)) throw error;
  throw new InputError({
    what: `Redis refuses to store jobs (${error.message.split(/[.\n]/)[0]})`,
    remedy: { advice: "raise its memory limit, or clean it up, and run the command again" },
  });
}

/**
 * Returns the id of a job: a hash of its input, settings (options, model, version) and output path. The path
 * counts, because two equal files have separate outputs.
 */
export function jobId(input: string, settings: string, output: string): string {
  const hash = createHash("sha256").update([input, settings, output].join("\n"));
  return `f${hash.digest("hex").slice(0, 32)}`;
}

/** Time to wait for an answer (ms). */
const TIMEOUT = 5000;

/**
 * Throws `InputError` unless a Redis answers and accepts the credentials, because queues reconnect forever
 * without an error.
 *
 * @param name what to call it in messages
 */
export async function expectRedis(address: RedisOptions, name: string): Promise<void> {
  const { Redis } = await import("ioredis");
  const client = new Redis({
    ...(address as object),
    protocol: 2,
    disableClientInfo: true,
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
  });
  let reason = "";
  // The first error has the reason; the next is only "Connection is closed".
  client.on("error", (error) => {
    reason ||= error.message;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const problem = problemOf(reason || (error as Error).message);
    if (problem) throw new InputError({ ...problem, where: name });
  } finally {
    client.disconnect();
  }
}

/** Explains the reason of a refusal; undefined if Redis is only busy. */
function problemOf(reason: string): InputProblem | undefined {
  const address = (advice: string) => ({ option: "redis", advice });
  if (/^(LOADING|BUSY)/.test(reason)) return undefined;
  if (/^NOAUTH/.test(reason)) {
    return {
      what: "this Redis needs a password",
      remedy: address("put it into the address, redis://:password@host:6379"),
    };
  }
  if (/WRONGPASS|AUTH|password/i.test(reason)) {
    return {
      what: "this Redis rejects the user or the password",
      remedy: address("check the address"),
    };
  }
  if (/protocol error|unknown RESP type/i.test(reason)) {
    return { what: "the server there is not a Redis", remedy: address("check the address") };
  }
  if (/^[A-Z]+ /.test(reason) && !/^E[A-Z]+/.test(reason))
    return { what: `this Redis refuses: ${reason}` };
  return {
    what: "no Redis answers there",
    remedy: address("start one, or choose another address"),
  };
}
