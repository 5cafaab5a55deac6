import { readFileSync, statSync } from "node:fs";
import type { Character } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { checkOptions, type Verb } from "../../options.ts";
import type { OnProgress } from "../../stage-clock.ts";

interface Kinds {
  f32: Float32Array;
  u32: Uint32Array;
  i32: Int32Array;
  u16: Uint16Array;
  u8: Uint8Array;
}

type ArrayKind = keyof Kinds;

const KINDS = {
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
  u16: Uint16Array,
  u8: Uint8Array,
};

/** An array of the protocol: a list of numbers, or little-endian bytes as base64 or in a file. */
type SentArray =
  | number[]
  | { type: ArrayKind; base64: string }
  | { type: ArrayKind; file: string; offset?: number; count?: number };

/** Reads an array of a request and converts it to one element type. */
export function readArray<Kind extends ArrayKind>(
  sent: unknown,
  kind: Kind,
  where: string,
): Kinds[Kind] {
  const Wanted = KINDS[kind];
  if (Array.isArray(sent)) return Wanted.from(sent.map(Number)) as Kinds[Kind];
  const { type, base64, file, offset = 0, count } = (sent ?? {}) as Record<string, unknown>;
  if (typeof type !== "string" || !Object.hasOwn(KINDS, type)) {
    throw new InputError(
      `${where} must be a list of numbers, or have a type (${Object.keys(KINDS).join(", ")}) and base64 or file.`,
    );
  }
  const bytes = typeof base64 === "string" ? Buffer.from(base64, "base64") : fileBytes(file, where);
  const Given = KINDS[type as ArrayKind];
  const start = Number(offset);
  const length = Number(count ?? Math.floor((bytes.length - start) / Given.BYTES_PER_ELEMENT));
  const end = start + length * Given.BYTES_PER_ELEMENT;
  if (!(start >= 0 && length >= 0 && Number.isInteger(end) && end <= bytes.length)) {
    throw new InputError(
      `${where} refers to ${length} numbers at byte ${start}, but has ${bytes.length} bytes.`,
    );
  }
  // Copied, because the bytes may not be aligned.
  const given = new Given(Uint8Array.from(bytes.subarray(start, end)).buffer);
  return (type === kind ? given : Wanted.from(given)) as Kinds[Kind];
}

function fileBytes(file: unknown, where: string): Uint8Array {
  if (typeof file !== "string") throw new InputError(`${where} has neither base64 nor file.`);
  try {
    // Reading a pipe or a device might never end.
    if (statSync(file).isFile()) return readFileSync(file);
  } catch (error) {
    throw new InputError(
      `${where}: ${file} cannot be read (${(error as { code?: string }).code}).`,
    );
  }
  throw new InputError(`${where}: ${file} is not a plain file.`);
}

/** Encodes an array for an answer. */
export function sendArray(data: Kinds[ArrayKind]): SentArray {
  const [type] = Object.entries(KINDS).find(([, Kind]) => data instanceof Kind) ?? ["f32"];
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { type: type as ArrayKind, base64: bytes.toString("base64") };
}

/** A request of the worker protocol. */
export type JobRequest = Record<string, unknown>;

/** Progress and cancellation of a job. */
export interface JobContext {
  signal: AbortSignal;
  onProgress: OnProgress;
}

/** Returns the options of a request after checking them. */
export function optionsOf<Options>(verb: Verb, { options = {} }: JobRequest): Options {
  if (typeof options !== "object" || options === null) {
    throw new InputError("options must be an object.");
  }
  checkOptions(verb, "worker", options);
  return options as Options;
}

/** Reads the mesh of a request; `where` is the prefix of names in messages. */
export function readMesh({ mesh }: JobRequest, where: string): Mesh {
  const { positions, triangles } = (mesh ?? {}) as Record<string, unknown>;
  return {
    positions: readArray(positions, "f32", `${where}mesh.positions`),
    triangles: readArray(triangles, "u32", `${where}mesh.triangles`),
  };
}

/** Reads the character of a request, with its weights if it has any. */
export function readCharacterOf(request: JobRequest, where: string): Character {
  const { name = "character", skeleton } = request;
  const { names, parents, positions, ends } = (skeleton ?? {}) as Record<string, unknown>;
  if (!Array.isArray(names)) throw new InputError(`${where}skeleton.names must be a list.`);
  const character: Character = {
    name: String(name),
    mesh: readMesh(request, where),
    skeleton: {
      names: names.map(String),
      parents: readArray(parents, "i32", `${where}skeleton.parents`),
      positions: readArray(positions, "f32", `${where}skeleton.positions`),
      ...(ends !== undefined && { ends: readArray(ends, "f32", `${where}skeleton.ends`) }),
    },
  };
  if (request.weights === undefined) return character;
  const { influences, joints, weights } = (request.weights ?? {}) as Record<string, unknown>;
  character.weights = {
    influences: Number(influences),
    joints: readArray(joints, "u16", `${where}weights.joints`),
    weights: readArray(weights, "f32", `${where}weights.weights`),
  };
  return character;
}
