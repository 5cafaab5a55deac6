import { InputError } from "../input-error.ts";
import { chooseProviders, type Provider, type ProviderChoice } from "./choose-provider.ts";
import { ONNX_TYPE } from "./onnx-writer.ts";
import { type ProtobufField, readProtobuf } from "./protobuf.ts";
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

/** Operator sets of a model; others would need code that is not part of ONNX Runtime. */
const DOMAINS = new Set(["", "ai.onnx", "com.microsoft"]);

/** Bytes per element of the types whose size is checked. */
const WIDTHS = new Map<number, number>([
  [ONNX_TYPE.float32, 4],
  [ONNX_TYPE.float16, 2],
  [ONNX_TYPE.int64, 8],
  [ONNX_TYPE.int32, 4],
]);

/**
 * Throws `InputError` for a model that names files, contains programs (loops, branches, functions), or claims
 * larger constants than it has bytes. ONNX Runtime would read such files from anywhere on the disk.
 *
 * Field numbers are those of onnx.proto.
 */
export function checkModel(model: Uint8Array): void {
  const problem = problemOf(model);
  if (problem) throw new InputError(`The model ${problem}; use a model from a source you trust.`);
}

function problemOf(model: Uint8Array): string | undefined {
  try {
    const fields = readProtobuf(model);
    if (fields.some(({ number }) => number === 25)) return "defines functions";
    for (const { bytes } of fields.filter(({ number }) => number === 7)) {
      const problem = problemOfGraph(readProtobuf(bytes));
      if (problem) return problem;
    }
    return undefined;
  } catch {
    return "is not an ONNX file, or is damaged";
  }
}

function problemOfGraph(graph: ProtobufField[]): string | undefined {
  for (const { number, bytes } of graph) {
    const problem =
      number === 1
        ? problemOfNode(readProtobuf(bytes))
        : number === 5
          ? problemOfTensor(readProtobuf(bytes))
          : number === 15
            ? "has sparse constants"
            : undefined;
    if (problem) return problem;
  }
  return undefined;
}

function problemOfNode(node: ProtobufField[]): string | undefined {
  for (const { number, bytes } of node) {
    if (number === 7 && !DOMAINS.has(textOf(bytes))) return `uses operators of "${textOf(bytes)}"`;
    if (number !== 5) continue;
    for (const attribute of readProtobuf(bytes)) {
      if (attribute.number === 6 || attribute.number === 11) return "contains loops or branches";
      if (attribute.number !== 5) continue;
      const problem = problemOfTensor(readProtobuf(attribute.bytes));
      if (problem) return problem;
    }
  }
  return undefined;
}

function problemOfTensor(tensor: ProtobufField[]): string | undefined {
  let [elements, type, raw] = [1, 0, -1];
  for (const { number, integer, bytes } of tensor) {
    if (number === 13 || (number === 14 && integer !== 0n)) return "keeps its data in other files";
    if (number === 1) elements *= Number(integer);
    else if (number === 2) type = Number(integer);
    else if (number === 9) raw = bytes.length;
  }
  const width = WIDTHS.get(type);
  const isComplete = raw < 0 || width === undefined || elements * width === raw;
  return isComplete ? undefined : "claims constants of another size than it has";
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
