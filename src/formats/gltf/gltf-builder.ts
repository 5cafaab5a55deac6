import { affine } from "../../math/mat4.ts";
import { COMPONENTS, TYPE_SIZES } from "./accessors.ts";
import { align4 } from "./glb.ts";
import { addEntry, entry, type GltfAccessor, type GltfJson } from "./gltf-json.ts";
import { type GltfSource, viewBytes } from "./gltf-source.ts";

/** A glTF under construction: its JSON and one growing buffer. */
export interface GltfBuilder {
  json: GltfJson;
  /** Buffer contents up to `size`; the rest is spare capacity. */
  bytes: Uint8Array;
  size: number;
}

/** Targets of buffer views: vertex attributes, or triangle indices. */
export const VERTEX_TARGET = 34962;
export const INDEX_TARGET = 34963;

/** Contents of an accessor. */
export interface AccessorData {
  data: Uint8Array | Uint16Array | Uint32Array | Float32Array;
  type: "SCALAR" | "VEC2" | "VEC3" | "VEC4" | "MAT4";
  normalized?: boolean;
  /** For vertex attributes and indices only. */
  target?: number;
  /** Whether to state min and max, as glTF requires for positions and times. */
  bounds?: boolean;
}

/** Starts a builder; the JSON is copied, the buffers are joined into one, each aligned to 4 bytes. */
export function createGltfBuilder(json: GltfJson, buffers: Uint8Array[] = []): GltfBuilder {
  const builder: GltfBuilder = { json: structuredClone(json), bytes: new Uint8Array(0), size: 0 };
  const starts = buffers.map((buffer) => appendBytes(builder, buffer));
  for (const view of builder.json.bufferViews ?? []) {
    const start = starts[view.buffer] + (view.byteOffset ?? 0);
    view.buffer = 0;
    if (start > 0 || view.byteOffset !== undefined) view.byteOffset = start;
  }
  return builder;
}

/** Adds a view of bytes; returns its index. */
export function addView(builder: GltfBuilder, bytes: Uint8Array, target?: number): number {
  const byteOffset = appendBytes(builder, bytes);
  const view = { buffer: 0, byteOffset, byteLength: bytes.length, ...(target ? { target } : {}) };
  return addEntry(builder.json, "bufferViews", view);
}

/** Adds an accessor and its data; returns its index. */
export function addAccessor(builder: GltfBuilder, what: AccessorData): number {
  const blank = { componentType: 0, count: 0, type: what.type };
  const index = addEntry(builder.json, "accessors", blank);
  setAccessor(builder, index, what);
  return index;
}

/** Adds a skin; returns its index. */
export function addSkin(builder: GltfBuilder, joints: number[], inverseBinds: number[][]): number {
  builder.json.skins ??= [];
  const data = Float32Array.from(inverseBinds.flatMap(affine));
  const inverseBindMatrices = addAccessor(builder, { data, type: "MAT4" });
  return addEntry(builder.json, "skins", { joints, inverseBindMatrices });
}

/**
 * Replaces the data of an accessor. Its old bytes are reused if nothing else refers to them and they suffice,
 * so that binding a file repeatedly does not make it grow.
 *
 * @param uses needed only for an accessor that has data
 */
export function setAccessor(
  builder: GltfBuilder,
  index: number,
  what: AccessorData,
  uses?: GltfUses,
): void {
  const { json } = builder;
  const { data, type, normalized, target, bounds } = what;
  const old = entry(json, "accessors", index);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const room = uses && ownView(builder, old, bytes.length, uses);
  const accessor: GltfAccessor = {
    bufferView: room ?? addView(builder, bytes, target),
    componentType: componentTypeOf(data),
    count: data.length / TYPE_SIZES[type],
    type,
    ...(normalized ? { normalized } : {}),
    ...(old.name === undefined ? {} : { name: old.name }),
    ...(bounds ? boundsOf(data, TYPE_SIZES[type]) : {}),
  };
  json.accessors?.splice(index, 1, accessor);
  if (room === undefined) return;
  const view = entry(json, "bufferViews", room);
  builder.bytes.set(bytes, view.byteOffset ?? 0);
  view.byteLength = bytes.length;
  delete view.byteStride;
  if (target) view.target = target;
}

/** Index of the accessor's view if nothing else uses its bytes and `size` of them fit. */
function ownView(
  { json }: GltfBuilder,
  accessor: GltfAccessor,
  size: number,
  uses: GltfUses,
): number | undefined {
  const index = accessor.bufferView;
  if (index === undefined || accessor.sparse) return undefined;
  const view = entry(json, "bufferViews", index);
  const width = TYPE_SIZES[accessor.type] * COMPONENTS[accessor.componentType].bytes;
  if (view.byteLength < size || view.byteLength > accessor.count * width) return undefined;
  if ((view.byteOffset ?? 0) % 4 !== 0 || uses.overlapping.has(index)) return undefined;
  return uses.views.get(index) === 1 ? index : undefined;
}

/** How often a JSON refers to its accessors and views; counted once, since files may have thousands. */
export interface GltfUses {
  /** By accessor; the caller keeps it up to date. */
  accessors: Map<number, number>;
  views: Map<number, number>;
  /** Views that share bytes with another. */
  overlapping: Set<number>;
}

/** Counts the references to accessors and views. */
export function countUses(json: GltfJson): GltfUses {
  const uses: GltfUses = { accessors: new Map(), views: new Map(), overlapping: new Set() };
  eachViewReference(json, ({ bufferView }) => addUses(uses.views, bufferView, 1));
  const used: (number | undefined)[] = (json.skins ?? []).map((skin) => skin.inverseBindMatrices);
  for (const animation of json.animations ?? []) {
    for (const sampler of animation.samplers) used.push(sampler.input, sampler.output);
  }
  for (const mesh of json.meshes ?? []) {
    for (const primitive of mesh.primitives) {
      used.push(primitive.indices, ...Object.values(primitive.attributes));
      for (const target of primitive.targets ?? []) used.push(...Object.values(target));
    }
  }
  for (const index of used) if (index !== undefined) addUses(uses.accessors, index, 1);
  markOverlaps(json, uses.overlapping);
  return uses;
}

/** Adds to the number of references to an accessor or view. */
export function addUses(uses: Map<number, number>, index: number, count: number): void {
  uses.set(index, (uses.get(index) ?? 0) + count);
}

/** Marks the views that share bytes with another, in order of their start. */
function markOverlaps({ bufferViews = [] }: GltfJson, overlapping: Set<number>): void {
  const start = (index: number) => bufferViews[index].byteOffset ?? 0;
  const order = bufferViews.map((_, index) => index).sort((a, b) => start(a) - start(b));
  let furthest: number | undefined;
  for (const index of order) {
    const end = start(index) + bufferViews[index].byteLength;
    const last = furthest === undefined ? 0 : start(furthest) + bufferViews[furthest].byteLength;
    if (furthest !== undefined && start(index) < last && end > start(index)) {
      overlapping.add(index).add(furthest);
    }
    if (furthest === undefined || end > last) furthest = index;
  }
}

function appendBytes(builder: GltfBuilder, bytes: Uint8Array): number {
  const start = align4(builder.size);
  const end = start + bytes.length;
  if (end > builder.bytes.length) {
    const larger = new Uint8Array(align4(Math.max(end, builder.bytes.length * 2)));
    larger.set(builder.bytes.subarray(0, builder.size));
    builder.bytes = larger;
  }
  builder.bytes.set(bytes, start);
  builder.size = end;
  return start;
}

function componentTypeOf(data: AccessorData["data"]): number {
  if (data instanceof Uint8Array) return 5121;
  if (data instanceof Uint16Array) return 5123;
  return data instanceof Uint32Array ? 5125 : 5126;
}

/** Returns the min and max of each column of rows of `size` numbers. */
export function boundsOf(
  data: AccessorData["data"],
  size: number,
): { min: number[]; max: number[] } {
  const min = new Array<number>(size).fill(Infinity);
  const max = new Array<number>(size).fill(-Infinity);
  for (let i = 0; i < data.length; i++) {
    min[i % size] = Math.min(min[i % size], data[i]);
    max[i % size] = Math.max(max[i % size], data[i]);
  }
  return { min, max };
}

/** Packs the referenced views into one buffer, in order, and drops the others (compressed data). */
export function compactViews(source: GltfSource): void {
  const { json } = source;
  const views = json.bufferViews ?? [];
  const used = new Set<number>();
  eachViewReference(json, (holder) => used.add(holder.bufferView));
  const kept = views.map((_, index) => index).filter((index) => used.has(index));
  const renumbered = new Map(kept.map((old, index) => [old, index]));
  const total = kept.reduce((sum, index) => sum + align4(views[index].byteLength), 0);
  const bytes = new Uint8Array(total);
  let end = 0;
  for (const index of kept) {
    const view = views[index];
    bytes.set(viewBytes(source, view), end);
    view.buffer = 0;
    view.byteOffset = end;
    end += align4(view.byteLength);
  }
  eachViewReference(json, (holder) => {
    holder.bufferView = renumbered.get(holder.bufferView)!;
  });
  json.bufferViews = kept.map((index) => views[index]);
  json.buffers = [{ byteLength: total }];
  source.buffers = [bytes];
}

/** Calls `visit` for each object anywhere in a JSON that refers to a buffer view. */
function eachViewReference(value: unknown, visit: (holder: { bufferView: number }) => void): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as { bufferView?: unknown };
  if (typeof holder.bufferView === "number") visit(holder as { bufferView: number });
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    eachViewReference(child, visit);
  }
}
