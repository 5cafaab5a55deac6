import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { InputError } from "../../input-error.ts";
import { hasEnded } from "./job-record.ts";
import type { ApiJob } from "./jobs.ts";
import { ApiError } from "./limits.ts";

const NO_CACHE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
/** Interval of the keep-alive comments of an event stream (ms). */
const KEEP_ALIVE = 15_000;
/** Time for a refused client to stop sending (ms). */
const SEND_GRACE = 1000;

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: object,
  headers = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...NO_CACHE, ...headers });
  response.end(`${JSON.stringify(value)}\n`);
}

/** Answers with text in the format of Prometheus. */
export function sendText(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4", ...NO_CACHE }).end(text);
}

/** Sends the job now and on every change, until it ends or the client disconnects. */
export function sendEvents(response: ServerResponse, { view, events }: ApiJob): void {
  // Keeps proxies from buffering events.
  const unbuffered = { "X-Accel-Buffering": "no" };
  response.writeHead(200, { "Content-Type": "text/event-stream", ...NO_CACHE, ...unbuffered });
  const send = () => {
    // A slow client misses progress events, but never the last event.
    if (response.writableNeedDrain && !hasEnded(view)) return;
    response.write(`event: job\ndata: ${JSON.stringify(view)}\n\n`);
  };
  send();
  if (hasEnded(view)) {
    response.end();
    return;
  }
  const keepAlive = setInterval(() => response.write(": \n\n"), KEEP_ALIVE);
  const end = () => response.end();
  events.on("change", send).on("end", end);
  onceClosed(response, () => {
    clearInterval(keepAlive);
    events.off("change", send).off("end", end);
  });
}

/**
 * Calls back once, when an answer is sent or its client has disconnected.
 *
 * Listens to the socket too, because an answer queued behind another on the same connection does not emit
 * `close`.
 */
export function onceClosed(response: ServerResponse, onClose: (isSent: boolean) => void): void {
  const { socket } = response.req;
  let [isSent, isClosed] = [false, false];
  const close = () => {
    response.off("close", close);
    socket.off("close", close);
    if (!isClosed) onClose(isSent);
    isClosed = true;
  };
  response.once("finish", () => {
    isSent = true;
  });
  response.on("close", close);
  socket.on("close", close);
  if (socket.destroyed) close();
}

/** Answers with a file of a job; throws `ApiError` if the job is not done. */
export async function sendFile(
  response: ServerResponse,
  { view }: ApiJob,
  file: string,
  type: string,
): Promise<void> {
  if (view.state !== "done") {
    throw new ApiError(409, view.error ?? `This job is ${view.state}; try again when it is done.`);
  }
  const { size } = await stat(file).catch(() => {
    throw new ApiError(404, "The result is gone.");
  });
  response.writeHead(200, { "Content-Type": type, "Content-Length": size, ...NO_CACHE });
  // Closes the file if the connection breaks.
  await pipeline(createReadStream(file), response).catch(() => undefined);
}

/** Answers with the message of an error. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const isKnown = error instanceof ApiError;
  const status = isKnown ? error.status : error instanceof InputError ? 400 : 500;
  const message = status === 500 ? "Internal error." : (error as Error).message;
  const headers = {
    "Content-Type": "application/json",
    ...NO_CACHE,
    ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
    ...(isKnown && error.retryAfter && { "Retry-After": `${error.retryAfter}` }),
  };
  const body = `${JSON.stringify({ error: message })}\n`;
  if (request.complete || request.method === "GET") {
    response.writeHead(status, headers).end(body);
    return;
  }
  // A client that is still sending reads the answer only if the connection stays open for a moment.
  response.writeHead(status, { ...headers, Connection: "close" }).write(body);
  const end = () => response.end();
  const timer = setTimeout(end, SEND_GRACE);
  request.resume().once("end", end);
  response.once("close", () => clearTimeout(timer));
}
