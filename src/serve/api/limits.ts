import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { InputError } from "../../input-error.ts";

/** An error with an HTTP status and a message of one sentence. */
export class ApiError extends Error {
  status: number;
  /** Seconds after which the client may try again. */
  retryAfter?: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Limits of the service. */
export interface ApiLimits {
  /** Maximum size of an upload in bytes. */
  upload: number;
  /** Requests per minute and client. */
  rate: number;
  /** Unfinished jobs per client. */
  quota: number;
  /** Seconds until an ended job is deleted. */
  keep: number;
  /** Time limit of a job in seconds. */
  timeout: number;
  /** Jobs of all clients. */
  jobs: number;
  /** Jobs of one client, ended ones included. */
  clientJobs: number;
  /** Bytes of the files that one client may have sent and not deleted. */
  clientBytes: number;
  /** Event streams and downloads of one client at a time. */
  streams: number;
}

/** Default limits. */
export const API_LIMITS: ApiLimits = {
  upload: 64 * 2 ** 20,
  rate: 600,
  quota: 50,
  keep: 3600,
  timeout: 600,
  jobs: 10_000,
  clientJobs: 1000,
  clientBytes: 4 * 2 ** 30,
  streams: 256,
};

/** Counts a request of a client; throws {@link ApiError} if the client exceeds its rate. */
export type RateLimit = (client: string, now?: number) => void;

/**
 * Creates a token bucket per client that holds the requests of one minute. Removes clients that were silent
 * for a minute, so that unknown clients do not fill the memory.
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
      throw new ApiError(429, `Too many requests; the limit is ${perMinute} per minute.`, wait);
    }
    clients.set(client, { left: filled - 1, at: now });
  };
}

/** Identifies clients. */
export interface ApiClients {
  needsToken: boolean;
  /** Returns the client of a request; throws {@link ApiError} for an unknown one. */
  of(request: IncomingMessage): string;
}

/** Throws `InputError` for a token that a client without one might send by accident. */
export function checkTokens(tokens: readonly string[]): void {
  if (tokens.every((token) => token.trim() !== "")) return;
  throw new InputError("A token of the service is empty; every client would know it.");
}

/** Identifies clients by their tokens or, if there are none, by their addresses. */
export function createApiClients(tokens: readonly string[], limit: RateLimit): ApiClients {
  checkTokens(tokens);
  const known = tokens.map(hashOf);
  const needsToken = known.length > 0;
  return {
    needsToken,
    of(request) {
      refuseOtherSites(request);
      const address = request.socket.remoteAddress ?? "";
      if (!needsToken) refuseOtherHosts(request);
      if (!needsToken) return address;
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
      const hash = hashOf(token);
      // Compares with every token, so that the time does not depend on the match.
      const matches = known.filter((each) => timingSafeEqual(each, hash));
      if (matches.length > 0) return hash.toString("hex");
      limit(address);
      throw new ApiError(401, "A valid token is required: Authorization: Bearer <token>.");
    },
  };
}

/** Keeps pages of other sites from using the service through the browsers of their visitors. */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const { origin, host } = headers;
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)) return;
  throw new ApiError(403, "Pages of other sites may not use this service.");
}

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
const LOCAL_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i;

/**
 * Keeps a page whose name an attacker has pointed at this machine (DNS rebinding) from using a service that
 * is meant for local programs. A page cannot know a token, so a service with tokens accepts any name.
 */
function refuseOtherHosts({ headers: { host = "" }, socket }: IncomingMessage): void {
  if (!LOOPBACK.test(socket.localAddress ?? "") || LOCAL_HOST.test(host)) return;
  throw new ApiError(
    403,
    "A local service is reached as localhost; set a token to use other names.",
  );
}

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Changes the number of unfinished jobs and uploads of a client. */
export function countClient(unfinished: Map<string, number>, client: string, by: 1 | -1): void {
  const count = (unfinished.get(client) ?? 0) + by;
  if (count > 0) unfinished.set(client, count);
  else unfinished.delete(client);
}
