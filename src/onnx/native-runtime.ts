import {
  LOG_ERRORS,
  memoryUse,
  type OpenModel,
  type OpenOptions,
  outputLocations,
  type Runtime,
} from "./runtime.ts";

/** The package with ONNX Runtime's native library; those who want it install it themselves. */
export const NATIVE_PACKAGE = "onnxruntime-node";

type Library = typeof import("onnxruntime-node");

/** ONNX Runtime's native library in Node, on the processor or, through Dawn, on a GPU. */
export const nativeRuntime: Runtime = { open };

/** Why the native library is not at hand, to be read after its name; nothing where it is. */
export async function whyNotNative(): Promise<string | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package without a library for this machine is there, but misses a file of its own.
    return code === "ERR_MODULE_NOT_FOUND"
      ? "is not installed"
      : `cannot be loaded (${message.split("\n")[0]})`;
  }
}

let loading: Promise<Library> | undefined;

/** Held in a variable, so that bundlers look for it only when it runs: most projects do without. */
function load(): Promise<Library> {
  // The library would otherwise record events in the user's cache folder and send them to Microsoft.
  process.env.ORT_DISABLE_TELEMETRY = "1";
  loading ??= import(/* webpackIgnore: true */ /* @vite-ignore */ NATIVE_PACKAGE).then(
    // A CommonJS module: loaders differ in whether its exports are also the default export.
    (module) => module.default ?? module,
  );
  return loading;
}

async function open(model: Uint8Array, options: OpenOptions): Promise<OpenModel> {
  const { InferenceSession, Tensor } = await load();
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
