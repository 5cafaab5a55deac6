import { type Budget, spend } from "../budget.ts";
import type { DaeDocument } from "../dae/dae-document.ts";
import type { DaeSkinJoints } from "../dae/dae-skin.ts";
import type { XmlElement } from "../dae/xml.ts";
import type { Losses } from "../losses.ts";
import { addEntry, entry, type GltfBufferView, type GltfJson } from "./gltf-json.ts";

/** A glTF file in memory: its JSON as parsed and the bytes it refers to. */
export interface GltfSource {
  name: string;
  json: GltfJson;
  /** The bytes of json.buffers, in order, each at least as long as its byteLength. */
  buffers: Uint8Array[];
  /** Bytes of external images, by their URI as written in the JSON. */
  images: Map<string, Uint8Array>;
  /** For a file made from points and polygons, by mesh. */
  points?: Map<number, MeshPoints> | undefined;
  /** For a file made from an FBX: the data needed to write weights back into it. */
  fbx?: FbxOrigin | undefined;
  /** For a file made from a COLLADA file. */
  dae?: DaeOrigin | undefined;
  /** Warnings about missing and skipped content, a sentence each. */
  notes?: string[];
  /** What a file of another format has and this glTF does not. */
  losses?: Losses | undefined;
  budget?: Budget | undefined;
}

/** The points a glTF mesh was made from. */
interface MeshPoints {
  count: number;
  /** By primitive: the point behind each vertex. */
  of: Int32Array[];
  /** The transform from points to vertices, 16 numbers. */
  placed: number[];
}

/** Returns the bytes of a view, not copied. */
export function viewBytes({ buffers }: GltfSource, view: GltfBufferView): Uint8Array {
  const start = view.byteOffset ?? 0;
  return buffers[view.buffer].subarray(start, start + view.byteLength);
}

/** Adds a buffer; returns its index. */
export function addBuffer({ json, buffers }: GltfSource, bytes: Uint8Array): number {
  addEntry(json, "buffers", { byteLength: bytes.length });
  return buffers.push(bytes) - 1;
}

/** What a URI inside a file refers to; only a missing buffer is an error. */
export type NeighborKind = "buffer" | "picture" | "materials";

/** Fetches the file that a URI refers to (default kind: buffer); undefined if it does not exist. */
export type ResolveUri = (uri: string, kind?: NeighborKind) => Promise<Uint8Array | undefined>;

/** Whether a URI is a `data:` URI. */
export function isDataUri(uri: string): boolean {
  return /^data:/i.test(uri);
}

/** Decodes a `data:` URI; undefined for any other URI, and for one that cannot be decoded. */
export function decodeDataUri(uri: string): Uint8Array | undefined {
  if (!isDataUri(uri)) return undefined;
  const comma = uri.indexOf(",");
  if (comma < 0) return undefined;
  const payload = uri.slice(comma + 1);
  try {
    if (!/;base64$/i.test(uri.slice(0, comma))) {
      return new TextEncoder().encode(decodeURIComponent(payload));
    }
    return Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** What a shape costs, in nodes: it is several objects of the file. */
const SHAPE_NODES = 16;

/**
 * Charges a mesh that is about to be written, from its counts alone. A mesh that several nodes show is written for
 * each of them; the budget is that of a reader of the file.
 *
 * @param shown the meshes that are written already; this one is added
 */
export function chargeMesh(
  { budget, shown, source }: { budget: Budget; shown: Set<number>; source: GltfSource },
  mesh: number,
): void {
  const { primitives } = entry(source.json, "meshes", mesh);
  const count = (accessor: number | undefined) =>
    accessor === undefined ? 0 : entry(source.json, "accessors", accessor).count;
  let [vertices, corners, shapes] = [0, 0, 0];
  for (const { attributes, indices, targets = [] } of primitives) {
    vertices += count(attributes?.POSITION);
    corners += count(indices ?? attributes?.POSITION);
    shapes = Math.max(shapes, targets.length);
  }
  spend(budget, vertices * shapes, "shapePoints");
  spend(budget, SHAPE_NODES * shapes, "nodes");
  if (shown.has(mesh)) {
    spend(budget, 1, "copies");
    spend(budget, corners, "copiedCorners");
  }
  shown.add(mesh);
}

/** The FBX objects a glTF mesh was made from. */
interface FbxMeshOrigin {
  /** Ids of the geometry and of its model. */
  geometry: string;
  model: string;
  /** Mesh to world in the bind pose, in the FBX's own axes and units. */
  bind: number[];
}

/** The oldest version that weights can be written into; older versions link objects by name. */
export const OLDEST_WRITTEN = 7000;

/** The data needed to write weights back into an FBX. */
export interface FbxOrigin {
  bytes: Uint8Array;
  /** Whether it is text; the output is binary. */
  isText: boolean;
  /** Version in the file's header: 7400 is 7.4. */
  version: number;
  meshes: Map<number, FbxMeshOrigin>;
  /** By glTF node: the id of its model. */
  models: Map<number, string>;
  /** By id of a joint's model: bone to world in the bind pose. */
  binds: Map<string, number[]>;
}

/** The elements of a COLLADA file a glTF mesh was made from. */
export interface DaeMeshOrigin {
  /** Its instance_geometry or instance_controller. */
  instance: XmlElement;
  skin: { element: XmlElement; joints: DaeSkinJoints } | undefined;
}

/** The data needed to write weights back into a COLLADA file. */
export interface DaeOrigin {
  bytes: Uint8Array;
  document: DaeDocument;
  visual: XmlElement | undefined;
  meshes: Map<number, DaeMeshOrigin>;
  /** By glTF node: its element; undefined for the first node and for nodes added for a second mesh. */
  elements: (XmlElement | undefined)[];
}

/**
 * Whether an output is the input with its weights replaced, and not a new file: FBX 7 as FBX without new motions,
 * and COLLADA, which cannot be written otherwise.
 */
export function isEditedIn(
  { source }: { source: { fbx?: FbxOrigin | undefined } },
  format: string,
  { motions = [] }: { motions?: readonly unknown[] | undefined } = {},
): boolean {
  const isFbx = format === "fbx" && (source.fbx?.version ?? 0) >= OLDEST_WRITTEN;
  return format === "dae" || (isFbx && motions.length === 0);
}
