import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { InputError } from "../input-error.ts";
import { packageRoot } from "./package-root.ts";

/** Files by path with forward slashes. */
export type FileEntries = Record<string, Uint8Array>;

const CARRIED = [
  "bin",
  "dist/src",
  "dist/samples",
  "runtime",
  "package.json",
  "LICENSE",
  "MODEL_CARD.md",
];
const SKIPPED = /\.test\.(js|d\.ts)$|\.d\.ts$|\.map$|^\.built-from$|^__pycache__$/;

/**
 * Returns what the program needs to run elsewhere: itself, its models and the packages it depends on.
 *
 * @param isWhole whether to include the web page and the Blender add-on
 */
export function packageFiles(isWhole: boolean): FileEntries {
  const root = packageRoot();
  const entries: FileEntries = {};
  const carried = isWhole ? [...CARRIED, "app/dist", "blender/heterskin"] : CARRIED;
  for (const name of carried) addFiles(entries, path.join(root, name), name);
  for (const name of readdirSync(path.join(root, "models"))) {
    if (name.startsWith("heterskin"))
      addFiles(entries, path.join(root, "models", name), `models/${name}`);
  }
  const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    addFiles(entries, dependencyFolder(root, name), `node_modules/${name}`);
  }
  return entries;
}

/**
 * Returns the Blender add-on as a zip file: the add-on with this package inside, or with an executable that
 * needs no Node.
 *
 * @param executable path of the executable of one platform
 */
export function blenderZip(executable?: string): Uint8Array {
  const entries: FileEntries = {};
  const folder = path.join(packageRoot(), "blender/heterskin");
  for (const name of readdirSync(folder).sort()) {
    if (/\.(py|toml)$/.test(name)) addFiles(entries, path.join(folder, name), `heterskin/${name}`);
  }
  if (executable !== undefined) {
    const name = /\.exe$/i.test(executable) ? "heterskin.exe" : "heterskin";
    entries[`heterskin/executable/${name}`] = new Uint8Array(readFileSync(executable));
  } else {
    for (const [name, bytes] of Object.entries(packageFiles(false))) {
      entries[`heterskin/package/${name}`] = bytes;
    }
  }
  // Executables hardly shrink further, and take long.
  return zipSync(entries, { level: executable ? 6 : 9, mtime: new Date("2020-01-01") });
}

function addFiles(entries: FileEntries, from: string, to: string): void {
  if (!existsSync(from)) throw new InputError(`${from}: this file of the package is missing.`);
  if (statSync(from).isDirectory()) {
    for (const name of readdirSync(from).sort()) {
      if (!SKIPPED.test(name)) addFiles(entries, path.join(from, name), `${to}/${name}`);
    }
  } else entries[to] = new Uint8Array(readFileSync(from));
}

/** Finds a dependency as Node does: in this package, or in a folder above it. */
function dependencyFolder(from: string, name: string): string {
  const found = path.join(from, "node_modules", name);
  if (existsSync(found)) return found;
  const above = path.dirname(from);
  if (above === from) throw new InputError(`The package ${name} is not installed.`);
  return dependencyFolder(above, name);
}
