import {
  LOG_ERRORS,
  memoryUse,
  type OpenModel,
  type OpenOptions,
  outputLocations,
  type Runtime,
} from "./runtime.ts";

/** The optional package with ONNX Runtime's native library. */
export const NATIVE_PACKAGE = "onnxruntime-node";

type Library = typeof import("onnxruntime-node");

/** ONNX Runtime's native library in Node, on the CPU or, through Dawn, on a GPU. */
export const nativeRuntime: Runtime = { open };

/** Why the native library is not available, as a clause to follow its name; undefined if it is. */
export async function nativeProblem(): Promise<string | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A package without a library for this platform is installed, but lacks a file.
    return code === "ERR_MODULE_NOT_FOUND"
      ? "is not installed"
      : `cannot be loaded (${message.split("\n")[0]})`;
  }
}

let loading: Promise<Library> | undefined;

/** In a variable, so that bundlers do not look for this optional package. */
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
 * By default ONNX Runtime keeps a handful of large GPU buffers and creates the others again in every run, which
 * costs a training step more time than its arithmetic; this keeps them all.
 */
function executionProvider({ provider, manyRuns }: OpenOptions) {
  if (provider !== "webgpu" || !manyRuns) return provider;
  return { name: provider, storageBufferCacheMode: "simple" } as const;
}
