import {
  LOG_ERRORS,
  memoryUse,
  type OpenModel,
  type OpenOptions,
  outputLocations,
  type Runtime,
} from "./runtime.ts";

/** ONNX Runtime in Node: its native library, on the processor or, through Dawn, on a GPU. */
export const nodeRuntime: Runtime = { providers: ["webgpu", "cpu"], open };

async function open(model: Uint8Array, options: OpenOptions): Promise<OpenModel> {
  const module = await import("onnxruntime-node");
  // A CommonJS module: loaders differ in whether its exports are also the default export.
  const { InferenceSession, Tensor } = module.default ?? module;
  const session = await InferenceSession.create(model, {
    executionProviders: [executionProvider(options)],
    logSeverityLevel: LOG_ERRORS,
    ...(options.threads ? { intraOpNumThreads: options.threads } : {}),
    ...memoryUse(options),
    ...outputLocations(options),
  });
  return { session, Tensor };
}

/**
 * By default ONNX Runtime keeps a handful of large GPU buffers and makes the others anew in every
 * run, which costs a training step more time than its arithmetic; so let it keep them all.
 */
function executionProvider({ provider, manyRuns }: OpenOptions) {
  if (provider !== "webgpu" || !manyRuns) return provider;
  return { name: provider, storageBufferCacheMode: "simple" } as const;
}
