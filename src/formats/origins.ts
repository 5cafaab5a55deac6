import type { DaeDocument } from "./dae/dae-document.ts";
import type { DaeSkinJoints } from "./dae/dae-skin.ts";
import type { XmlElement } from "./dae/xml.ts";

/** Where a glTF mesh made from an FBX came from. */
export interface FbxMeshOrigin {
  /** Ids of the geometry and of the model that shows it. */
  geometry: string;
  model: string;
  /** Mesh to world in the bind pose, in the FBX's own axes and units. */
  bind: number[];
}

/** The oldest version that weights can be written into; before it objects went by name. */
export const OLDEST_WRITTEN = 7000;

/** What is needed to write weights back into the FBX a character was read from. */
export interface FbxOrigin {
  bytes: Uint8Array;
  /** Whether it is text, which is written as a binary file. */
  isText: boolean;
  /** As it says of itself: 7400 is 7.4. */
  version: number;
  /** By glTF mesh. */
  meshes: Map<number, FbxMeshOrigin>;
  /** By glTF node: the id of its model. */
  models: Map<number, string>;
  /** By id of a joint's model: bone to world in the bind pose. */
  binds: Map<string, number[]>;
}

/** Where a glTF mesh made from a COLLADA file came from. */
export interface DaeMeshOrigin {
  /** The element that shows it: instance_geometry or instance_controller. */
  instance: XmlElement;
  /** Its skin, where it has one. */
  skin: { element: XmlElement; joints: DaeSkinJoints } | undefined;
}

/** What is needed to write weights back into the COLLADA file a character was read from. */
export interface DaeOrigin {
  bytes: Uint8Array;
  document: DaeDocument;
  /** The scene that is shown. */
  visual: XmlElement | undefined;
  /** By glTF mesh. */
  meshes: Map<number, DaeMeshOrigin>;
  /** By glTF node: its element; none for the first, nor for those made for a second mesh. */
  elements: (XmlElement | undefined)[];
}
