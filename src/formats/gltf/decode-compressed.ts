import { createPacer, type Pacer } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { spend } from "../budget.ts";
import { damaged } from "../losses.ts";
import { COMPONENTS, FLOAT, readFloats, TYPE_SIZES, UNSIGNED_INT } from "./accessors.ts";
import { boundsOf, compactViews, INDEX_TARGET, VERTEX_TARGET } from "./gltf-builder.ts";
import {
  addEntry,
  dropExtensions,
  entry,
  type GltfPrimitive,
  MESHOPT,
  meshoptOf,
} from "./gltf-json.ts";
import { addBuffer, type GltfSource, viewBytes } from "./gltf-source.ts";

const DRACO = "KHR_draco_mesh_compression";

// Meshopt's codecs need some bits per 256 elements; a larger ratio means damaged data.
const LARGEST_RATIO = 4096;

interface MeshoptView {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride: number;
  count: number;
  mode: "ATTRIBUTES" | "TRIANGLES" | "INDICES";
  filter?: "NONE" | "OCTAHEDRAL" | "QUATERNION" | "EXPONENTIAL" | "COLOR";
}

/** Decodes Draco and Meshopt geometry in place and removes the extensions, leaving a plain glTF. */
export async function decodeCompressed(
  source: GltfSource,
  draco?: DracoLoader,
  pacer: Pacer = createPacer(),
): Promise<void> {
  try {
    await decodeAll(source, draco, pacer);
  } catch (error) {
    if (error instanceof InputError || !/memory|allocat/i.test(`${error}`)) throw error;
    throw new InputError({
      where: source.name,
      what: "there is not enough memory to decompress this file",
      remedy: { advice: "free some memory, or compress the file less" },
    });
  }
}

async function decodeAll(source: GltfSource, draco: DracoLoader | undefined, pacer: Pacer) {
  const { json } = source;
  let decoded = false;
  if ((json.bufferViews ?? []).some((view) => meshoptOf(view))) {
    await decodeMeshopt(source, pacer);
    decoded = true;
  }
  const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
  if (primitives.some((primitive) => primitive.extensions?.[DRACO])) {
    await decodeDraco(source, draco, pacer);
    decoded = true;
  }
  if (!decoded) return;
  const gone = [...MESHOPT, DRACO];
  for (const list of ["extensionsUsed", "extensionsRequired"] as const) {
    const left = json[list]?.filter((extension) => !gone.includes(extension));
    if (left && left.length > 0) json[list] = left;
    else delete json[list];
  }
  compactViews(source);
}

async function decodeMeshopt(source: GltfSource, { pause }: Pacer): Promise<void> {
  const { MeshoptDecoder } = await import("meshoptimizer");
  await MeshoptDecoder.ready;
  const { name, json, buffers } = source;
  for (const [index, view] of json.bufferViews!.entries()) {
    const packed = meshoptOf(view) as MeshoptView | undefined;
    if (!packed) continue;
    await pause();
    const { byteOffset: start = 0, byteLength, byteStride, count, mode, filter } = packed;
    const bytes = buffers[packed.buffer];
    const size = count * byteStride;
    const fits = bytes && start >= 0 && start + byteLength <= bytes.length;
    if (!fits || !(size <= byteLength * LARGEST_RATIO) || size !== view.byteLength) {
      throw damaged(name, `buffer view ${index} (Meshopt) does not fit its data`);
    }
    spend(source.budget, size);
    const target = new Uint8Array(size);
    const content = bytes.subarray(start, start + byteLength);
    try {
      MeshoptDecoder.decodeGltfBuffer(target, count, byteStride, content, mode, filter);
    } catch {
      throw damaged(name, `buffer view ${index} (Meshopt) cannot be decoded`);
    }
    dropExtensions(view, MESHOPT);
    view.buffer = addBuffer(source, target);
    delete view.byteOffset;
  }
}

/** The part of the Draco decoder module (draco3dgltf) that is used. */
export interface DracoModule {
  Decoder: new () => DracoDecoder;
  DecoderBuffer: new () => { Init(data: Int8Array, size: number): void };
  Mesh: new () => DracoMesh;
  TRIANGULAR_MESH: number;
  HEAPU8: Uint8Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  destroy(object: unknown): void;
  [dataType: `DT_${string}`]: number;
}

interface DracoMesh {
  num_points(): number;
  num_faces(): number;
}

interface DracoDecoder {
  GetEncodedGeometryType(buffer: unknown): number;
  DecodeBufferToMesh(buffer: unknown, mesh: DracoMesh): { ok(): boolean; ptr: number };
  GetAttributeByUniqueId(mesh: DracoMesh, id: number): { ptr: number; num_components(): number };
  GetAttributeDataArrayForAllPoints(
    mesh: DracoMesh,
    attribute: unknown,
    type: number,
    bytes: number,
    pointer: number,
  ): boolean;
  GetTrianglesUInt32Array(mesh: DracoMesh, bytes: number, pointer: number): boolean;
}

/** Loads the Draco decoder; a web page passes its own, Node loads draco3dgltf. */
export type DracoLoader = () => Promise<DracoModule>;

/** Decodes every Draco primitive of a source in place: its accessors get new views. */
async function decodeDraco(
  source: GltfSource,
  load: DracoLoader = loadDraco3d,
  { pause }: Pacer,
): Promise<void> {
  const module = await load();
  for (const [m, mesh] of source.json.meshes!.entries()) {
    for (const [p, primitive] of mesh.primitives.entries()) {
      if (!primitive.extensions?.[DRACO]) continue;
      await pause();
      decodePrimitive(source, module, primitive, `primitive ${p} of mesh ${m}`);
      dropExtensions(primitive, [DRACO]);
    }
  }
}

// In a variable so that bundlers leave this Node-only package out of web pages.
const DRACO_PACKAGE = "draco3dgltf";

/** The decoder is shared until its memory, which never shrinks, has grown beyond this. */
const LARGE_HEAP = 64 * 2 ** 20;
let shared: DracoModule | undefined;

async function loadDraco3d(): Promise<DracoModule> {
  if (shared && shared.HEAPU8.length <= LARGE_HEAP) return shared;
  const { default: draco3d } = (await import(
    /* webpackIgnore: true */ /* @vite-ignore */ DRACO_PACKAGE
  )) as {
    default: { createDecoderModule(): Promise<DracoModule> };
  };
  shared = await draco3d.createDecoderModule();
  return shared;
}

function decodePrimitive(
  source: GltfSource,
  module: DracoModule,
  primitive: GltfPrimitive,
  what: string,
): void {
  const { name, json } = source;
  const unreadable = damaged(name, `${what} (Draco) cannot be decoded`);
  const packed = primitive.extensions![DRACO] as {
    bufferView: number;
    attributes: Record<string, number>;
  };
  const view = json.bufferViews?.[packed.bufferView];
  if (!view || !packed.attributes) throw unreadable;
  const bytes = viewBytes(source, view).slice();
  const decoder = new module.Decoder();
  const input = new module.DecoderBuffer();
  const mesh = new module.Mesh();
  try {
    input.Init(new Int8Array(bytes.buffer), bytes.length);
    if (decoder.GetEncodedGeometryType(input) !== module.TRIANGULAR_MESH) throw unreadable;
    if (!decoder.DecodeBufferToMesh(input, mesh).ok()) throw unreadable;
    for (const [semantic, id] of Object.entries(packed.attributes)) {
      const accessor = json.accessors?.[primitive.attributes[semantic]];
      const attribute = decoder.GetAttributeByUniqueId(mesh, id);
      if (!accessor || attribute.ptr === 0) throw unreadable;
      const columns = TYPE_SIZES[accessor.type];
      if (attribute.num_components() !== columns) throw unreadable;
      const { bytes: width, draco } = COMPONENTS[accessor.componentType];
      const size = mesh.num_points() * columns * width;
      spend(source.budget, size);
      const data = copyOut(module, size, (pointer) =>
        decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, module[draco], size, pointer),
      );
      accessor.count = mesh.num_points();
      attach(source, primitive.attributes[semantic], data, columns);
    }
    if (primitive.indices !== undefined) {
      const size = mesh.num_faces() * 12;
      spend(source.budget, size);
      const data = copyOut(module, size, (pointer) =>
        decoder.GetTrianglesUInt32Array(mesh, size, pointer),
      );
      const accessor = entry(json, "accessors", primitive.indices);
      accessor.componentType = UNSIGNED_INT;
      accessor.count = mesh.num_faces() * 3;
      attach(source, primitive.indices, data, 1);
    }
  } catch (error) {
    // The decoder may fail in undocumented ways on damaged data; a missing name is an internal error.
    const isKnown = [InputError, TypeError, ReferenceError].some((kind) => error instanceof kind);
    throw isKnown ? error : unreadable;
  } finally {
    for (const object of [mesh, input, decoder]) module.destroy(object);
  }
}

function copyOut(module: DracoModule, size: number, fill: (pointer: number) => boolean) {
  const pointer = module._malloc(size);
  try {
    fill(pointer);
    return module.HEAPU8.slice(pointer, pointer + size);
  } finally {
    module._free(pointer);
  }
}

/** Stores the data of an accessor in a new view; elements of 1- and 2-byte components are padded to 4. */
function attach(source: GltfSource, index: number, data: Uint8Array, components: number): void {
  const { json } = source;
  const accessor = entry(json, "accessors", index);
  const width = COMPONENTS[accessor.componentType].bytes * components;
  const isVertexData = accessor.componentType === FLOAT || components > 1;
  const stride = isVertexData ? Math.ceil(width / 4) * 4 : width;
  const rows = data.length / width;
  let bytes = data;
  if (stride !== width) {
    bytes = new Uint8Array(rows * stride);
    for (let row = 0; row < rows; row++)
      bytes.set(data.subarray(row * width, (row + 1) * width), row * stride);
  }
  accessor.bufferView = addEntry(json, "bufferViews", {
    buffer: addBuffer(source, bytes),
    byteLength: bytes.length,
    ...(stride !== width ? { byteStride: stride } : {}),
    target: isVertexData ? VERTEX_TARGET : INDEX_TARGET,
  });
  delete accessor.byteOffset;
  // Compression is lossy; stated bounds must still be exact.
  if ((accessor.min || accessor.max) && accessor.componentType === FLOAT) {
    Object.assign(accessor, boundsOf(readFloats(source, index), components));
  }
}
