import type { CharacterFile } from "./character-file.ts";
import { OLDEST_WRITTEN } from "./fbx/fbx-origin.ts";
import type { OutputFormat } from "./formats.ts";
import { isVrm } from "./gltf/gltf-json.ts";

/** The format in which a file stays what it was, weights apart; a GLB where it must become one. */
export function ownFormat({ source, format }: CharacterFile): OutputFormat {
  if (isVrm(source.json)) return "vrm";
  if (source.fbx && source.fbx.version >= OLDEST_WRITTEN) return "fbx";
  if (source.dae) return "dae";
  return format === "gltf" ? "gltf" : "glb";
}
