import type { Character } from "../character/character.ts";
import type { Rig } from "./gltf/bind-space.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import type { MeshPart } from "./gltf/read-parts.ts";

/** A character, its file, and everything needed to write weights back into that file. */
export interface CharacterFile {
  character: Character;
  /** Format of the input, a name of `FORMATS`. */
  format: string;
  /** The file as glTF; formats other than glTF are converted on reading. */
  source: GltfSource;
  /** Vertex ranges of the character and the primitives they come from; they cover the character in order. */
  parts: MeshPart[];
  rig: Rig;
  /** Warnings about the file, a sentence each. */
  oddities: string[];
}
