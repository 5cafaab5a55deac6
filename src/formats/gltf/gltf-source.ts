import type { Budget } from "../budget.ts";
import type { Losses } from "../losses.ts";
import type { DaeOrigin, FbxOrigin } from "../origins.ts";
import { addEntry, type GltfBufferView, type GltfJson } from "./gltf-json.ts";

/** A glTF file in memory: its JSON as parsed and the bytes it refers to. */
export interface GltfSource {
  /** File name, for messages. */
  name: string;
  json: GltfJson;
  /** The bytes of json.buffers, in order, each at least as long as its byteLength. */
  buffers: Uint8Array[];
  /** Bytes of images kept beside the file, by their URI as written in the JSON. */
  images: Map<string, Uint8Array>;
  /** Of a file made from points and polygons, by mesh. */
  points?: Map<number, MeshPoints> | undefined;
  /** Of a file made from an FBX: what is needed to write weights back into that. */
  fbx?: FbxOrigin | undefined;
  /** The same for one made from a COLLADA file. */
  dae?: DaeOrigin | undefined;
  /** What was not found or left out on reading, a sentence each. */
  notes?: string[];
  /** What a file of another format has and this glTF does not. */
  lost?: Losses | undefined;
  /** What reading it may still take. */
  budget?: Budget | undefined;
}

/** The points a glTF mesh was made from. */
export interface MeshPoints {
  count: number;
  /** By primitive: the point behind each vertex. */
  of: Int32Array[];
  /** How points were moved to become vertices, 16 numbers. */
  placed: number[];
}

/** The bytes a view shows, not copied. */
export function viewBytes({ buffers }: GltfSource, view: GltfBufferView): Uint8Array {
  const start = view.byteOffset ?? 0;
  return buffers[view.buffer].subarray(start, start + view.byteLength);
}

/** Adds a buffer; returns its index. */
export function addBuffer({ json, buffers }: GltfSource, bytes: Uint8Array): number {
  addEntry(json, "buffers", { byteLength: bytes.length });
  return buffers.push(bytes) - 1;
}

/** What a URI inside a file stands for: only of buffers must there be any. */
export type NeighborKind = "buffer" | "picture" | "materials";

/** Fetches what a URI inside a file points at (a buffer unless told); undefined where there is nothing. */
export type ResolveUri = (uri: string, kind?: NeighborKind) => Promise<Uint8Array | undefined>;

/** Whether a URI holds its data itself. */
export function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

/** The bytes of a `data:` URI; undefined for any other URI, and for one that cannot be decoded. */
export function decodeDataUri(uri: string): Uint8Array | undefined {
  if (!isDataUri(uri)) return undefined;
  const comma = uri.indexOf(",");
  if (comma < 0) return undefined;
  const payload = uri.slice(comma + 1);
  try {
    if (!/;base64$/i.test(uri.slice(0, comma))) {
      return new TextEncoder().encode(decodeURIComponent(payload));
    }
    const text = atob(payload);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}
