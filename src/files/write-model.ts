import { execFileSync } from "node:child_process";
import { writeWhole } from "../disk/write-whole.ts";
import type { ExportRunOptions } from "../train/run/run-record.ts";
import { packageRoot, packageVersion } from "./package-root.ts";

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
