import type { InferenceSession, Tensor, TensorConstructor } from "onnxruntime-common";

/** Where a graph runs: `cpu` is the processor by native code, `wasm` the processor anywhere. */
export type ProviderName = "cpu" | "wasm" | "webgpu";

/** How to open a model, as far as the runtimes differ. */
export interface OpenOptions {
  provider: ProviderName;
  /** Processor threads; undefined = the runtime's choice. */
  threads: number | undefined;
  /** Outputs that stay in GPU memory. */
  keepOnDevice: string[];
  /** Whether the model will run hundreds of times at much the same sizes. */
  manyRuns: boolean;
  /** Folder with ONNX Runtime's .wasm files; undefined = where the package or the bundler put them. */
  wasmFolder: string | undefined;
}

/** One build of ONNX Runtime. */
export interface Runtime {
  open(model: Uint8Array, options: OpenOptions): Promise<OpenModel>;
}

/** An opened model with the tensor class of its runtime. */
export interface OpenModel {
  session: InferenceSession;
  Tensor: TensorConstructor;
}

/** A tensor of ONNX Runtime, in main or in GPU memory. */
export type DeviceTensor = Tensor;

/** Warnings are for developers of graphs, not for users; our tests lower this to see them. */
export const LOG_ERRORS = 3;

/** Which outputs to leave on the GPU, in ONNX Runtime's words. */
export function outputLocations({ provider, keepOnDevice }: OpenOptions): {
  preferredOutputLocation?: Record<string, "gpu-buffer">;
} {
  if (provider !== "webgpu" || keepOnDevice.length === 0) return {};
  const places = keepOnDevice.map((name) => [name, "gpu-buffer"] as const);
  return { preferredOutputLocation: Object.fromEntries(places) };
}

/**
 * How a processor is to hold memory, in ONNX Runtime's words.
 *
 * After the first run ONNX Runtime would set aside one block for all tensors of a run of that shape,
 * beside what it holds already: twice the memory, for graphs that hardly ever come twice.
 */
export function memoryUse({ provider }: OpenOptions): { enableMemPattern?: boolean } {
  return provider === "webgpu" ? {} : { enableMemPattern: false };
}

/** How many processors Node has for us; nothing elsewhere. */
export function processorsInNode(): number | undefined {
  return globalThis.process?.getBuiltinModule?.("node:os").availableParallelism();
}

/** A tensor in main memory, as graphs take and give it. */
export interface HostTensor {
  dtype: "float32" | "int32" | "bool";
  shape: number[];
  /** Row-major; Uint8Array of 0 and 1 for bool. */
  data: Float32Array | Int32Array | Uint8Array;
}

/** Sizes and places, which ONNX wants as 64-bit integers. */
export interface SizeTensor {
  dtype: "int64";
  shape: number[];
  data: BigInt64Array;
}

/** What a graph may be fed. */
export type FedTensor = HostTensor | SizeTensor;

/** A float tensor from its values. */
export function floatTensor(data: Float32Array, shape: number[]): HostTensor {
  return checked({ dtype: "float32", shape, data });
}

/** A tensor from its values, of floats or of integers as they are. */
export function hostTensor(data: Float32Array | Int32Array, shape: number[]): HostTensor {
  return checked({ dtype: data instanceof Int32Array ? "int32" : "float32", shape, data });
}

/** A tensor of one float without dimensions. */
export function scalarTensor(value: number): HostTensor {
  return { dtype: "float32", shape: [], data: Float32Array.of(value) };
}

function checked(tensor: HostTensor): HostTensor {
  const size = tensor.shape.reduce((product, length) => product * length, 1);
  if (size !== tensor.data.length) {
    throw new Error(
      `HostTensor: shape [${tensor.shape}] does not hold ${tensor.data.length} values.`,
    );
  }
  return tensor;
}
