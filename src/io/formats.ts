import { InputError } from "../input-error.ts";
import type { Budget } from "./budget.ts";
import { isDae, loadDae } from "./dae/load-dae.ts";
import { ENDINGS, endingOf, FORMAT_ENDINGS } from "./endings.ts";
import { isFbx, loadFbx } from "./fbx/load-fbx.ts";
import type { DracoLoader } from "./gltf/decode-draco.ts";
import { isGlb } from "./gltf/glb.ts";
import type { GltfSource, ResolveUri } from "./gltf/gltf-source.ts";
import { loadGltf } from "./gltf/load-gltf.ts";
import { loadObj } from "./load-obj.ts";

/** What a format needs to know besides the bytes. */
export interface LoadContext {
  /** Fetches files kept beside the one being read. */
  resolve?: ResolveUri | undefined;
  /** Gives the Draco decoder; Node needs none. */
  draco?: DracoLoader | undefined;
  /** What the file may take. */
  budget?: Budget | undefined;
}

/** A file format characters can be read from. */
export interface Format {
  /** The name by which it is known. */
  name: string;
  /** Endings of file names, lower case, with dot. */
  endings: readonly string[];
  /** Whether bytes begin like this format. */
  matches(bytes: Uint8Array): boolean;
  /** Reads the bytes as glTF, converting where need be. */
  load(name: string, bytes: Uint8Array, context: LoadContext): Promise<GltfSource>;
}

const loadAsGltf: Format["load"] = (name, bytes, { resolve, draco, budget }) =>
  loadGltf(name, bytes, resolve, draco, budget);

/** Every format that can be read. */
export const FORMATS: readonly Format[] = [
  { name: "glb", endings: FORMAT_ENDINGS.glb, matches: isGlb, load: loadAsGltf },
  { name: "vrm", endings: FORMAT_ENDINGS.vrm, matches: isGlb, load: loadAsGltf },
  {
    name: "gltf",
    endings: FORMAT_ENDINGS.gltf,
    matches: (bytes) => bytes[0] === 0x7b,
    load: loadAsGltf,
  },
  {
    name: "fbx",
    endings: FORMAT_ENDINGS.fbx,
    matches: isFbx,
    load: (name, bytes, { resolve, budget }) => loadFbx(name, bytes, resolve, budget),
  },
  {
    name: "dae",
    endings: FORMAT_ENDINGS.dae,
    matches: isDae,
    load: (name, bytes, { resolve, budget }) => loadDae(name, bytes, resolve, budget),
  },
  {
    name: "obj",
    endings: FORMAT_ENDINGS.obj,
    matches: () => false,
    load: (name, bytes, { resolve, budget }) => loadObj(name, bytes, resolve, budget),
  },
];

/** Names of the formats that can be written. */
export type OutputFormat = "glb" | "gltf" | "vrm" | "fbx" | "dae";

/** The format of a file: by its first bytes, whatever it is called; by its ending where they say nothing. */
export function formatOf(name: string, bytes: Uint8Array): Format {
  const ending = endingOf(name);
  const named = FORMATS.find((candidate) => candidate.endings.includes(ending));
  if (named?.matches(bytes)) return named;
  const format = FORMATS.find((candidate) => candidate.matches(bytes)) ?? named;
  if (format) return format;
  throw new InputError(`${name}: this format is not known; use one of ${ENDINGS.join(", ")}.`);
}
