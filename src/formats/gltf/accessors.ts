import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";

/** Components per element, by accessor type. */
export const TYPE_SIZES: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

interface ComponentType {
  bytes: number;
  read(view: DataView, at: number): number;
  /** The integer that represents 1 if normalized. */
  one?: number;
  draco: `DT_${string}`;
}

/** glTF component types by their number in the file. */
export const UNSIGNED_INT = 5125;
export const FLOAT = 5126;

export const COMPONENTS: Readonly<Record<number, ComponentType>> = {
  5120: { bytes: 1, one: 127, draco: "DT_INT8", read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, one: 255, draco: "DT_UINT8", read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, one: 32767, draco: "DT_INT16", read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, one: 65535, draco: "DT_UINT16", read: (view, at) => view.getUint16(at, true) },
  [UNSIGNED_INT]: { bytes: 4, draco: "DT_UINT32", read: (view, at) => view.getUint32(at, true) },
  [FLOAT]: { bytes: 4, draco: "DT_FLOAT32", read: (view, at) => view.getFloat32(at, true) },
};

/**
 * Returns the values of an accessor as floats, element by element: strides, sparse data and normalized
 * integers are resolved. The source must have passed `checkGltf`.
 */
export function readFloats(source: GltfSource, index: number): Float32Array {
  return readAs(Float32Array, source, index);
}

/** Returns the values of an accessor as integers: indices of vertices or joints. */
export function readIntegers(source: GltfSource, index: number): Uint32Array {
  return readAs(Uint32Array, source, index);
}

function readAs<T extends Float32Array | Uint32Array>(
  kind: new (size: number) => T,
  source: GltfSource,
  index: number,
): T {
  const { json } = source;
  const accessor = entry(json, "accessors", index);
  const size = TYPE_SIZES[accessor.type];
  const out = new kind(accessor.count * size);
  const { bytes, read: readInteger, one } = COMPONENTS[accessor.componentType];
  const isNormalized = accessor.normalized === true && one && out instanceof Float32Array;
  const read: typeof readInteger = isNormalized
    ? (view, at) => Math.max(readInteger(view, at) / one, -1)
    : readInteger;
  if (accessor.bufferView !== undefined) {
    const stride = entry(json, "bufferViews", accessor.bufferView).byteStride ?? size * bytes;
    const view = viewAt(source, accessor.bufferView, accessor.byteOffset ?? 0);
    for (let row = 0; row < accessor.count; row++) {
      for (let c = 0; c < size; c++) out[row * size + c] = read(view, row * stride + c * bytes);
    }
  }
  if (accessor.sparse) {
    const { count, indices, values } = accessor.sparse;
    const index = COMPONENTS[indices.componentType];
    const rows = viewAt(source, indices.bufferView, indices.byteOffset ?? 0);
    const data = viewAt(source, values.bufferView, values.byteOffset ?? 0);
    for (let i = 0; i < count; i++) {
      const row = index.read(rows, i * index.bytes);
      if (row >= accessor.count) continue;
      for (let c = 0; c < size; c++) out[row * size + c] = read(data, (i * size + c) * bytes);
    }
  }
  return out;
}

function viewAt({ json, buffers }: GltfSource, index: number, offset: number): DataView {
  const view = entry(json, "bufferViews", index);
  const buffer = buffers[view.buffer];
  const start = (view.byteOffset ?? 0) + offset;
  return new DataView(buffer.buffer, buffer.byteOffset + start, view.byteLength - offset);
}
