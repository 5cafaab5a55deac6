import { InputError } from "../input-error.ts";
import {
  LOG_ERRORS,
  memoryUse,
  type OpenModel,
  type OpenOptions,
  outputLocations,
  processorsInNode,
  type Runtime,
} from "./runtime.ts";

/** ONNX Runtime's portable build: WebAssembly, or WebGPU in a browser that supports it. */
export const portableRuntime: Runtime = { open };

/** The two portable builds: the one without WebGPU is half the download. */
export type PortableProvider = "wasm" | "webgpu";

/** Names of the WebAssembly files in the package's folder `runtime`. */
export const RUNTIME_FILES: Record<PortableProvider, string> = {
  wasm: "ort-wasm-simd-threaded",
  webgpu: "ort-wasm-simd-threaded.asyncify",
};

function load(provider: PortableProvider) {
  return provider === "webgpu" ? import("#runtime/webgpu") : import("#runtime/wasm");
}

/**
 * Sets ONNX Runtime's files, for pages that fetch them with a progress bar; call it before the first model is
 * opened.
 *
 * @param files bytes of the .wasm, and the URLs of the .mjs and .wasm for threads to load
 */
export async function giveRuntimeFiles(
  provider: PortableProvider,
  files: { bytes: ArrayBuffer; mjs: string; wasm: string },
): Promise<void> {
  const { env } = await load(provider);
  env.wasm.wasmBinary = files.bytes;
  env.wasm.wasmPaths = { mjs: files.mjs, wasm: files.wasm };
}

async function open(model: Uint8Array, options: OpenOptions): Promise<OpenModel> {
  const { threads, wasmFolder } = options;
  const provider = options.provider as PortableProvider;
  if (provider === "webgpu" && !(await hasAdapter())) {
    throw new Error("this browser has no WebGPU adapter");
  }
  const { InferenceSession, Tensor, env } = await load(provider);
  // The library counts the cores of a browser, but uses one thread in Node.
  const wanted = threads ?? Math.min(MAX_THREADS, processorsInNode() ?? 0);
  if (wanted) env.wasm.numThreads = wanted;
  const file = `${RUNTIME_FILES[provider]}.wasm`;
  if (wasmFolder) env.wasm.wasmPaths = { wasm: `${wasmFolder.replace(/\/?$/, "/")}${file}` };
  try {
    const session = await InferenceSession.create(model, {
      executionProviders: [provider],
      logSeverityLevel: LOG_ERRORS,
      ...memoryUse(options),
      ...outputLocations(options),
    });
    return { session, Tensor };
  } catch (error) {
    throw /no available backend/.test(`${error}`) ? missingFile(file, error) : error;
  }
}

/** More threads do not help: the network's matrix products are small. */
const MAX_THREADS = 4;
/** Some bundlers do not copy the .wasm file. */
function missingFile(file: string, error: unknown): InputError {
  const why = `${error}`.split("\n")[0].slice(0, 200);
  return new InputError(
    `${file} could not be loaded (${why}); put the files of heterskin's folder "runtime" next to the script, or set wasmFolder.`,
  );
}

async function hasAdapter(): Promise<boolean> {
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  return Boolean(await gpu?.requestAdapter());
}
