import { spend } from "../budget.ts";
import { damaged } from "../refusals.ts";
import { compactViews } from "./compact-views.ts";
import { type DracoLoader, decodeDraco } from "./decode-draco.ts";
import { dropExtensions, MESHOPT, meshoptOf } from "./gltf-json.ts";
import { addBuffer, type GltfSource } from "./gltf-source.ts";

const DRACO = "KHR_draco_mesh_compression";

// Meshopt's codecs spend at least some bits per 256 elements; far above that a claim is a lie.
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

/**
 * Unpacks Draco and Meshopt geometry in place, so that all else sees a plain glTF; the extension's
 * name leaves extensionsUsed and extensionsRequired.
 */
export async function decodeCompressed(source: GltfSource, draco?: DracoLoader): Promise<void> {
  const { json } = source;
  let decoded = false;
  if ((json.bufferViews ?? []).some((view) => meshoptOf(view))) {
    await decodeMeshopt(source);
    decoded = true;
  }
  const primitives = (json.meshes ?? []).flatMap((mesh) => mesh.primitives);
  if (primitives.some((primitive) => primitive.extensions?.[DRACO])) {
    await decodeDraco(source, draco);
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

async function decodeMeshopt(source: GltfSource): Promise<void> {
  const { MeshoptDecoder } = await import("meshoptimizer");
  await MeshoptDecoder.ready;
  const { name, json, buffers } = source;
  for (const [index, view] of json.bufferViews!.entries()) {
    const packed = meshoptOf(view) as MeshoptView | undefined;
    if (!packed) continue;
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
      throw damaged(name, `buffer view ${index} (Meshopt) cannot be unpacked`);
    }
    dropExtensions(view, MESHOPT);
    view.buffer = addBuffer(source, target);
    delete view.byteOffset;
  }
}
