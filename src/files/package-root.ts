import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Returns the folder of this package, for sources and builds alike. */
export function packageRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json"))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error("packageRoot: no package.json above this file.");
    folder = above;
  }
  return folder;
}

/** Returns the path of the self-contained executable that runs this program; undefined with Node. */
export function executablePath(): string | undefined {
  return process.env.HETERSKIN_EXECUTABLE || undefined;
}

/** Returns the version of this package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(path.join(packageRoot(), "package.json"), "utf8")).version;
}
