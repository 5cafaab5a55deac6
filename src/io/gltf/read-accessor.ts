import { COMPONENTS, TYPE_SIZES } from "./accessor-types.ts";
import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";

/**
 * The numbers of an accessor as floats, row after row: strides, sparse parts and normalised
 * integers resolved. The source must have passed `checkGltf`.
 */
export function readFloats(source: GltfSource, index: number): Float32Array {
  return readAs(Float32Array, source, index);
}

/** The numbers of an accessor as whole numbers, row after row: indices of vertices or joints. */
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
  const { bytes, read: readWhole, whole } = COMPONENTS[accessor.componentType];
  const isShare = accessor.normalized === true && whole && out instanceof Float32Array;
  const read: typeof readWhole = isShare
    ? (view, at) => Math.max(readWhole(view, at) / whole, -1)
    : readWhole;
  if (accessor.bufferView !== undefined) {
    const stride = entry(json, "bufferViews", accessor.bufferView).byteStride ?? size * bytes;
    const view = viewAt(source, accessor.bufferView, accessor.byteOffset ?? 0);
    for (let row = 0; row < accessor.count; row++) {
      for (let c = 0; c < size; c++) out[row * size + c] = read(view, row * stride + c * bytes);
    }
  }
  if (accessor.sparse) {
    const { count, indices, values } = accessor.sparse;
    const place = COMPONENTS[indices.componentType];
    const rows = viewAt(source, indices.bufferView, indices.byteOffset ?? 0);
    const data = viewAt(source, values.bufferView, values.byteOffset ?? 0);
    for (let i = 0; i < count; i++) {
      const row = place.read(rows, i * place.bytes);
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
