import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { modelPath } from "../disk/character-files.ts";
import { readPlainFile } from "../disk/open-input.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { InputError } from "../input-error.ts";
import { isNetwork } from "../models.ts";
import type { ExportRunOptions } from "../train/run/run-record.ts";
import { packageRoot, packageVersion } from "./package-root.ts";

/** Source of the models that the package does not include. */
const REPOSITORY = "github.com/heterskin/heterskin";

/** Models by path. Sessions are cached by the identity of these arrays. */
const cache = new Map<string, { state: string; bytes: Uint8Array }>();

/** Returns the model for a method: the given file or the shipped one; undefined if the method has no network. */
export async function loadModel(method: string, file?: string): Promise<Uint8Array | undefined> {
  if (!isNetwork(method)) {
    if (file) {
      throw new InputError({
        what: `the method ${method} runs no network`,
        remedy: { option: "model", advice: "omit the model" },
      });
    }
    return undefined;
  }
  const name = file ?? method;
  const resolved = path.resolve(isNetwork(name) ? modelPath(name) : name);
  const bytes = await readCached(resolved).catch(() => undefined);
  if (!bytes) {
    throw new InputError(
      file
        ? `${file}: this model cannot be read; check the path.`
        : `The package does not include the model for ${method}; get models/${path.basename(resolved)} from ${REPOSITORY}, or choose another model.`,
    );
  }
  return bytes;
}

/** Reads a file; returns the same array until the file changes. */
async function readCached(file: string): Promise<Uint8Array> {
  const { mtimeMs, size, ino } = await stat(file);
  const state = `${mtimeMs} ${size} ${ino}`;
  const cached = cache.get(file);
  if (cached?.state === state) return cached.bytes;
  const bytes = await readPlainFile(file);
  cache.set(file, { state, bytes });
  return bytes;
}

/** Reads a model by its path, or by the name of a shipped one. */
export async function readModel(file: string): Promise<Uint8Array> {
  const bytes = await readPlainFile(file).catch(() =>
    readPlainFile(modelPath(file)).catch(() => undefined),
  );
  if (!bytes) {
    throw new InputError(`${file}: this model cannot be read; name an .onnx file, or heterskin.`);
  }
  return bytes;
}

/** Paths and size of a model that was written. */
export interface WrittenModel {
  file: string;
  /** The `.json` of the same name, which describes the model. */
  description: string;
  bytes: number;
}

/** Exports a checkpoint to `file`, with a description in a `.json` of the same name. */
export async function writeModel(
  source: string,
  file: string,
  options: ExportRunOptions,
): Promise<WrittenModel> {
  // Loaded on demand: the network library is large, and help does not need it.
  const { exportRun } = await import("../train/run/run-record.ts");
  const notes = { ...options.notes, version: packageVersion(), ...commit() };
  const { model, facts } = await exportRun(source, { ...options, notes });
  const description = file.replace(/\.onnx$/, ".json");
  writeWhole([
    [description, new TextEncoder().encode(`${JSON.stringify(facts, null, 1)}\n`)],
    [file, model],
  ]);
  return { file, description, bytes: model.length };
}

/** Returns the commit of a checkout; an installed package has none. */
function commit(): { commit?: string } {
  try {
    const hash = execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: packageRoot(),
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
    return { commit: hash.trim() };
  } catch {
    return {};
  }
}
