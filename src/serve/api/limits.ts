import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A request that is refused, with the status that says so and one sentence. */
export class ApiError extends Error {
  status: number;
  /** Seconds after which it may be tried again. */
  retryAfter?: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

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

/** Tells clients apart. */
export interface ApiClients {
  /** Whether a token is asked for. */
  needsToken: boolean;
  /** Who asks; an {@link ApiError} for a stranger. */
  of(request: IncomingMessage): string;
}

/** Knows clients by their tokens, or by their addresses where there are none. */
export function createApiClients(tokens: readonly string[], limit: RateLimit): ApiClients {
  const known = tokens.map(hashOf);
  const needsToken = known.length > 0;
  return {
    needsToken,
    of(request) {
      refuseOtherSites(request);
      const address = request.socket.remoteAddress ?? "";
      if (!needsToken) return address;
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const hash = hashOf(token);
      // All of them, in the same time whichever fits.
      const fitting = known.filter((each) => timingSafeEqual(each, hash));
      if (fitting.length > 0) return hash.toString("hex");
      limit(address);
      throw new ApiError(401, "This needs a token: Authorization: Bearer <token>.");
    },
  };
}

/** A page of another site may not use the service through its visitors' browsers. */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const { origin, host } = headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new ApiError(403, "Pages of other sites may not use this service.");
}

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Counts what each client has under way. */
export interface JobQuota {
  isFull(client: string): boolean;
  enter(client: string): void;
  leave(client: string): void;
}

/** Makes a count that lets each client have so many jobs and uploads at once. */
export function createJobQuota(most: number): JobQuota {
  const open = new Map<string, number>();
  const add = (client: string, by: number) => {
    const left = (open.get(client) ?? 0) + by;
    if (left > 0) open.set(client, left);
    else open.delete(client);
  };
  return {
    isFull: (client) => (open.get(client) ?? 0) >= most,
    enter: (client) => add(client, 1),
    leave: (client) => add(client, -1),
  };
}
