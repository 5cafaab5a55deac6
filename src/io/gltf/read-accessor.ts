import {
  BYTE,
  componentBytes,
  FLOAT,
  SHORT,
  typeSize,
  UNSIGNED_BYTE,
  UNSIGNED_SHORT,
} from "./accessor-types.ts";
import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";

type Component = (view: DataView, at: number) => number;

const READERS: Record<number, Component> = {
  5120: (view, at) => view.getInt8(at),
  5121: (view, at) => view.getUint8(at),
  5122: (view, at) => view.getInt16(at, true),
  5123: (view, at) => view.getUint16(at, true),
  5125: (view, at) => view.getUint32(at, true),
  5126: (view, at) => view.getFloat32(at, true),
};

/**
 * The numbers of an accessor as floats, row after row: strides, sparse parts and normalised
 * integers resolved. The source must have passed `checkGltf`.
 */
export function readFloats(source: GltfSource, index: number): Float32Array {
  const accessor = entry(source.json, "accessors", index);
  const size = accessor.count * typeSize(accessor.type)!;
  return readInto(source, index, new Float32Array(size));
}

/** The numbers of an accessor as whole numbers, row after row: indices of vertices or joints. */
export function readIntegers(source: GltfSource, index: number): Uint32Array {
  const accessor = entry(source.json, "accessors", index);
  const size = accessor.count * typeSize(accessor.type)!;
  return readInto(source, index, new Uint32Array(size));
}

function readInto<T extends Float32Array | Uint32Array>(
  source: GltfSource,
  index: number,
  out: T,
): T {
  const { json } = source;
  const accessor = entry(json, "accessors", index);
  const size = typeSize(accessor.type)!;
  const bytes = componentBytes(accessor.componentType)!;
  const read = reader(
    accessor.componentType,
    accessor.normalized === true && out instanceof Float32Array,
  );
  if (accessor.bufferView !== undefined) {
    const stride = entry(json, "bufferViews", accessor.bufferView).byteStride ?? size * bytes;
    const view = viewAt(source, accessor.bufferView, accessor.byteOffset ?? 0);
    for (let row = 0; row < accessor.count; row++) {
      for (let c = 0; c < size; c++) out[row * size + c] = read(view, row * stride + c * bytes);
    }
  }
  if (accessor.sparse) {
    const { count, indices, values } = accessor.sparse;
    const rowReader = reader(indices.componentType, false);
    const rowBytes = componentBytes(indices.componentType)!;
    const rows = viewAt(source, indices.bufferView, indices.byteOffset ?? 0);
    const data = viewAt(source, values.bufferView, values.byteOffset ?? 0);
    for (let i = 0; i < count; i++) {
      const row = rowReader(rows, i * rowBytes);
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

function reader(componentType: number, normalized: boolean): Component {
  const read = READERS[componentType];
  if (!normalized || componentType === FLOAT) return read;
  if (componentType === UNSIGNED_BYTE) return (view, at) => read(view, at) / 255;
  if (componentType === UNSIGNED_SHORT) return (view, at) => read(view, at) / 65535;
  if (componentType === BYTE) return (view, at) => Math.max(read(view, at) / 127, -1);
  if (componentType === SHORT) return (view, at) => Math.max(read(view, at) / 32767, -1);
  return read;
}
