import type { Character } from "../character/character.ts";
import type { Rig } from "./gltf/bind-space.ts";
import type { GltfSource } from "./gltf/gltf-source.ts";
import type { MeshPart } from "./gltf/read-parts.ts";

/** A character and the file it came from, with all that is needed to write weights back into it. */
export interface CharacterFile {
  character: Character;
  /** Format it was read from, a name of `FORMATS`. */
  format: string;
  /** The file as glTF; formats other than glTF are converted on reading. */
  source: GltfSource;
  /** Which vertices of the character belong where in the file; they cover the character in order. */
  parts: MeshPart[];
  /** The joints with their bind matrices. */
  rig: Rig;
  /** What is odd in the file, a sentence each. */
  oddities: string[];
}
