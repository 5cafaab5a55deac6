import type { RedisOptions } from "ioredis";
import { InputError, type InputProblem } from "../input-error.ts";

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
