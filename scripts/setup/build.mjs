import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { runCommand } from "./run-command.mjs";

const INPUTS = ["src", "samples", "bench", "test", "tsconfig.json", "package-lock.json"];
const STAMP = "dist/.built-from";
/** Built here and moved, so that a failed build leaves no half of one. */
const DRAFT = `node_modules/.cache/heterskin-build-${process.pid}`;

/** Builds dist with tsc, which is also the type check, unless it was built from the same sources. */
export function ensureBuild() {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return "build: up to date";
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

/** Names, sizes and times of all that goes into the build. */
function fingerprint() {
  const hash = createHash("sha256").update(process.version);
  for (const input of INPUTS.filter((name) => existsSync(name))) {
    for (const file of filesIn(input)) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${file}\0${size}\0${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

function filesIn(entry) {
  if (statSync(entry).isFile()) return [entry];
  return readdirSync(entry, { recursive: true })
    .map((name) => path.join(entry, name))
    .filter((file) => /\.(ts|json)$/.test(file) && statSync(file).isFile())
    .sort();
}
