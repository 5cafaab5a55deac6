import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createPageServer } from "../../src/serve/page-server.ts";
import { useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const WORDS = "the same words again and again, ".repeat(4000);

/** Serves a page, a large incompressible file, and an asset; returns its address. */
async function serve(): Promise<string> {
  mkdirSync(folder.at("assets"));
  writeFileSync(folder.at("index.html"), WORDS);
  writeFileSync(folder.at("net.onnx"), WORDS);
  writeFileSync(folder.at("assets/a-123.js"), WORDS);
  writeFileSync(folder.at("large.png"), new Uint8Array(8 * 2 ** 20));
  server = createPageServer([{ prefix: "/", folder: folder.at(".").replace(/\/\.?$/, "") }]);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once("error", reject);
  });
}

async function bodyOf(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const openFiles = () => readdirSync("/proc/self/fd").length;

describe("serve", () => {
  test.skipIf(process.platform !== "linux")("an aborted download leaves nothing open", async () => {
    const url = await serve();
    const before = openFiles();
    for (let i = 0; i < 60; i++) {
      const answer = await ask(`${url}/large.png`);
      await new Promise((resolve) => answer.once("data", resolve));
      answer.destroy();
    }
    const patience = 500;
    for (let tries = 0; openFiles() > before + 5 && tries < patience; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(openFiles()).toBeLessThanOrEqual(before + 5);
    expect((await ask(`${url}/index.html`)).statusCode).toBe(200);
  });

  test("compresses files that shrink, in an encoding of the browser", async () => {
    const url = await serve();
    for (const place of ["", "/net.onnx", "/assets/a-123.js"]) {
      const br = await ask(url + place, { "accept-encoding": "gzip, deflate, br" });
      expect(br.headers["content-encoding"]).toBe("br");
      expect(brotliDecompressSync(await bodyOf(br)).toString()).toBe(WORDS);
      const gzip = await ask(url + place, { "accept-encoding": "gzip, br;q=0" });
      expect(gunzipSync(await bodyOf(gzip)).toString()).toBe(WORDS);
      const plain = await ask(url + place);
      expect((await bodyOf(plain)).toString()).toBe(WORDS);
      expect(plain.headers.vary).toBe("Accept-Encoding");
    }
  });

  test("does not resend unchanged files, and lets browsers cache names with a hash", async () => {
    const url = await serve();
    const packed = { "accept-encoding": "br" };
    const first = await ask(`${url}/net.onnx`, packed);
    await bodyOf(first);
    const again = await ask(`${url}/net.onnx`, {
      ...packed,
      "if-none-match": `${first.headers.etag}`,
    });
    expect([again.statusCode, (await bodyOf(again)).length]).toEqual([304, 0]);
    writeFileSync(folder.at("net.onnx"), `${WORDS}!`);
    const changed = await ask(`${url}/net.onnx`, {
      ...packed,
      "if-none-match": `${first.headers.etag}`,
    });
    expect(changed.statusCode).toBe(200);
    expect(brotliDecompressSync(await bodyOf(changed)).toString()).toBe(`${WORDS}!`);
    const asset = await ask(`${url}/assets/a-123.js`);
    expect(asset.headers["cache-control"]).toMatch(/immutable/);
    await bodyOf(asset);
  });
});
