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

/** A part of the page's address space and the folder it is served from. */
export interface ServedFolder {
  /** Begins and ends with a slash. */
  prefix: string;
  folder: string;
}

/** The built page, and beside it ONNX Runtime and the models from where the package has them. */
export function pageFolders(): ServedFolder[] {
  const root = packageRoot();
  const page = path.join(root, "app/dist");
  if (!existsSync(path.join(page, "index.html"))) {
    throw new InputError("The page is not built yet; run npm run app:build first.");
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
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".onnx": "application/octet-stream",
};

const HEADERS = {
  // Isolated from other sites, so that WebAssembly may use threads.
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};

/** Milliseconds within which a request must have arrived, and between two looks for those that have not. */
const REQUEST_TIMEOUT = 60_000;
const TIMEOUT_LOOK = 1000;

/** Options for {@link createPageServer}. */
export interface PageServerOptions {
  /** Answers what is not a file. */
  api?: Api | undefined;
  /** Milliseconds within which a request must have arrived; a minute unless told. */
  requestTimeout?: number | undefined;
}

/** A server of files, and of the service where there is one; the first folder whose prefix fits and that has the file wins. */
export function createPageServer(
  folders: readonly ServedFolder[],
  { api, requestTimeout = REQUEST_TIMEOUT }: PageServerOptions = {},
): Server {
  const packed = createPackedFiles();
  const times = { requestTimeout, headersTimeout: requestTimeout };
  const options = { ...times, connectionsCheckingInterval: TIMEOUT_LOOK };
  return createServer(options, (request, response) => {
    if (api?.owns(request)) {
      api.answer(request, response);
      return;
    }
    answer(request, response, folders, packed).catch(() => refuse(response, 500));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folders: readonly ServedFolder[],
  packed: PackedFiles,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405);
  const found = await findFile(request.url ?? "/", folders);
  if (!found) return refuse(response, 404);
  const { file, stats } = found;
  const small = await packed.get(file, stats, `${request.headers["accept-encoding"] ?? ""}`);
  const tag = `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}${small ? `-${small.encoding}` : ""}"`;
  const isFingerprinted = /[\\/]assets[\\/]/.test(file);
  const headers = {
    ...HEADERS,
    "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream",
    "Cache-Control": isFingerprinted ? "max-age=31536000, immutable" : "no-cache",
    Vary: "Accept-Encoding",
    ETag: tag,
  };
  if (knows(request, tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const length = small?.bytes.length ?? stats.size;
  response.writeHead(200, {
    ...headers,
    "Content-Length": length,
    ...(small ? { "Content-Encoding": small.encoding } : {}),
  });
  if (request.method === "HEAD") response.end();
  else if (small) response.end(small.bytes);
  // Ends the file with the connection, whichever breaks first: nothing stays open.
  else pipeline(createReadStream(file), response, () => undefined);
}

/** Whether the browser has this version already. */
function knows({ headers }: IncomingMessage, tag: string): boolean {
  const known = headers["if-none-match"] ?? "";
  return known.split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
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
    // Nothing outside the folder, whatever the address says.
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
  response.end(status === 404 ? "There is nothing here.\n" : `Error ${status}.\n`);
}

/** A file's bytes, packed. */
export interface PackedFile {
  encoding: "br" | "gzip";
  bytes: Buffer;
}

/** Files packed when they are first asked for, and kept. */
export interface PackedFiles {
  /** Undefined where the browser takes none of our packings, or the file gains nothing by it. */
  get(file: string, stats: Stats, accepted: string): Promise<PackedFile | undefined>;
}

/** Worth packing; pictures are packed already. */
const PACKED = [".html", ".js", ".mjs", ".css", ".json", ".svg", ".wasm", ".onnx", ".map"];
/** What does not shrink below this share of its size goes as it is. */
const WORTHWHILE = 0.95;

const pack = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: {
        // Higher levels take many times as long for a few percent.
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** Begins with nothing packed. */
function createPackedFiles(): PackedFiles {
  const known = new Map<string, Promise<PackedFile | undefined>>();
  return {
    async get(file, { size, mtimeMs }, accepted) {
      const encoding = chosen(accepted);
      if (!encoding || !PACKED.includes(path.extname(file))) return undefined;
      const key = `${encoding} ${size} ${mtimeMs} ${file}`;
      let made = known.get(key);
      if (!made) {
        made = packFile(file, encoding);
        known.set(key, made);
        made.catch(() => known.delete(key));
      }
      return made;
    },
  };
}

/** The best packing a browser takes; one with weight 0 it does not. */
function chosen(accepted: string): PackedFile["encoding"] | undefined {
  const names = accepted
    .split(",")
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(";")[0].trim());
  return (["br", "gzip"] as const).find((encoding) => names.includes(encoding));
}

async function packFile(
  file: string,
  encoding: PackedFile["encoding"],
): Promise<PackedFile | undefined> {
  const whole = await readFile(file);
  const bytes = await pack[encoding](whole);
  return bytes.length < WORTHWHILE * whole.length ? { encoding, bytes } : undefined;
}
