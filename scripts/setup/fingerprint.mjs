import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** Inputs of a build; other files do not change it. */
const SOURCES = /\.(ts|json|html|css|svg|png)$/;

/** Returns a short text that changes with the names, sizes and times of source files. */
export function fingerprint(inputs) {
  const hash = createHash("sha256").update(process.version);
  for (const input of inputs.filter((name) => existsSync(name))) {
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
    .filter((file) => !file.includes(`${path.sep}dist${path.sep}`))
    .filter((file) => SOURCES.test(file) && statSync(file).isFile())
    .sort();
}
