import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { packageVersion } from "../../files/package-root.ts";
import { parseObject } from "../../files/parse-object.ts";
import { InputError } from "../../input-error.ts";
import { paceProgress } from "../../stage-clock.ts";
import { JOBS } from "./jobs.ts";
import type { JobRequest } from "./requests.ts";

/** Version of the protocol, incremented by incompatible changes. */
const PROTOCOL = 1;

/**
 * Answers requests, one JSON object per line, until the input ends: `version`, `cancel`, and {@link JOBS},
 * which run one at a time in the order of arrival. docs/worker.md describes the protocol.
 *
 * @param signal an abort has the effect of the end of the input
 */
export async function serveLines(
  input: Readable,
  output: Writable,
  signal?: AbortSignal,
): Promise<void> {
  // A set, because ids may be absent or not unique.
  const waiting = new Set<{ id: unknown; stop: AbortController }>();
  let last: Promise<void> = Promise.resolve();
  const send = (answer: Record<string, unknown>): void => {
    output.write(`${JSON.stringify(answer)}\n`);
  };
  send({ ready: true, protocol: PROTOCOL, version: packageVersion() });
  for await (const line of readLines(input, signal)) {
    // A client that does not read its answers gets no more of them, instead of all our memory.
    await drained(output, signal);
    if (line === undefined) {
      const message = `This line is longer than ${MAX_LINE / 2 ** 20} MB; send large arrays as files.`;
      send({ id: null, error: { kind: "input", message } });
      continue;
    }
    if (line.trim() === "") continue;
    const request: JobRequest | undefined = parseObject(line);
    if (!request) {
      send({ id: null, error: { kind: "input", message: "This line is not a JSON object." } });
      continue;
    }
    const { id = null, do: what } = request;
    if (what === "version") {
      send({ id, result: { protocol: PROTOCOL, version: packageVersion() } });
    } else if (what === "cancel") {
      const found = [...waiting].filter((job) => job.id === request.job);
      for (const job of found) job.stop.abort();
      send({ id, result: { cancelled: found.length > 0 } });
    } else if (typeof what !== "string" || !Object.hasOwn(JOBS, what)) {
      const known = ["version", "cancel", ...Object.keys(JOBS)].join(", ");
      const message = `There is no request "${what}"; use one of ${known}.`;
      send({ id, error: { kind: "input", message } });
    } else {
      const job = { id, stop: new AbortController() };
      waiting.add(job);
      last = last
        .then(() => drained(output, job.stop.signal))
        .then(() => run(what, request, job.stop.signal, send, output))
        .finally(() => waiting.delete(job));
    }
  }
  // The client is gone, so the remaining jobs are cancelled.
  for (const { stop } of waiting) stop.abort();
  await last;
}

/** Waits until the client has read most of what it was sent. */
async function drained(output: Writable, signal?: AbortSignal): Promise<void> {
  if (!output.writableNeedDrain || output.destroyed) return;
  await once(output, "drain", { signal }).catch(() => undefined);
}

async function run(
  what: string,
  request: JobRequest,
  signal: AbortSignal,
  send: (answer: Record<string, unknown>) => void,
  output: Writable,
): Promise<void> {
  const { id = null } = request;
  const onProgress = paceProgress((stage, fraction) => {
    if (!output.writableNeedDrain) send({ id, progress: { stage, fraction } });
  });
  try {
    signal.throwIfAborted();
    const result = await JOBS[what](request, { signal, onProgress });
    signal.throwIfAborted();
    send({ id, result });
  } catch (error) {
    const kind = signal.aborted ? "cancelled" : error instanceof InputError ? "input" : "fault";
    const message = error instanceof Error ? error.message : String(error);
    send({ id, error: { kind, message: signal.aborted ? "Cancelled." : message } });
  }
}

/** Longest line in bytes; a longer text does not fit into a string of JavaScript. Larger arrays go into files. */
const MAX_LINE: number = 384 * 2 ** 20;

const NEWLINE = 10;

/**
 * Yields the lines of a stream, and undefined for one that is longer than `max` bytes, whose text is dropped.
 * A last line without an end is yielded too.
 */
export async function* readLines(
  input: Readable,
  signal?: AbortSignal,
  max: number = MAX_LINE,
): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let size = 0;
  const take = () => {
    const line = size > max ? undefined : Buffer.concat(parts).toString("utf8");
    [parts, size] = [[], 0];
    return line;
  };
  const stop = () => input.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) return;
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      for (let from = 0; from <= bytes.length; ) {
        const end = bytes.indexOf(NEWLINE, from);
        const part = bytes.subarray(from, end < 0 ? bytes.length : end);
        size += part.length;
        if (size > max) parts = [];
        else parts.push(part);
        if (end < 0) break;
        yield take();
        from = end + 1;
      }
    }
  } catch (error) {
    // An input that fails has ended.
    if (!signal?.aborted && (error as NodeJS.ErrnoException).code === undefined) throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  if (size > 0) yield take();
}
