/** Formats characters can be read from. */
export type FormatName = "vrm" | "glb" | "gltf" | "fbx" | "dae" | "obj";

/** Endings of file names by format, lower case, with dot. */
export const FORMAT_ENDINGS: Readonly<Record<FormatName, readonly string[]>> = {
  vrm: [".vrm"],
  glb: [".glb"],
  gltf: [".gltf"],
  fbx: [".fbx"],
  dae: [".dae"],
  obj: [".obj"],
};

/** Endings of files that can hold a mesh without joints only. */
export const MESH_ENDINGS: readonly string[] = FORMAT_ENDINGS.obj;

/** Endings of all files characters can be read from. */
export const ENDINGS: readonly string[] = Object.values(FORMAT_ENDINGS).flat();

/** Endings of files that can hold a whole character: a mesh with its skeleton. */
export const RIGGED_ENDINGS: readonly string[] = ENDINGS.filter(
  (ending) => !MESH_ENDINGS.includes(ending),
);

/** The ending of a file's name, lower case, with dot; empty where there is none. */
export function endingOf(name: string): string {
  return /\.[^.\\/]*$/.exec(name.toLowerCase())?.[0] ?? "";
}

/** The last part of a path, whichever way its slashes lean. */
export function baseName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

/** A path without its ending. */
export function stemOf(path: string): string {
  return path.replace(/\.[^.]*$/, "");
}

/** A URI, or an id, without its escapes; as it is where they are damaged. */
export function decodeUri(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/** Cut to what fits into a sentence. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
