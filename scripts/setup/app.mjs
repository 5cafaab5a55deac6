import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fingerprint } from "./fingerprint.mjs";
import { runCommand } from "./run-command.mjs";

const INPUTS = ["app", "src", "samples", "package-lock.json"];
const STAMP = "app/dist/.built-from";

/** Builds and type-checks the web page into app/dist, unless it was built from the same sources. */
export function ensureApp() {
  const sources = createHash("sha256")
    .update(fingerprint(INPUTS))
    .update(readFileSync("models/heterskin.onnx"))
    .update(readFileSync("models/heterskin-adapt.onnx"))
    .digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === sources) return "page: up to date";
  const require = createRequire(import.meta.url);
  const bin = (name, file) =>
    path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
  runCommand(process.execPath, [bin("typescript", "bin/tsc"), "-p", "app/tsconfig.json"], {
    failure: "the page does not type-check; see the errors above.",
  });
  const vite = [bin("vite", "bin/vite.js"), "build", "app", "--logLevel", "error"];
  runCommand(process.execPath, vite, { failure: "the page could not be built; see above." });
  writeFileSync(STAMP, sources);
  return "page: done";
}

/**
 * Copies the page and all files it fetches into a folder that any static host can serve.
 *
 * @param address where it will be served; previews of shared links require an absolute address
 */
export function exportApp(folder, address) {
  rmSync(folder, { recursive: true, force: true });
  cpSync("app/dist", folder, { recursive: true });
  rmSync(path.join(folder, path.basename(STAMP)));
  mkdirSync(path.join(folder, "ort"));
  mkdirSync(path.join(folder, "models"));
  for (const name of ["ort-wasm-simd-threaded", "ort-wasm-simd-threaded.asyncify"]) {
    for (const ending of ["mjs", "wasm"]) {
      cpSync(
        path.join("runtime", `${name}.${ending}`),
        path.join(folder, "ort", `${name}.${ending}`),
      );
    }
  }
  for (const file of ["heterskin.onnx", "heterskin-adapt.onnx"]) {
    cpSync(`models/${file}`, path.join(folder, "models", file));
  }
  if (address) {
    const index = path.join(folder, "index.html");
    const picture = new URL("share.jpg", `${address.replace(/\/$/, "")}/`).href;
    writeFileSync(index, readFileSync(index, "utf8").replace("./share.jpg", picture));
  }
  return `page: in ${folder}, ready for any static host`;
}
