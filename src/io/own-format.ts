import type { CharacterFile } from "./character-file.ts";
import { OLDEST_WRITTEN } from "./fbx/fbx-origin.ts";
import type { OutputFormat } from "./formats.ts";

/** The format in which a file stays what it was, weights apart; a GLB where it must become one. */
export function ownFormat({ source, format }: CharacterFile): OutputFormat {
  const extensions = source.json.extensions ?? {};
  if ("VRM" in extensions || "VRMC_vrm" in extensions) return "vrm";
  if (source.fbx && source.fbx.version >= OLDEST_WRITTEN) return "fbx";
  if (source.dae) return "dae";
  return format === "gltf" ? "gltf" : "glb";
}
