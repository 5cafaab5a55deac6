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

/** ONNX Runtime's portable build: WebAssembly, or WebGPU in a browser that has it. */
export const portableRuntime: Runtime = { open };

/** The two kinds of portable build: the one without WebGPU is half the download. */
export type PortableProvider = "wasm" | "webgpu";

/** The WebAssembly of each kind, as the package's folder `runtime` has it. */
export const RUNTIME_FILES: Record<PortableProvider, string> = {
  wasm: "ort-wasm-simd-threaded",
  webgpu: "ort-wasm-simd-threaded.asyncify",
};

function load(provider: PortableProvider) {
  return provider === "webgpu" ? import("#runtime/webgpu") : import("#runtime/wasm");
}

/**
 * Hands a page's own copy of ONNX Runtime's files to the library, for pages that fetch them with a
 * progress bar; to be called before the first model is opened.
 *
 * @param files bytes of the .wasm, and the addresses of the .mjs and .wasm for threads to load
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
    throw new Error("this browser offers no WebGPU adapter");
  }
  const { InferenceSession, Tensor, env } = await load(provider);
  // The library counts a browser's processors, but not Node's, where it takes one thread.
  const wanted = threads ?? Math.min(MOST_THREADS, processorsInNode() ?? 0);
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

/** More threads than this gain nothing: the network's products are small. */
const MOST_THREADS = 4;

/** Bundlers that copy no files leave the .wasm behind. */
function missingFile(file: string, error: unknown): InputError {
  const why = `${error}`.split("\n")[0].slice(0, 200);
  return new InputError(
    `${file} could not be loaded; put the files of heterskin's folder "runtime" beside the script, or anywhere and name the place with the option wasmFolder (${why}).`,
  );
}

async function hasAdapter(): Promise<boolean> {
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  return Boolean(await gpu?.requestAdapter());
}
