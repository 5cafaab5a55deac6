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
