/** An object of a file: its known fields, and any others, which are carried over. */
type Carried<T> = T & { extensions?: Record<string, unknown>; [key: string]: unknown };

/** The parts of a glTF 2.0 JSON that reading and writing characters uses. */
export type GltfJson = Carried<{
  asset: { version: string; generator?: string; [key: string]: unknown };
  scene?: number;
  scenes?: Carried<{ nodes?: number[] }>[];
  nodes?: GltfNode[];
  meshes?: GltfMesh[];
  skins?: GltfSkin[];
  accessors?: GltfAccessor[];
  bufferViews?: GltfBufferView[];
  buffers?: Carried<{ uri?: string; byteLength: number }>[];
  images?: GltfImage[];
  textures?: unknown[];
  samplers?: unknown[];
  materials?: unknown[];
  animations?: GltfAnimation[];
  cameras?: unknown[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}>;

export type GltfNode = Carried<{
  name?: string;
  children?: number[];
  mesh?: number;
  skin?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}>;

export type GltfMesh = Carried<{ name?: string; primitives: GltfPrimitive[] }>;

export type GltfPrimitive = Carried<{
  attributes: Record<string, number>;
  indices?: number;
  mode?: number;
  material?: number;
  targets?: Record<string, number>[];
}>;

type GltfSkin = Carried<{
  name?: string;
  joints: number[];
  inverseBindMatrices?: number;
  skeleton?: number;
}>;

export type GltfAccessor = Carried<{
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
}>;

export type GltfBufferView = Carried<{
  buffer: number;
  byteOffset?: number;
  byteLength: number;
  byteStride?: number;
  target?: number;
}>;

export type GltfImage = Carried<{
  uri?: string;
  bufferView?: number;
  mimeType?: string;
  name?: string;
}>;

export type GltfAnimation = Carried<{
  name?: string;
  channels: { sampler: number; target: { node?: number; path: string } }[];
  samplers: { input: number; output: number; interpolation?: string }[];
}>;

type ListName =
  | "accessors"
  | "animations"
  | "bufferViews"
  | "buffers"
  | "cameras"
  | "meshes"
  | "nodes"
  | "skins";

/** Returns an item of a list; its index must have been checked by `checkGltf`. */
export function entry<Name extends ListName>(
  json: GltfJson,
  list: Name,
  index: number,
): NonNullable<GltfJson[Name]>[number] {
  const found = json[list]?.[index];
  if (!found) throw new Error(`entry: ${list} has no item ${index}.`);
  return found;
}

/** Adds a node as a child of another. */
export function addChild(json: GltfJson, parent: number, child: number): void {
  const node = entry(json, "nodes", parent);
  node.children ??= [];
  node.children.push(child);
}

/** Adds an item to a list, creating the list if needed; returns its index. */
export function addEntry<Name extends ListName>(
  json: GltfJson,
  list: Name,
  item: NonNullable<GltfJson[Name]>[number],
): number {
  json[list] ??= [];
  return (json[list] as unknown[]).push(item) - 1;
}

/** Names of the extension that compresses buffer views. */
export const MESHOPT: readonly string[] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/** Returns the Meshopt extension of a buffer or view; undefined if it has none. */
export function meshoptOf({ extensions }: Pick<GltfBufferView, "extensions">): unknown {
  return MESHOPT.map((name) => extensions?.[name]).find(Boolean);
}

/** Removes extensions, and the `extensions` object if it is empty. */
export function dropExtensions(
  holder: GltfBufferView | GltfPrimitive,
  names: readonly string[],
): void {
  for (const name of names) delete holder.extensions?.[name];
  if (holder.extensions && Object.keys(holder.extensions).length === 0) delete holder.extensions;
}

/** Whether a file is a VRM avatar, of version 0 or 1. */
export function isVrm({ extensions = {} }: Pick<GltfJson, "extensions">): boolean {
  return "VRM" in extensions || "VRMC_vrm" in extensions;
}

/** Returns the names of a mesh's morph targets; empty if it has none. */
export function targetNames(mesh: GltfMesh): string[] {
  const holders = [mesh, ...mesh.primitives].map(
    (holder) => (holder.extras as { targetNames?: unknown } | undefined)?.targetNames,
  );
  return (holders.find(Array.isArray) as string[] | undefined) ?? [];
}
