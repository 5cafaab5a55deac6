import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";
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

const step = fetched(path.join(models, "heterskin-adapt.onnx"));

/** Tells the service worker which files the page consists of, once they are built. */
function pageFiles(): Plugin {
  return {
    name: "page-files",
    writeBundle({ dir = "" }) {
      const worker = path.join(dir, "service-worker.js");
      const built = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter(
          (entry) => entry.isFile() && !/^(service-worker\.js|share\.jpg|\..*)$/.test(entry.name),
        )
        .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)))
        .map((file) => file.split(path.sep).join("/"))
        .sort();
      const mjs = "ort-wasm-simd-threaded.mjs";
      const contents = [...built.map((file) => path.join(dir, file)), path.join(runtime, mjs)];
      const hash = createHash("sha256");
      for (const file of contents) hash.update(readFileSync(file));
      const list = {
        version: hash.digest("hex").slice(0, 12),
        // Few browsers have a WebGPU that the page chooses by default; its runtime is cached after its first use.
        files: [...built.filter((file) => !/ort\.webgpu/.test(file)), `ort/${mjs}`].map(
          (file) => `./${file}`,
        ),
        kept: [`models/heterskin-adapt.onnx?v=${step.version}`],
      };
      const code = readFileSync(worker, "utf8");
      const quoted = JSON.stringify(JSON.stringify(list));
      const filled = code.replace(/(["'`])PAGE_FILES\1/, () => quoted);
      if (filled === code) throw new Error("page-files: service-worker.js has no list to fill.");
      writeFileSync(worker, filled);
    },
  };
}

const config: UserConfig = defineConfig({
  root,
  // Works under any path of any host.
  base: "./",
  publicDir: "public",
  define: {
    HETERSKIN_VERSION: JSON.stringify(packageJson.version),
    FETCHED_FILES: JSON.stringify({
      wasm: fetched(path.join(runtime, "ort-wasm-simd-threaded.wasm")),
      webgpu: fetched(path.join(runtime, "ort-wasm-simd-threaded.asyncify.wasm")),
      model: fetched(path.join(models, "heterskin.onnx")),
      step,
    }),
  },
  // ONNX Runtime without its WebAssembly, which is fetched with a progress bar.
  resolve: {
    conditions: ["onnxruntime-web-use-extern-wasm", "module", "browser", "production"],
  },
  plugins: [pageFiles()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        index: path.join(root, "index.html"),
        "service-worker": path.join(root, "src/service-worker.ts"),
      },
      output: {
        entryFileNames: ({ name }) =>
          name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js",
      },
    },
  },
});

// Vite expects a default export.
export default config;
