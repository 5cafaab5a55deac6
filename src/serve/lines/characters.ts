import type { Character } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { checkOptions, type Verb } from "../../options.ts";
import type { OnProgress } from "../../stage-clock.ts";
import { readArray } from "./arrays.ts";

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
