import { writeWhole } from "../../disk/write-whole.ts";
import { loadModel } from "../../files/model-files.ts";
import { fix } from "../../fix.ts";
import { DEFAULT_METHOD } from "../../methods/methods.ts";
import { type RefineOptions, refine } from "../../refine.ts";
import { VERTEX_DOUBTS } from "../../review/doubts.ts";
import { findingText } from "../../review/pose-check.ts";
import { type SkinOptions, skin } from "../../skin.ts";
import { type TransferOptions, transfer } from "../../transfer.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import {
  type JobContext,
  type JobRequest,
  optionsOf,
  readCharacterOf,
  readMesh,
  sendArray,
} from "./requests.ts";

type Answer = Record<string, unknown>;

/** Every job by its name in requests. */
export const JOBS: Readonly<
  Record<string, (request: JobRequest, context: JobContext) => Promise<Answer>>
> = {
  async bind(request, context) {
    const character = readCharacterOf(request, "");
    const { model: file, ...options } = optionsOf<SkinOptions & { model?: string }>(
      "bind",
      request,
    );
    const method = options.method ?? DEFAULT_METHOD;
    const model = await loadModel(method, file as string | undefined);
    const adapted =
      model && request.like ? (await learned(request, model, context)).model : undefined;
    const found = await skin(character, { ...options, ...context, method, model, adapted });
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
        findings: found.doubts.poses.findings.map((finding) => ({
          text: findingText(finding, character.skeleton.names),
          bone: character.skeleton.names[finding.joint],
        })),
      },
    };
  },

  /** Adapts the model to examples, for later binds with the same `like`. */
  async adapt(request, context) {
    const { model: file } = optionsOf<{ model?: string }>("bind", request);
    const base = await loadModel(DEFAULT_METHOD, file);
    const { model, notes } = await learned(request, base!, context);
    const { out } = request;
    if (typeof out === "string") writeWhole([[out, model]]);
    return { ...notes };
  },

  async refine(request, context) {
    const options = optionsOf<RefineOptions>("refine", request);
    const { weights, changed } = await refine(readCharacterOf(request, ""), {
      ...options,
      ...context,
    });
    return { ...weightsAnswer(weights), changed };
  },

  /** Checks weights in poses; with `findings`, or without any given, applies the remedies that help. */
  async fix(request) {
    const character = readCharacterOf(request, "");
    optionsOf<object>("fix", request);
    const { findings } = request;
    const { names } = character.skeleton;
    const fixed = await fix(character, { findings: findings as number[] | undefined });
    return {
      ...weightsAnswer(fixed.weights),
      findings: fixed.before.findings.map((finding) => ({
        text: findingText(finding, names),
        bone: names[finding.joint],
      })),
      fixed: fixed.remedies.filter(({ isKept }) => isKept).length,
      left: fixed.after.findings.length,
    };
  },

  async transfer(request, context) {
    const from = readCharacterOf((request.from ?? {}) as JobRequest, "from.");
    const options = optionsOf<TransferOptions>("transfer", request);
    const { weights, ...counts } = await transfer(from, readMesh(request, ""), {
      ...options,
      ...context,
    });
    return { ...weightsAnswer(weights), ...counts };
  },
};

async function learned({ like }: JobRequest, base: Uint8Array, context: JobContext) {
  // Loaded on first use.
  const { likeModel } = await import("./like-model.ts");
  return likeModel(like, base, context);
}

function weightsAnswer({ influences, joints, weights }: SkinWeights): Answer {
  return { influences, joints: sendArray(joints), weights: sendArray(weights) };
}
