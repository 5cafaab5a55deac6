import { measureDistances } from "../../distance/measure.ts";
import { InputError } from "../../input-error.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { jointCount } from "../../skeleton/skeleton.ts";
import { type SkinOptions, skin } from "../../skin.ts";
import { BLEED_BONES } from "../../solve/bleed.ts";
import { VERTEX_DOUBTS } from "../../solve/find-doubts.ts";
import { DEFAULT_METHOD } from "../../solve/methods.ts";
import { refineWeights } from "../../solve/refine-weights.ts";
import type { Character } from "../../weights/character.ts";
import { limitInfluences, USUAL_INFLUENCES } from "../../weights/limit-influences.ts";
import { prepareCharacter, restoreWeights } from "../../weights/prepare-character.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { type TransferOptions, transferWeights } from "../../weights/transfer-weights.ts";
import { loadModel } from "../load-model.ts";
import { readArray, sendArray } from "./worker-arrays.ts";

/** What a job may use while it runs. */
export interface JobContext {
  signal: AbortSignal;
  onProgress: (stage: string, fraction: number) => void;
}

/** What is asked for, besides its name and number. */
export type JobRequest = Record<string, unknown>;

/** Does one kind of job: plain data in, plain data out. */
export type Job = (request: JobRequest, context: JobContext) => Promise<Record<string, unknown>>;

/** Every job by the name requests use. */
export const JOBS: Readonly<Record<string, Job>> = {
  bind: bindJob,
  refine: refineJob,
  transfer: transferJob,
};

async function bindJob(request: JobRequest, context: JobContext): Promise<Record<string, unknown>> {
  const character = readCharacterOf(request, "");
  const { model: file, ...options } = optionsOf<SkinOptions & { model?: string }>(request);
  const method = options.method ?? DEFAULT_METHOD;
  const model = await loadModel(method, file as string | undefined);
  const found = await skin(character, { ...options, ...context, method, model });
  return {
    ...weightsAnswer(found.weights),
    method: found.method,
    warnings: found.warnings,
    timings: found.timings,
    doubts: {
      reasons: VERTEX_DOUBTS,
      vertices: sendArray(found.doubts.vertices),
      bones: found.doubts.bones.map(({ joint, reason }) => ({
        bone: character.skeleton.names[joint],
        reason,
      })),
    },
  };
}

async function refineJob(
  request: JobRequest,
  { signal, onProgress }: JobContext,
): Promise<Record<string, unknown>> {
  const prepared = prepareCharacter(readCharacterOf(request, ""));
  const { weights: before, skeleton } = prepared.character;
  if (!before) throw new InputError("There are no weights to clean; send some, or bind.");
  const { distances } = await measureDistances(prepared.character, {
    k: Math.min(jointCount(skeleton), BLEED_BONES),
    signal,
    onProgress: (fraction) => onProgress("distances", fraction),
  });
  const { weights, changed } = refineWeights(before, distances);
  const { maxInfluences = before.influences } = optionsOf<{ maxInfluences?: number }>(request);
  const limited = limitInfluences(weights, maxInfluences);
  return { ...weightsAnswer(restoreWeights(prepared, limited)), changed };
}

async function transferJob(request: JobRequest): Promise<Record<string, unknown>> {
  const from = readCharacterOf((request.from ?? {}) as JobRequest, "from.");
  const { maxInfluences = USUAL_INFLUENCES, ...options } = optionsOf<
    TransferOptions & { maxInfluences?: number }
  >(request);
  const { weights, ...counts } = transferWeights(from, readMesh(request, ""), options);
  return { ...weightsAnswer(limitInfluences(weights, maxInfluences)), ...counts };
}

function optionsOf<Options>({ options }: JobRequest): Options {
  if (options !== undefined && (typeof options !== "object" || options === null)) {
    throw new InputError("options must be an object.");
  }
  return (options ?? {}) as Options;
}

function readMesh({ mesh }: JobRequest, where: string): Mesh {
  const { positions, triangles } = (mesh ?? {}) as Record<string, unknown>;
  return {
    positions: readArray(positions, "f32", `${where}mesh.positions`),
    triangles: readArray(triangles, "u32", `${where}mesh.triangles`),
  };
}

function readCharacterOf(request: JobRequest, where: string): Character {
  const { name = "character", skeleton, weights } = request;
  const { names, parents, positions } = (skeleton ?? {}) as Record<string, unknown>;
  if (!Array.isArray(names))
    throw new InputError(`${where}skeleton.names must be a list of names.`);
  const character: Character = {
    name: String(name),
    mesh: readMesh(request, where),
    skeleton: {
      names: names.map(String),
      parents: readArray(parents, "i32", `${where}skeleton.parents`),
      positions: readArray(positions, "f32", `${where}skeleton.positions`),
    },
  };
  return weights === undefined ? character : { ...character, weights: readWeights(weights, where) };
}

function readWeights(sent: unknown, where: string): SkinWeights {
  const { influences, joints, weights } = sent as Record<string, unknown>;
  return {
    influences: Number(influences),
    joints: readArray(joints, "u16", `${where}weights.joints`),
    weights: readArray(weights, "f32", `${where}weights.weights`),
  };
}

function weightsAnswer({ influences, joints, weights }: SkinWeights): Record<string, unknown> {
  return { influences, joints: sendArray(joints), weights: sendArray(weights) };
}
