/** A client of the worker that violates the protocol. */
import { once } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { readLines, serveLines } from "../../src/serve/lines/serve-lines.ts";

/** Sends chunks to a worker and returns the lines that it answers until the input ends. */
async function answersTo(...chunks: (string | Uint8Array)[]): Promise<Record<string, unknown>[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const text: string[] = [];
  output.on("data", (chunk) => text.push(`${chunk}`));
  const ended = serveLines(input, output);
  for (const chunk of chunks) {
    input.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  input.end();
  await ended;
  return text
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const VERSION = '{"id":1,"do":"version"}';

test("garbage is answered line by line, and the next request too", async () => {
  const noise = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 256).filter(
    (b) => b !== 10,
  );
  const bad = ["[]", "null", "7", '"do"', "{", '{"do":7}', '{"do":"__proto__"}', '{"do":"bind"}'];
  const answers = await answersTo(noise, `\n${bad.join("\n")}\n`, `${VERSION}\n`);
  const errors = answers.filter(({ error }) => error);
  // The bind is cancelled by the end of the input, or refused before.
  expect(errors.length).toBeGreaterThanOrEqual(bad.length);
  for (const { error } of errors) {
    const { kind, message } = error as { kind: string; message: string };
    expect(["input", "cancelled"]).toContain(kind);
    expect(message).toMatch(/^[^\n]{5,300}\.$/);
  }
  expect(answers.find(({ id }) => id === 1)).toMatchObject({ result: { protocol: 1 } });
});

test("lines may arrive in pieces, with other line ends, and the last without one", async () => {
  const answers = await answersTo(
    '{"id":1,',
    '"do":"ver',
    'sion"}\r\n\r\n',
    '{"id":2,"do":"version"}',
  );
  expect(answers.map(({ id }) => id)).toEqual([undefined, 1, 2]);
});

test("an incomplete request at the end is answered", async () => {
  const answers = await answersTo(`${VERSION}\n{"id":2,"do":"bi`);
  expect(answers.at(-1)).toMatchObject({ error: { kind: "input" } });
});

test("a line beyond the limit is discarded while it arrives, and the next is read", async () => {
  const input = new PassThrough();
  const lines: (string | undefined)[] = [];
  const reading = (async () => {
    for await (const line of readLines(input, undefined, 100)) lines.push(line);
  })();
  for (let i = 0; i < 1000; i++) {
    if (!input.write("x".repeat(1000))) await once(input, "drain");
  }
  input.end(`\n${"y".repeat(100)}\nz`);
  await reading;
  expect(lines).toEqual([undefined, "y".repeat(100), "z"]);
});

test("a client that never reads receives at most one buffer of answers", async () => {
  const input = new PassThrough();
  // It accepts a first chunk and never reports that it is done with it.
  const output = new Writable({ write: () => undefined, highWaterMark: 1000 });
  const stop = new AbortController();
  const ended = serveLines(input, output, stop.signal);
  for (let i = 0; i < 50_000; i++) if (!input.write(`${VERSION}\n`)) break;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(output.writableLength).toBeLessThan(5000);
  stop.abort();
  await ended;
});
