import { InputError } from "../input-error.ts";
import type { FedTensor, HostTensor } from "./host-tensor.ts";
import type { DeviceTensor, OpenModel, OpenOptions, ProviderName, Runtime } from "./runtime.ts";

/** Where to run: a provider by name, or `auto`. */
export type Provider = "auto" | ProviderName;

/** Options for {@link createSession}. */
export interface SessionOptions {
  /**
   * `auto` (default): in a browser WebGPU, else WASM; in Node the processor, whose start is free,
   * or a GPU, else the processor, if `manyRuns` is set.
   */
  provider?: Provider;
  /** Processor threads; default: the runtime's choice. More than the free cores is slower. */
  threads?: number;
  /** Outputs that stay in GPU memory, for {@link Session.runOnDevice}. */
  keepOnDevice?: string[];
  /** Set where the model will run hundreds of times, as in training. */
  manyRuns?: boolean;
  /** Browser: URL of the folder with ONNX Runtime's .wasm files; default: beside the script. */
  wasmFolder?: string;
}

/** An opened model, to be reused for as many runs as wanted. */
export interface Session {
  /** Where it runs. */
  provider: ProviderName;
  inputNames: readonly string[];
  outputNames: readonly string[];
  /** Runs the graph and brings all outputs to main memory. */
  run(feeds: Record<string, FedTensor>): Promise<Record<string, HostTensor>>;
  /** Runs the graph and leaves outputs where they are; the caller disposes of them. */
  runOnDevice(
    feeds: Record<string, FedTensor | DeviceTensor>,
  ): Promise<Record<string, DeviceTensor>>;
  /** Frees the model; the session cannot be used afterwards. */
  dispose(): Promise<void>;
}

/**
 * Opens an ONNX model with ONNX Runtime, in Node or in a browser.
 *
 * With `auto`, a provider that is missing is passed over. One asked for by name and missing is an
 * `InputError` that says which ones there are.
 */
export async function createSession(
  model: Uint8Array,
  options: SessionOptions = {},
): Promise<Session> {
  const runtime = await findRuntime();
  const candidates = chooseProviders(runtime, options);
  const failures: string[] = [];
  for (const provider of candidates) {
    try {
      return wrap(await runtime.open(model, openOptions(provider, options)), provider);
    } catch (error) {
      failures.push(`${provider}: ${firstLine(error)}`);
    }
  }
  throw new InputError(
    `The model cannot be opened (${failures.join("; ")}); try another provider: ` +
      `this environment knows ${runtime.providers.join(" and ")}.`,
  );
}

/** True in a page or its worker; Node has neither. */
function inBrowser(): boolean {
  const scope = globalThis as { window?: unknown; importScripts?: unknown };
  return scope.window !== undefined || scope.importScripts !== undefined;
}

async function findRuntime(): Promise<Runtime> {
  if (inBrowser()) return (await import("./runtime-web.ts")).webRuntime;
  return (await import("./runtime-node.ts")).nodeRuntime;
}

function chooseProviders(runtime: Runtime, options: SessionOptions): ProviderName[] {
  const { provider = "auto", manyRuns = inBrowser() } = options;
  if (provider === "auto") return manyRuns ? runtime.providers : runtime.providers.slice(-1);
  if (!runtime.providers.includes(provider)) {
    throw new InputError(
      `There is no provider "${provider}" here; use ${runtime.providers.join(" or ")}, or auto.`,
    );
  }
  return [provider];
}

function openOptions(provider: ProviderName, options: SessionOptions): OpenOptions {
  const { threads, keepOnDevice = [], manyRuns = false, wasmFolder } = options;
  return { provider, threads, keepOnDevice, manyRuns, wasmFolder };
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0]!.slice(-200);
}

function wrap({ session, Tensor }: OpenModel, provider: ProviderName): Session {
  const upload = (tensor: FedTensor | DeviceTensor): DeviceTensor =>
    "dtype" in tensor ? new Tensor(tensor.dtype, tensor.data as never, tensor.shape) : tensor;
  const runOnDevice: Session["runOnDevice"] = async (feeds) => {
    const tensors = Object.entries(feeds).map(([name, tensor]) => [name, upload(tensor)] as const);
    return (await session.run(Object.fromEntries(tensors))) as Record<string, DeviceTensor>;
  };
  return {
    provider,
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    runOnDevice,
    run: async (feeds) => {
      const results = Object.entries(await runOnDevice(feeds));
      const hosted = results.map(async ([name, tensor]) => [name, await toHost(tensor)] as const);
      return Object.fromEntries(await Promise.all(hosted));
    },
    dispose: () => session.release(),
  };
}

/** Brings a tensor to main memory and gives up its place on the device. */
export async function toHost(tensor: DeviceTensor, keep = false): Promise<HostTensor> {
  const onDevice = tensor.location === "gpu-buffer";
  const data = (onDevice ? await tensor.getData(false) : tensor.data) as HostTensor["data"];
  if (onDevice && !keep) tensor.dispose();
  return { dtype: tensor.type as HostTensor["dtype"], shape: [...tensor.dims], data };
}
