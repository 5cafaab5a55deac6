/** Formats characters can be read from. */
export type FormatName = "vrm" | "glb" | "gltf" | "fbx" | "dae" | "obj";

/** File extensions by format, lower case, with dot. */
export const FORMAT_ENDINGS: Readonly<Record<FormatName, readonly string[]>> = {
  vrm: [".vrm"],
  glb: [".glb"],
  gltf: [".gltf"],
  fbx: [".fbx"],
  dae: [".dae"],
  obj: [".obj"],
};

/** Extensions of files that can hold a mesh without joints only. */
export const MESH_ENDINGS: readonly string[] = FORMAT_ENDINGS.obj;

/** Extensions of all files characters can be read from. */
export const ENDINGS: readonly string[] = Object.values(FORMAT_ENDINGS).flat();

/** Extensions of files that can hold a mesh with its skeleton. */
export const RIGGED_ENDINGS: readonly string[] = ENDINGS.filter(
  (ending) => !MESH_ENDINGS.includes(ending),
);

/** Returns the extension of a file name, lower case, with dot; empty if there is none. */
export function endingOf(name: string): string {
  return /\.[^.\\/]*$/.exec(name.toLowerCase())?.[0] ?? "";
}

/** Returns the last part of a path with slashes or backslashes. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

/** Returns a path without its extension. */
export function stemOf(path: string): string {
  return path.replace(/\.[^.]*$/, "");
}

/** Decodes a URI or an id; returns it as it is if its escapes are damaged. */
export function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Truncates text to fit into a message. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
