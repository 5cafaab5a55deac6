import type { InferenceSession, Tensor, TensorConstructor } from "onnxruntime-common";

/** Where a graph runs: `cpu` is native code, `wasm` is portable. */
export type ProviderName = "cpu" | "wasm" | "webgpu";

/** Options that the runtimes need to open a model. */
export interface OpenOptions {
  provider: ProviderName;
  /** CPU threads; undefined = the runtime's choice. */
  threads: number | undefined;
  keepOnDevice: string[];
  /** Whether the model will run hundreds of times at similar sizes. */
  manyRuns: boolean;
  /** Folder with ONNX Runtime's .wasm files; undefined = set by the package or the bundler. */
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

/** Warnings are for developers of graphs; tests lower this to see them. */
export const LOG_ERRORS = 3;

/** Returns the session option for outputs that stay on the GPU. */
export function outputLocations({ provider, keepOnDevice }: OpenOptions): {
  preferredOutputLocation?: Record<string, "gpu-buffer">;
} {
  if (provider !== "webgpu" || keepOnDevice.length === 0) return {};
  const locations = keepOnDevice.map((name) => [name, "gpu-buffer"] as const);
  return { preferredOutputLocation: Object.fromEntries(locations) };
}

/**
 * Returns the session option for CPU memory.
 *
 * After the first run ONNX Runtime would allocate one block for all tensors of a run of that shape, in addition
 * to its arena: twice the memory, for shapes that rarely repeat.
 */
export function memoryUse({ provider }: OpenOptions): { enableMemPattern?: boolean } {
  return provider === "webgpu" ? {} : { enableMemPattern: false };
}

/** Returns the number of processors available to Node; undefined elsewhere. */
export function processorsInNode(): number | undefined {
  return globalThis.process?.getBuiltinModule?.("node:os").availableParallelism();
}

/** A tensor in main memory. */
export interface HostTensor {
  dtype: "float32" | "int32" | "bool";
  shape: number[];
  /** Row-major; Uint8Array of 0 and 1 for bool. */
  data: Float32Array | Int32Array | Uint8Array;
}

/** Sizes and offsets, which ONNX requires as 64-bit integers. */
export interface SizeTensor {
  dtype: "int64";
  shape: number[];
  data: BigInt64Array;
}

/** A tensor to feed to a graph. */
export type FedTensor = HostTensor | SizeTensor;

/** Creates a float tensor. */
export function floatTensor(data: Float32Array, shape: number[]): HostTensor {
  return checked({ dtype: "float32", shape, data });
}

/** Creates a tensor of floats or integers. */
export function hostTensor(data: Float32Array | Int32Array, shape: number[]): HostTensor {
  return checked({ dtype: data instanceof Int32Array ? "int32" : "float32", shape, data });
}

/** Creates a float tensor without dimensions. */
export function scalarTensor(value: number): HostTensor {
  return { dtype: "float32", shape: [], data: Float32Array.of(value) };
}

function checked(tensor: HostTensor): HostTensor {
  const size = tensor.shape.reduce((product, length) => product * length, 1);
  if (size === tensor.data.length) return tensor;
  throw new Error(`HostTensor: shape [${tensor.shape}] does not fit ${tensor.data.length} values.`);
}
