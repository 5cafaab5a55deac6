import {
  LOG_ERRORS,
  memoryUse,
  type OpenModel,
  type OpenOptions,
  outputLocations,
  type Runtime,
} from "./runtime.ts";

/** ONNX Runtime in a browser: WebAssembly, or WebGPU where the browser has it. */
export const webRuntime: Runtime = { providers: ["webgpu", "wasm"], open };

async function open(model: Uint8Array, options: OpenOptions): Promise<OpenModel> {
  if (options.provider === "webgpu" && !(await hasAdapter())) {
    throw new Error("this browser offers no WebGPU adapter");
  }
  // Two builds: the one without WebGPU is half the download.
  const { InferenceSession, Tensor, env } =
    options.provider === "webgpu"
      ? await import("onnxruntime-web/webgpu")
      : await import("onnxruntime-web/wasm");
  if (options.threads) env.wasm.numThreads = options.threads;
  if (options.wasmFolder) env.wasm.wasmPaths = options.wasmFolder;
  const session = await InferenceSession.create(model, {
    executionProviders: [options.provider],
    logSeverityLevel: LOG_ERRORS,
    ...memoryUse(options),
    ...outputLocations(options),
  });
  return { session, Tensor };
}

async function hasAdapter(): Promise<boolean> {
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<unknown> } };
  return Boolean(await gpu?.requestAdapter());
}
