import { execFileSync } from "node:child_process";
import { writeWhole } from "../disk/write-whole.ts";
import type { ExportRunOptions } from "../train/run/run-record.ts";
import { packageRoot, packageVersion } from "./package-root.ts";

/** A model that was written. */
export interface WrittenModel {
  file: string;
  /** The `.json` of the same name, with what is to be known about it. */
  beside: string;
  /** Size of the model. */
  bytes: number;
}

/** Exports a checkpoint to `file` and what is to be known about it to a `.json` of the same name. */
export async function writeModel(
  source: string,
  file: string,
  options: ExportRunOptions,
): Promise<WrittenModel> {
  // Loaded here: the networks' library is heavy, and help needs none of it.
  const { exportRun } = await import("../train/run/run-record.ts");
  const notes = { ...options.notes, version: packageVersion(), ...commit() };
  const { model, facts } = await exportRun(source, { ...options, notes });
  const beside = file.replace(/\.onnx$/, ".json");
  const text = `${JSON.stringify(facts, null, 1)}\n`;
  writeWhole([
    [beside, new TextEncoder().encode(text)],
    [file, model],
  ]);
  return { file, beside, bytes: model.length };
}

/** The commit of a checkout; an installed package has none. */
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
