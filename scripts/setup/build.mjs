import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fingerprint } from "./fingerprint.mjs";
import { runCommand } from "./run-command.mjs";

const INPUTS = ["src", "samples", "bench", "test", "tsconfig.json", "package-lock.json"];
const STAMP = "dist/.built-from";
/** Built here and moved, so that a failed build leaves no partial dist. */
const DRAFT = `node_modules/.cache/heterskin-build-${process.pid}`;

/** Builds dist with tsc, which also type-checks, unless it was built from the same sources. */
export function ensureBuild() {
  const sources = fingerprint(INPUTS);
  if (isBuiltFrom(sources)) return "build: up to date";
  mkdirSync(path.dirname(DRAFT), { recursive: true });
  try {
    const tsc = createRequire(import.meta.url).resolve("typescript/package.json");
    const bin = path.join(path.dirname(tsc), "bin/tsc");
    runCommand(process.execPath, [bin, "-p", "tsconfig.json", "--outDir", DRAFT], {
      failure: "the build failed; see the type errors above.",
    });
    writeFileSync(path.join(DRAFT, path.basename(STAMP)), sources);
    rmSync("dist", { recursive: true, force: true });
    renameSync(DRAFT, "dist");
  } finally {
    rmSync(DRAFT, { recursive: true, force: true });
  }
  return "build: done";
}

/** Whether dist was built from the current sources. */
export function isBuilt() {
  return isBuiltFrom(fingerprint(INPUTS));
}

function isBuiltFrom(sources) {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources;
}
