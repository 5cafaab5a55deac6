import { ApiError } from "./api-error.ts";

/** What clients of the service may do. */
export interface ApiLimits {
  /** Bytes of an upload. */
  upload: number;
  /** Requests a minute, for each client. */
  rate: number;
  /** Jobs that wait or run at once, for each client. */
  quota: number;
  /** Seconds for which results are kept. */
  keep: number;
  /** Seconds a job may take. */
  timeout: number;
  /** Jobs the service knows at once, of all clients. */
  jobs: number;
}

/** Limits unless told. */
export const API_LIMITS: ApiLimits = {
  upload: 64 * 2 ** 20,
  rate: 600,
  quota: 50,
  keep: 3600,
  timeout: 600,
  jobs: 10_000,
};

/** Counts the requests of each client; throws an {@link ApiError} for one too many. */
export type RateLimit = (client: string, now?: number) => void;

/**
 * Lets each client make so many requests a minute, a whole minute's worth at once at most. A client that
 * has been silent for a minute is forgotten, so that strangers do not fill the memory.
 */
export function createRateLimit(perMinute: number): RateLimit {
  const clients = new Map<string, { left: number; at: number }>();
  let swept = 0;
  return (client, now = Date.now()) => {
    if (now - swept > 60_000) {
      swept = now;
      for (const [name, { at }] of clients) if (now - at > 60_000) clients.delete(name);
    }
    const { left, at } = clients.get(client) ?? { left: perMinute, at: now };
    const filled = Math.min(perMinute, left + ((now - at) / 60_000) * perMinute);
    if (filled < 1) {
      const wait = Math.ceil(((1 - filled) * 60) / perMinute);
      throw new ApiError(429, `Too many requests; the limit is ${perMinute} a minute.`, wait);
    }
    clients.set(client, { left: filled - 1, at: now });
  };
}
