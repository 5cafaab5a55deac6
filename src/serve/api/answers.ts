import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../input-error.ts";
import { hasEnded } from "./job-record.ts";
import type { ApiJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";

const NO_CACHE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
/** Milliseconds between two signs of life of a stream of events. */
const BEAT = 15_000;
/** Milliseconds for which a client that is refused may go on sending. */
const LAST_WORD = 1000;

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers = {},
): void {
  const text = `${JSON.stringify(value)}\n`;
  response.writeHead(status, { "Content-Type": "application/json", ...NO_CACHE, ...headers });
  response.end(text);
}

/** Answers with text for Prometheus. */
export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4", ...NO_CACHE }).end(text);
}

/** The job now and whenever it changes; over when it has ended or nobody listens any more. */
export function sendEvents(response: ServerResponse, { view, events }: ApiJob): void {
  // Proxies would hold events back until there are many.
  const now = { "X-Accel-Buffering": "no" };
  response.writeHead(200, { "Content-Type": "text/event-stream", ...NO_CACHE, ...now });
  const send = () => {
    // Whoever does not keep up misses some words about progress, and never the last one.
    if (response.writableNeedDrain && !hasEnded(view)) return;
    response.write(`event: job\ndata: ${JSON.stringify(view)}\n\n`);
  };
  send();
  if (hasEnded(view)) {
    response.end();
    return;
  }
  const beat = setInterval(() => response.write(": \n\n"), BEAT);
  const end = () => response.end();
  events.on("change", send).on("end", end);
  whenOver(response, () => {
    clearInterval(beat);
    events.off("change", send).off("end", end);
  });
}

/**
 * Calls once an answer is sent, or its client has gone away.
 *
 * An answer that waits behind another on the same connection hears nothing of its end by itself.
 */
export function whenOver(response: ServerResponse, onOver: (isSent: boolean) => void): void {
  const { socket } = response.req;
  let [isSent, isOver] = [false, false];
  const over = () => {
    response.off("close", over);
    socket.off("close", over);
    if (!isOver) onOver(isSent);
    isOver = true;
  };
  response.once("finish", () => {
    isSent = true;
  });
  if (socket.destroyed) over();
  else {
    response.on("close", over);
    socket.on("close", over);
  }
}

/** Answers with a file of a job that is done; an `ApiError` for any other. */
export async function sendFile(
  response: ServerResponse,
  { view }: ApiJob,
  file: string,
  type: string,
): Promise<void> {
  if (view.state !== "done") {
    throw new ApiError(409, view.error ?? `This job is ${view.state}; ask again when it is done.`);
  }
  const { size } = await stat(file).catch(() => {
    throw new ApiError(404, "The result is gone.");
  });
  response.writeHead(200, { "Content-Type": type, "Content-Length": size, ...NO_CACHE });
  // Ends the file with the connection, whichever breaks first: nothing stays open.
  await pipeline(createReadStream(file), response).catch(() => undefined);
}

/** Answers with the sentence of an error. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const isKnown = error instanceof ApiError;
  const status = isKnown ? error.status : error instanceof InputError ? 400 : 500;
  const message = status === 500 ? "A fault of ours." : (error as Error).message;
  const retry = isKnown && error.retryAfter ? { "Retry-After": `${error.retryAfter}` } : {};
  if (request.complete || request.method === "GET") {
    sendJson(response, status, { error: message }, retry);
    return;
  }
  // Whoever still sends hears us only if its connection is not cut at once.
  response.writeHead(status, {
    "Content-Type": "application/json",
    ...NO_CACHE,
    ...retry,
    Connection: "close",
  });
  response.write(`${JSON.stringify({ error: message })}\n`);
  const end = () => response.end();
  const late = setTimeout(end, LAST_WORD);
  request.resume().once("end", end);
  response.once("close", () => clearTimeout(late));
}
