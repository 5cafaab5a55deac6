import type { Readable } from "node:stream";

/** Longest line in bytes; a longer text does not fit into a string of JavaScript. Larger arrays go into files. */
export const MAX_LINE: number = 384 * 2 ** 20;

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
    // An input that breaks off has ended.
    if (!signal?.aborted && (error as NodeJS.ErrnoException).code === undefined) throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
  if (size > 0) yield take();
}
