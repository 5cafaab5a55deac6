import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import type { RateLimit } from "./api-limits.ts";

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
