import { createReadStream, existsSync, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { packageRoot } from "../files/package-root.ts";
import { InputError } from "../input-error.ts";
import type { Api } from "./api/create-api.ts";

/** A folder, and the URL prefix under which it is served. */
export interface ServedFolder {
  /** Starts and ends with a slash. */
  prefix: string;
  folder: string;
}

/** Returns the folders of the built page, ONNX Runtime and the models. */
export function pageFolders(): ServedFolder[] {
  const root = packageRoot();
  const page = path.join(root, "app/dist");
  if (!existsSync(path.join(page, "index.html"))) {
    throw new InputError("The page is not built; run npm run app:build first.");
  }
  return [
    { prefix: "/ort/", folder: path.join(root, "runtime") },
    { prefix: "/models/", folder: path.join(root, "models") },
    { prefix: "/", folder: page },
  ];
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".onnx": "application/octet-stream",
};

const HEADERS = {
  // Cross-origin isolation, which WebAssembly threads require.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Options for {@link createPageServer}. */
export interface PageServerOptions {
  api?: Api | undefined;
  /** Time limit of an incoming request (ms); default one minute. */
  requestTimeout?: number | undefined;
}

/** Creates a server of files and, if given, of the API. The first folder with a matching prefix that has the file wins. */
export function createPageServer(
  folders: readonly ServedFolder[],
  { api, requestTimeout = 60_000 }: PageServerOptions = {},
): Server {
  const compressed: CompressedFiles = new Map();
  const times = { requestTimeout, headersTimeout: requestTimeout };
  const options = { ...times, connectionsCheckingInterval: 1000 };
  return createServer(options, (request, response) => {
    if (api?.owns(request)) {
      api.answer(request, response);
      return;
    }
    answer(request, response, folders, compressed).catch(() => refuse(response, 500));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folders: readonly ServedFolder[],
  compressed: CompressedFiles,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405);
  const found = await findFile(request.url ?? "/", folders);
  if (!found) return refuse(response, 404);
  const { file, stats } = found;
  const accepted = `${request.headers["accept-encoding"] ?? ""}`;
  const small = await compress(compressed, file, stats, accepted);
  const tag = `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}${small ? `-${small.encoding}` : ""}"`;
  const isFingerprinted = /[\\/]assets[\\/]/.test(file);
  const headers = {
    ...HEADERS,
    "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
    "Cache-Control": isFingerprinted ? "max-age=31536000, immutable" : "no-cache",
    Vary: "Accept-Encoding",
    ETag: tag,
  };
  const cached = (request.headers["if-none-match"] ?? "").split(",");
  if (cached.some((each) => each.trim().replace(/^W\//, "") === tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Length": small?.bytes.length ?? stats.size,
    ...(small && { "Content-Encoding": small.encoding }),
  });
  if (request.method === "HEAD") response.end();
  else if (small) response.end(small.bytes);
  // Closes the file if the connection breaks.
  else pipeline(createReadStream(file), response, () => undefined);
}

async function findFile(
  url: string,
  folders: readonly ServedFolder[],
): Promise<{ file: string; stats: Stats } | undefined> {
  const wanted = pathOf(url);
  if (wanted === undefined) return undefined;
  for (const { prefix, folder } of folders) {
    if (!wanted.startsWith(prefix)) continue;
    const file = path.join(folder, wanted.slice(prefix.length) || "index.html");
    // Refuses paths that lead out of the folder.
    if (!file.startsWith(folder + path.sep)) continue;
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile()) return { file, stats };
  }
  return undefined;
}

function pathOf(url: string): string | undefined {
  try {
    const text = decodeURIComponent(url.replace(/[?#].*$/, ""));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" });
  response.end(status === 404 ? "Not found.\n" : `Error ${status}.\n`);
}

interface CompressedFile {
  encoding: "br" | "gzip";
  bytes: Buffer;
}

type CompressedFiles = Map<string, Promise<CompressedFile | undefined>>;

const COMPRESSIBLE = ".html .js .mjs .css .json .svg .wasm .onnx .glb .map".split(" ");
/** A file is compressed only if it shrinks below this fraction of its size. */
const WORTHWHILE = 0.95;

const compressors = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // Higher levels take many times longer and save a few percent.
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** Returns a file in an encoding that the browser accepts; undefined if compression does not pay. */
async function compress(
  known: CompressedFiles,
  file: string,
  { size, mtimeMs }: Stats,
  accepted: string,
): Promise<CompressedFile | undefined> {
  const encoding = chooseEncoding(accepted);
  if (!encoding || !COMPRESSIBLE.includes(path.extname(file))) return undefined;
  const key = `${encoding} ${size} ${mtimeMs} ${file}`;
  let result = known.get(key);
  if (!result) {
    result = compressFile(file, encoding);
    known.set(key, result);
    result.catch(() => known.delete(key));
  }
  return result;
}

/** Returns the best accepted encoding; a weight of 0 excludes one. */
function chooseEncoding(accepted: string): CompressedFile["encoding"] | undefined {
  const names = accepted
    .split(",")
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(";")[0].trim());
  return (["br", "gzip"] as const).find((encoding) => names.includes(encoding));
}

async function compressFile(
  file: string,
  encoding: CompressedFile["encoding"],
): Promise<CompressedFile | undefined> {
  const original = await readFile(file);
  const bytes = await compressors[encoding](original);
  return bytes.length < WORTHWHILE * original.length ? { encoding, bytes } : undefined;
}
