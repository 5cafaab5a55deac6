import { InputError } from "../input-error.ts";
import { createRandom } from "../math/random.ts";
import { vertexCount } from "../mesh/mesh.ts";
import type { Character } from "../weights/character.ts";
import { prepareCharacter } from "../weights/prepare-character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { subdivideCharacter } from "../weights/subdivide-character.ts";
import { poseCharacter } from "./augment/pose.ts";
import { thinJoints } from "./augment/thin.ts";
import { measureSample } from "./measure-sample.ts";
import type { Sample } from "./sample.ts";
import type { SampleSettings } from "./sample-settings.ts";

/** Boxes and other low-poly shapes would lose their shape. */
const LEAST_COARSENED = 500;

type Weighted = Character & { weights: SkinWeights };

/** The samples of one character: as drawn, then its variants. */
export interface PreparedSamples {
  samples: Sample[];
  /** What was done to each, in words. */
  how: string[];
  /** Welded and normalised, as it is scored. */
  character: Weighted;
}

/** A larger share of vertices without weight than this makes a character useless. */
const MOST_UNWEIGHTED = 0.05;
/** A joint that moves vertices from farther away than this, in sizes of the body, is a mistake in the file. */
const FARTHEST_JOINT = 2;

/**
 * Turns a character into samples; throws `InputError` with the reason where it cannot be learned from.
 *
 * @param training whether it is to be learned from: then it is reduced or subdivided to the limits and
 *   gets variants; otherwise there is one sample of all its vertices
 */
export async function prepareSamples(
  source: Character,
  settings: SampleSettings,
  training: boolean,
): Promise<PreparedSamples> {
  const character = usable(prepareCharacter(source).character);
  if (!training) {
    return { samples: [await measureSample(character, settings)], how: ["as drawn"], character };
  }
  const finer = withWeights(subdivideCharacter(character, settings.minVertices));
  const samples = [await measureSample(finer, settings, settings.maxVertices)];
  const how = ["as drawn"];
  for (let variant = 1; variant <= settings.variants; variant++) {
    const made = makeVariant(finer, settings, variant);
    samples.push(await measureSample(made.character, settings, made.maxVertices));
    how.push(made.how);
  }
  return { samples, how, character };
}

/** One random variant; the same name and number give the same variant. */
export function makeVariant(
  character: Weighted,
  settings: SampleSettings,
  variant: number,
): { character: Weighted; maxVertices: number; how: string } {
  const random = createRandom(`${character.name}/variant/${variant}`);
  const how: string[] = [];
  let made = character;
  if (settings.poseProbability > 0) {
    const { poseProbability: probability, poseDegrees: degrees } = settings;
    made = poseCharacter(made, random, { probability, degrees });
    how.push("posed");
  }
  if (random() < settings.thinProbability) {
    made = thinJoints(made, random, settings.thinShare);
    how.push("thinned");
  }
  let maxVertices = settings.maxVertices;
  const coarsen = random() < settings.coarsenProbability;
  const share = 0.5 + 0.5 * random();
  const most = Math.min(maxVertices, vertexCount(made.mesh));
  if (coarsen && most >= LEAST_COARSENED) {
    maxVertices = Math.round(most * share);
    how.push("coarsened");
  }
  // The pose changed the box.
  made = withWeights(prepareCharacter(made).character);
  return { character: made, maxVertices, how: how.join(", ") || "as drawn" };
}

function usable(character: Character): Weighted {
  const { weights, mesh, skeleton } = character;
  if (!weights) throw new InputError("no skin: the file has no weights");
  let bare = 0;
  for (let i = 0; i < weights.weights.length; i += weights.influences) {
    if (!(weights.weights[i] > 0)) bare++;
  }
  const V = vertexCount(mesh);
  if (bare > MOST_UNWEIGHTED * V) {
    throw new InputError(`unweighted vertices: ${bare} of ${V}`);
  }
  if (mesh.triangles.length === 0) throw new InputError("no triangles");
  // Controls without weight may stand anywhere.
  for (const joint of new Set(weights.joints.filter((_, i) => weights.weights[i] > 0))) {
    const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    const away = Math.max(Math.abs(x) - 0.5, Math.abs(y - 0.5) - 0.5, Math.abs(z) - 0.5);
    if (away > FARTHEST_JOINT) {
      const name = skeleton.names[joint];
      throw new InputError(`joint far outside: "${name}" is ${away.toFixed(1)} body sizes away`);
    }
  }
  return { ...character, weights };
}

function withWeights(character: Character): Weighted {
  if (!character.weights) throw new Error("prepareSamples: the weights were lost.");
  return character as Weighted;
}
