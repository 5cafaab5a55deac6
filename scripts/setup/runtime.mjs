import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** The files of onnxruntime-web that the package uses, a sixth of it: three loaders for two WebAssembly builds. */
const FILES = [
  "ort.node.min.mjs",
  "ort.wasm.min.mjs",
  "ort.wasm.bundle.min.mjs",
  "ort.webgpu.min.mjs",
  "ort.webgpu.bundle.min.mjs",
  "ort-wasm-simd-threaded.mjs",
  "ort-wasm-simd-threaded.wasm",
  "ort-wasm-simd-threaded.asyncify.mjs",
  "ort-wasm-simd-threaded.asyncify.wasm",
];

const FOLDER = "runtime";
const NOTE = `${FOLDER}/README.md`;

/** Copies ONNX Runtime's portable build into the folder that the package ships, unless it is there. */
export function ensureRuntime() {
  const require = createRequire(import.meta.url);
  const source = path.dirname(require.resolve("onnxruntime-web/wasm"));
  const manifest = JSON.parse(readFileSync(path.join(source, "../package.json"), "utf8"));
  const note = noteOf(manifest);
  const upToDate = existsSync(NOTE) && readFileSync(NOTE, "utf8") === note;
  const isCopied = (file) =>
    existsSync(path.join(FOLDER, file)) &&
    statSync(path.join(FOLDER, file)).size === contentOf(path.join(source, file)).length;
  if (upToDate && FILES.every(isCopied)) {
    return "runtime: up to date";
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const file of FILES) {
    writeFileSync(path.join(FOLDER, file), contentOf(path.join(source, file)));
  }
  writeFileSync(NOTE, note);
  return "runtime: copied";
}

/** Bytes of a file; scripts without the reference to their source map, which is not copied. */
function contentOf(file) {
  const bytes = readFileSync(file);
  if (!file.endsWith(".mjs")) return bytes;
  return Buffer.from(bytes.toString("utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}

/** Origin and license of these files. */
function noteOf({ name, version }) {
  const licence = readFileSync("scripts/setup/onnxruntime-licence.txt", "utf8");
  return `# ${name} ${version}

These files are copied from the npm package ${name} ${version} (https://github.com/microsoft/onnxruntime), without their source maps, under this licence:

${licence}`;
}
