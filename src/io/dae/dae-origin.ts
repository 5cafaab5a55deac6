import type { DaeDocument } from "./dae-document.ts";
import type { DaeSkinJoints } from "./dae-skin.ts";
import type { XmlElement } from "./parse-xml.ts";

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
