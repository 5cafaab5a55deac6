import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of committed results, `bench/results`; also works from a build of this file. */
export const RESULTS_FOLDER: string = path.join(
  path.dirname(fileURLToPath(import.meta.url)).replace(/([\\/])dist\1bench$/, "$1bench"),
  "results",
);

/** Writes a text file, such as CSV, into the folder of results. */
export function saveLines(name: string, lines: readonly string[]): void {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  writeFileSync(path.join(RESULTS_FOLDER, name), `${lines.join("\n")}\n`);
}

/** Writes a JSON file into the folder of results. */
export function saveJson(name: string, data: unknown): void {
  saveLines(name, [JSON.stringify(data, null, 1)]);
}

/** Processor and Node version, for the first line of timings. */
export function machineText(): string {
  return `${cpus().length} x ${cpus()[0].model.trim()}, Node ${process.versions.node}`;
}

/** Slope of log y over log x: the exponent of growth. */
export function growthExponent(x: number[], y: number[]): number {
  const [u, v] = [x.map(Math.log), y.map(Math.log)];
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [mu, mv] = [mean(u), mean(v)];
  const along = u.reduce((sum, value, i) => sum + (value - mu) * (v[i] - mv), 0);
  return along / u.reduce((sum, value) => sum + (value - mu) ** 2, 0);
}
