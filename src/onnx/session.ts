import { InputError } from "../input-error.ts";
import { checkModel } from "./check-model.ts";
import { chooseProviders, type Provider, type ProviderChoice } from "./choose-provider.ts";
import {
  type DeviceTensor,
  type FedTensor,
  type HostTensor,
  type OpenModel,
  type OpenOptions,
  type ProviderName,
  processorsInNode,
} from "./runtime.ts";

export type { Provider };

/** Options for {@link createSession}. */
export interface SessionOptions {
  /** `auto` (default): see {@link chooseProviders}. */
  provider?: Provider | undefined;
  /** CPU threads; default: the runtime's choice. More than the free cores is slower. */
  threads?: number | undefined;
  /** Outputs that stay in GPU memory, for {@link Session.runOnDevice}. */
  keepOnDevice?: string[] | undefined;
  /** Set if the model will run hundreds of times, as in training. */
  manyRuns?: boolean | undefined;
  /** URL of the folder with ONNX Runtime's .wasm files; default: where the bundler put them. */
  wasmFolder?: string | undefined;
}

/** An opened model that can run repeatedly; it reports where it runs, and why. */
export interface Session extends ProviderChoice {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, FedTensor>): Promise<Record<string, HostTensor>>;
  /** Runs the graph and leaves outputs where they are; the caller must dispose of them. */
  runOnDevice(
    feeds: Record<string, FedTensor | DeviceTensor>,
  ): Promise<Record<string, DeviceTensor>>;
  /** Frees the model; the session cannot be used afterwards. */
  dispose(): Promise<void>;
}

/**
 * Opens an ONNX model with ONNX Runtime, in Node or in a browser.
 *
 * With `auto`, missing providers are skipped. A missing provider requested by name is an `InputError` that
 * lists the available ones.
 */
export async function createSession(
  model: Uint8Array,
  options: SessionOptions = {},
): Promise<Session> {
  checkModel(model);
  const choices = await chooseProviders(options.provider, options.manyRuns);
  const failures: string[] = [];
  for (const { runtime, ...choice } of choices) {
    try {
      return wrap(await runtime.open(model, openOptions(choice.provider, options)), choice);
    } catch (error) {
      failures.push(`${choice.provider}: ${lastWords(error)}`);
    }
  }
  throw new InputError(
    `The model cannot be opened (${failures.join("; ")}); try another provider.`,
  );
}

function openOptions(provider: ProviderName, options: SessionOptions): OpenOptions {
  const { keepOnDevice = [], manyRuns = false, wasmFolder } = options;
  // More spinning threads than processors are dozens of times slower.
  const threads = options.threads && Math.min(options.threads, processorsInNode() ?? Infinity);
  return { provider, threads, keepOnDevice, manyRuns, wasmFolder };
}

/** The end of ONNX Runtime's long messages describes the problem. */
function lastWords(error: unknown): string {
  if (error instanceof InputError) return error.message.replace(/\.$/, "");
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0].slice(-200);
}

function wrap({ session, Tensor }: OpenModel, choice: ProviderChoice): Session {
  const upload = (tensor: FedTensor | DeviceTensor): DeviceTensor =>
    "dtype" in tensor ? new Tensor(tensor.dtype, tensor.data as never, tensor.shape) : tensor;
  const runOnDevice: Session["runOnDevice"] = async (feeds) => {
    const tensors = Object.entries(feeds).map(([name, tensor]) => [name, upload(tensor)] as const);
    return (await session.run(Object.fromEntries(tensors))) as Record<string, DeviceTensor>;
  };
  return {
    ...choice,
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

/** Copies a tensor to main memory and frees it on the device. */
export async function toHost(tensor: DeviceTensor): Promise<HostTensor> {
  const onDevice = tensor.location === "gpu-buffer";
  const data = (onDevice ? await tensor.getData(false) : tensor.data) as HostTensor["data"];
  if (onDevice) tensor.dispose();
  return { dtype: tensor.type as HostTensor["dtype"], shape: [...tensor.dims], data };
}
