import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";
import packageJson from "../package.json" with { type: "json" };

const root = fileURLToPath(new URL(".", import.meta.url));
const runtime = path.join(root, "../runtime");
const models = path.join(root, "../models");

/** Size and fingerprint of a file that the page fetches later, for its progress bar and its cache. */
function fetched(file: string): { bytes: number; version: string } {
  const content = readFileSync(file);
  const version = createHash("sha256").update(content).digest("hex").slice(0, 12);
  return { bytes: content.length, version };
}

const config: UserConfig = defineConfig({
  root,
  // Works from any path of any host.
  base: "./",
  publicDir: "public",
  define: {
    HETERSKIN_VERSION: JSON.stringify(packageJson.version),
    FETCHED_FILES: JSON.stringify({
      wasm: fetched(path.join(runtime, "ort-wasm-simd-threaded.wasm")),
      webgpu: fetched(path.join(runtime, "ort-wasm-simd-threaded.asyncify.wasm")),
      model: fetched(path.join(models, "heterskin.onnx")),
      step: fetched(path.join(models, "heterskin-adapt.onnx")),
    }),
  },
  // ONNX Runtime without its WebAssembly, which is fetched with a progress bar.
  resolve: {
    conditions: ["onnxruntime-web-use-extern-wasm", "module", "browser", "production"],
  },
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
  },
});

// Vite looks for a default export.
export default config;
