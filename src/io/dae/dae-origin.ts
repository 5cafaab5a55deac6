import type { XmlElement } from "./parse-xml.ts";

/** Where a glTF mesh made from a COLLADA file came from. */
export interface DaeMeshOrigin {
  /** The element that shows it: instance_geometry or instance_controller. */
  instance: XmlElement;
  /** The node of the scene that shows it. */
  node: number;
  /** Its skin, where it has one. */
  skin: XmlElement | undefined;
}

/** What is needed to write weights back into the COLLADA file a character was read from. */
export interface DaeOrigin {
  bytes: Uint8Array;
  root: XmlElement;
  /** By glTF mesh. */
  meshes: Map<number, DaeMeshOrigin>;
  /** By glTF node: its element; none for the first, nor for those made for a second mesh. */
  elements: (XmlElement | undefined)[];
}
