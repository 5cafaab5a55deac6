import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { runCommand } from "./run-command.mjs";

const LOCK = "package-lock.json";
/** npm's record of what it installed. */
const INSTALLED = "node_modules/.package-lock.json";
/** Our record of the lock file that was installed; deleted together with node_modules. */
const STAMP = "node_modules/.heterskin-lock";

/** Installs the packages of the lock file, unless they are installed. */
export function ensurePackages() {
  const hash = createHash("sha256").update(readFileSync(LOCK)).digest("hex");
  if (upToDate(hash)) return "packages: up to date";
  console.log("packages: installing (npm ci)");
  // No package needs its install script; that of onnxruntime-node would download a CUDA build from NuGet.
  runCommand(...npm("ci", "--no-audit", "--no-fund", "--ignore-scripts"), {
    failure: "npm ci failed; see its messages above. It needs the npm registry.",
  });
  writeFileSync(STAMP, hash);
  return "packages: installed";
}

function upToDate(hash) {
  if (!existsSync(INSTALLED)) return false;
  if (existsSync(STAMP)) return readFileSync(STAMP, "utf8") === hash;
  // Installed by hand: trusted if it is newer than the lock file.
  if (statSync(INSTALLED).mtimeMs < statSync(LOCK).mtimeMs) return false;
  writeFileSync(STAMP, hash);
  return true;
}

/** The npm that runs this script, if any. */
function npm(...args) {
  const path = process.env.npm_execpath;
  if (path?.endsWith("npm-cli.js")) return [process.execPath, [path, ...args]];
  return [process.platform === "win32" ? "npm.cmd" : "npm", args];
}
