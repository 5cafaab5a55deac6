import type { RedisOptions } from "ioredis";
import { InputError } from "../input-error.ts";

/** Milliseconds to wait for an answer. */
const TIMEOUT = 5000;

/**
 * Checks that a Redis answers and accepts our credentials, because queues reconnect forever without a word.
 *
 * @param name what to call it in messages
 * @throws InputError if it does not
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
  // The first error says why; what follows is "Connection is closed".
  client.on("error", (error) => {
    reason ||= error.message;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    const problem = problemOf(reason || (error as Error).message);
    if (problem) throw new InputError({ where: name, ...problem });
  } finally {
    client.disconnect();
  }
}

/** What keeps us out; nothing if Redis only has to finish something first. */
function problemOf(
  reason: string,
): { what: string; remedy?: { option: string; advice: string } } | undefined {
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
