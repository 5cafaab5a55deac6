import type { DaeDocument } from "./dae/dae-document.ts";
import type { DaeSkinJoints } from "./dae/dae-skin.ts";
import type { XmlElement } from "./dae/xml.ts";

/** The FBX objects a glTF mesh was made from. */
export interface FbxMeshOrigin {
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
