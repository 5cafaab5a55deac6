import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const SCRIPTS = ["preinstall", "install", "postinstall"];

/** Size of a folder on disk in MB, as `du -sm` counts it. */
export function megabytes(folder) {
  let blocks = 0;
  for (const entry of entriesOf(folder)) blocks += Math.ceil(statSync(entry).size / 4096);
  return Math.ceil((blocks * 4096) / 2 ** 20);
}

/** Lists the packages with an install script. */
export function installScripts(folder) {
  return entriesOf(folder)
    .filter((file) => path.basename(file) === "package.json")
    .map((file) => JSON.parse(readFileSync(file, "utf8")))
    .filter(({ scripts = {} }) => SCRIPTS.some((name) => scripts[name]))
    .map(({ name }) => name);
}

function entriesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
