import { createReadStream, existsSync, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { createGzip } from "node:zlib";
import { InputError } from "../input-error.ts";
import { packageRoot } from "./package-root.ts";

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

/** Worth packing for a slow network; WebAssembly would take longer to pack than to send here. */
const PACKED = [".html", ".js", ".mjs", ".css", ".json", ".svg"];

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

/** A server of files and nothing else; the first folder whose prefix fits and that has the file wins. */
export function createPageServer(folders: readonly ServedFolder[]): Server {
  return createServer((request, response) => {
    answer(request, response, folders).catch(() => refuse(response, 500));
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folders: readonly ServedFolder[],
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405);
  const found = await findFile(request.url ?? "/", folders);
  if (!found) return refuse(response, 404);
  const { file, stats } = found;
  const ending = path.extname(file);
  const isPacked =
    PACKED.includes(ending) && /\bgzip\b/.test(`${request.headers["accept-encoding"]}`);
  const isFingerprinted = /[\\/]assets[\\/]/.test(file);
  response.writeHead(200, {
    ...HEADERS,
    "Content-Type": TYPES[ending] ?? "application/octet-stream",
    "Cache-Control": isFingerprinted ? "max-age=31536000, immutable" : "no-cache",
    ...(isPacked ? { "Content-Encoding": "gzip" } : { "Content-Length": stats.size }),
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const content = createReadStream(file);
  content.on("error", () => response.destroy());
  (isPacked ? content.pipe(createGzip()) : content).pipe(response);
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
