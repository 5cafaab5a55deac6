import { prepareCharacter, restoreWeights } from "../../character/prepare-character.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { measureDistances } from "../../distance/measure.ts";
import { loadModel } from "../../files/load-model.ts";
import { type TransferOptions, transferWeights } from "../../finish/transfer-weights.ts";
import { InputError } from "../../input-error.ts";
import { DEFAULT_METHOD } from "../../methods/methods.ts";
import { refineWeights } from "../../refine.ts";
import { BLEED_BONES } from "../../review/bleed.ts";
import { VERTEX_DOUBTS } from "../../review/doubts.ts";
import { jointCount } from "../../skeleton/skeleton.ts";
import { type SkinOptions, skin } from "../../skin.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { limitInfluences, USUAL_INFLUENCES } from "../../weights/weight-locks.ts";
import { sendArray } from "./arrays.ts";
import {
  type JobContext,
  type JobRequest,
  optionsOf,
  readCharacterOf,
  readMesh,
} from "./characters.ts";

type Answer = Record<string, unknown>;

/** Does one kind of job: plain data in, plain data out. */
export type Job = (request: JobRequest, context: JobContext) => Promise<Answer>;

/** Every job by the name requests use. */
export const JOBS: Readonly<Record<string, Job>> = {
  bind: bindJob,
  adapt: adaptJob,
  refine: refineJob,
  transfer: transferJob,
};

async function bindJob(request: JobRequest, context: JobContext): Promise<Answer> {
  const character = readCharacterOf(request, "");
  const { model: file, ...options } = optionsOf<SkinOptions & { model?: string }>(request);
  const method = options.method ?? DEFAULT_METHOD;
  const base = await loadModel(method, file as string | undefined);
  const model = base && request.like ? (await adapted(request, base, context)).model : base;
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

/** What learning needs is loaded when first asked for. */
async function adapted({ like }: JobRequest, base: Uint8Array, context: JobContext) {
  const { likeModel } = await import("./like-model.ts");
  return likeModel(like, base, context);
}

/** Learns from characters, for the binds that name the same ones in `like`. */
async function adaptJob(request: JobRequest, context: JobContext): Promise<Answer> {
  const { model: file } = optionsOf<{ model?: string }>(request);
  const base = await loadModel(DEFAULT_METHOD, file);
  const { model, notes } = await adapted(request, base!, context);
  const { out } = request;
  if (typeof out === "string") writeWhole([[out, model]]);
  return { ...notes };
}

async function refineJob(request: JobRequest, context: JobContext): Promise<Answer> {
  const { signal, onProgress } = context;
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

async function transferJob(request: JobRequest): Promise<Answer> {
  const from = readCharacterOf((request.from ?? {}) as JobRequest, "from.");
  const { maxInfluences = USUAL_INFLUENCES, ...options } = optionsOf<
    TransferOptions & { maxInfluences?: number }
  >(request);
  const { weights, ...counts } = transferWeights(from, readMesh(request, ""), options);
  return { ...weightsAnswer(limitInfluences(weights, maxInfluences)), ...counts };
}

function weightsAnswer({ influences, joints, weights }: SkinWeights): Answer {
  return { influences, joints: sendArray(joints), weights: sendArray(weights) };
}
