import type { Stats } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

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
export function createPackedFiles(): PackedFiles {
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
