/** The parts of a glTF 2.0 JSON that reading and writing characters touches; all else is carried along. */
export interface GltfJson {
  asset: { version: string; generator?: string; [key: string]: unknown };
  scene?: number;
  scenes?: GltfScene[];
  nodes?: GltfNode[];
  meshes?: GltfMesh[];
  skins?: GltfSkin[];
  accessors?: GltfAccessor[];
  bufferViews?: GltfBufferView[];
  buffers?: GltfBuffer[];
  images?: GltfImage[];
  textures?: unknown[];
  samplers?: unknown[];
  materials?: unknown[];
  animations?: GltfAnimation[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
  extensions?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface GltfScene {
  nodes?: number[];
  [key: string]: unknown;
}

export interface GltfNode {
  name?: string;
  children?: number[];
  mesh?: number;
  skin?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  extensions?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface GltfMesh {
  name?: string;
  primitives: GltfPrimitive[];
  [key: string]: unknown;
}

export interface GltfPrimitive {
  attributes: Record<string, number>;
  indices?: number;
  mode?: number;
  material?: number;
  targets?: Record<string, number>[];
  extensions?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface GltfSkin {
  name?: string;
  joints: number[];
  inverseBindMatrices?: number;
  skeleton?: number;
  [key: string]: unknown;
}

export interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType: number;
  normalized?: boolean;
  count: number;
  type: string;
  min?: number[];
  max?: number[];
  sparse?: {
    count: number;
    indices: { bufferView: number; byteOffset?: number; componentType: number };
    values: { bufferView: number; byteOffset?: number };
  };
  [key: string]: unknown;
}

export interface GltfBufferView {
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
  target?: number;
  extensions?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface GltfBuffer {
  uri?: string;
  byteLength: number;
  extensions?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface GltfImage {
  uri?: string;
  bufferView?: number;
  mimeType?: string;
  name?: string;
  [key: string]: unknown;
}

export interface GltfAnimation {
  name?: string;
  channels: { sampler: number; target: { node?: number; path: string } }[];
  samplers: { input: number; output: number; interpolation?: string }[];
  [key: string]: unknown;
}

type ListName =
  | "accessors"
  | "animations"
  | "bufferViews"
  | "buffers"
  | "meshes"
  | "nodes"
  | "skins";

/** An entry of one of the lists of a file whose indices were checked when it was read. */
export function entry<Name extends ListName>(
  json: GltfJson,
  list: Name,
  index: number,
): NonNullable<GltfJson[Name]>[number] {
  const found = json[list]?.[index];
  if (!found) throw new Error(`entry: there is no ${index} in ${list}.`);
  return found;
}

/** Hangs a node below another. */
export function addChild(json: GltfJson, parent: number, child: number): void {
  const node = entry(json, "nodes", parent);
  node.children = [...(node.children ?? []), child];
}

/** Adds an entry to one of the lists, which begins with it where there was none; returns its index. */
export function addEntry<Name extends ListName>(
  json: GltfJson,
  list: Name,
  item: NonNullable<GltfJson[Name]>[number],
): number {
  json[list] ??= [];
  return (json[list] as unknown[]).push(item) - 1;
}

interface Extended {
  extensions?: Record<string, unknown>;
}

/** Names of the extension that packs buffer views. */
export const MESHOPT: readonly string[] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/** What a buffer or view says of how it is packed by Meshopt; undefined where it is not. */
export function meshoptOf({ extensions }: Extended): unknown {
  return MESHOPT.map((name) => extensions?.[name]).find(Boolean);
}

/** Takes extensions off, and the list of them where none is left. */
export function dropExtensions(holder: Extended, names: readonly string[]): void {
  for (const name of names) delete holder.extensions?.[name];
  if (holder.extensions && Object.keys(holder.extensions).length === 0) delete holder.extensions;
}

/** Whether a file is an avatar of VRM, of either version. */
export function isVrm({ extensions = {} }: Pick<GltfJson, "extensions">): boolean {
  return "VRM" in extensions || "VRMC_vrm" in extensions;
}
