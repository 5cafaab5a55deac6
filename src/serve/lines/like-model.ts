import { createHash } from "node:crypto";
import type { AdaptedModel } from "../../adapt/adapt.ts";
import type { Character } from "../../character/character.ts";
import {
  adaptExamples,
  cacheKey,
  type ExampleSource,
  fileExamples,
} from "../../files/adapt-files.ts";
import { InputError } from "../../input-error.ts";
import { type JobContext, readCharacterOf } from "./requests.ts";

/** The most recently used adapted models, by cache key. */
const learned = new Map<string, AdaptedModel>();
const MAX_LEARNED = 4;

/**
 * Returns the model adapted to the characters of a request, each `{ file }` or a character with weights.
 *
 * Returns the same array for the same characters, so that its session stays open.
 */
export async function likeModel(
  like: unknown,
  base: Uint8Array,
  { signal, onProgress }: JobContext,
): Promise<AdaptedModel> {
  if (!Array.isArray(like) || like.length === 0) {
    throw new InputError("like must be a list of characters with weights, or of { file }.");
  }
  const examples = (await Promise.all(like.map(exampleOf))).flat();
  const key = cacheKey(examples, base);
  const known = learned.get(key) ?? (await adaptExamples(examples, base, { signal, onProgress }));
  learned.delete(key);
  learned.set(key, known);
  for (const old of [...learned.keys()].slice(0, -MAX_LEARNED)) learned.delete(old);
  return known;
}

/** Returns the examples of one entry of `like`; a folder has several. */
export async function exampleOf(
  sent: Record<string, unknown>,
  index: number,
): Promise<ExampleSource[]> {
  if (typeof sent?.file === "string") return fileExamples([sent.file]);
  const character = readCharacterOf(sent ?? {}, `like[${index}].`);
  return [{ fingerprint: characterHash(character), read: async () => character }];
}

/** Hashes the decoded arrays, because a file path can point to different data later. */
function characterHash({ name, mesh, skeleton, weights }: Character): string {
  const words = [name, skeleton.names, weights?.influences];
  const hash = createHash("sha256").update(JSON.stringify(words));
  const arrays = [mesh.positions, mesh.triangles, skeleton.parents, skeleton.positions];
  if (skeleton.ends) arrays.push(skeleton.ends);
  for (const array of [...arrays, ...(weights ? [weights.joints, weights.weights] : [])]) {
    hash.update(`${array.length} `).update(array);
  }
  return hash.digest("hex");
}
