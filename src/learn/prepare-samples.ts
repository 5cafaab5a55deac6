import type { Character } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { subdivideCharacter } from "../character/subdivide-character.ts";
import { euclideanDistances } from "../distance/euclidean.ts";
import { sceneOf, voxelizeCharacter } from "../distance/measure.ts";
import { searchAllBones } from "../distance/search-scene.ts";
import { bodyNormals, graphInputOf } from "../graph/graph-input.ts";
import { InputError } from "../input-error.ts";
import { takeRows } from "../math/arrays.ts";
import { createRandom } from "../math/random.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type SkinWeights, takeWeights } from "../weights/skin-weights.ts";
import { attachPart, type LoosePart, looseParts } from "./augment/attach-part.ts";
import { changeHelpers } from "./augment/change-helpers.ts";
import { moveJoints, poseCharacter } from "./augment/move.ts";
import { resizeParts } from "./augment/resize-parts.ts";
import { splitBones } from "./augment/split-bones.ts";
import { thinJoints, twinJoints } from "./augment/thin.ts";
import { pick, shuffleJoints, type Weighted } from "./augment/weighted.ts";
import { reduceMesh } from "./reduce.ts";
import type { Sample } from "./sample.ts";
import type { SampleSettings } from "./sample-settings.ts";

/** Meshes with fewer vertices are not coarsened: low-poly shapes would lose their shape. */
const MIN_COARSENED = 400;
/** Minimum fraction of vertices of a coarsened variant. */
const COARSEST = 0.2;

/** The samples of one character: the original, then its variants. */
export interface PreparedSamples {
  samples: Sample[];
  how: string[];
  /** Welded and normalized, as it is scored. */
  character: Weighted;
}

/** Maximum fraction of vertices without weight. */
const MAX_UNWEIGHTED = 0.05;
/** Maximum distance of a joint with weight, in body sizes; beyond it the file is wrong. */
const FARTHEST_JOINT = 2;

/**
 * Creates the samples of a character; throws an `InputError` with the reason if it is unusable.
 *
 * @param training whether it is for training: then it is reduced or subdivided to the limits and gets variants;
 *   otherwise there is one sample of all its vertices
 * @param donor a character whose loose parts may be attached to variants
 */
export async function prepareSamples(
  source: Character,
  settings: SampleSettings,
  training: boolean,
  donor?: Character,
): Promise<PreparedSamples> {
  const character = usable(prepareCharacter(source).character);
  if (!training) {
    return { samples: [await measureSample(character, settings)], how: ["as drawn"], character };
  }
  const finer = withWeights(subdivideCharacter(character, settings.minVertices));
  const samples = [await measureSample(finer, settings, settings.maxVertices)];
  const how = ["as drawn"];
  const parts = donor ? looseParts(prepareCharacter(donor).character) : [];
  for (let variant = 1; variant <= settings.variants; variant++) {
    const made = makeVariant(finer, settings, variant, parts);
    samples.push(await measureSample(made.character, settings, made.maxVertices));
    how.push(made.how);
  }
  return { samples, how, character };
}

/** One random variant; the same name, seed and number yield the same variant. */
function makeVariant(
  character: Weighted,
  settings: SampleSettings,
  variant: number,
  parts: LoosePart[] = [],
): { character: Weighted; maxVertices: number; how: string } {
  const random = createRandom(`${character.name}/variant/${settings.variantSeed}/${variant}`);
  const how: string[] = [];
  let made = character;
  const change = (name: string, probability: number, apply: () => Weighted): void => {
    if (random() >= probability) return;
    made = apply();
    how.push(name);
  };
  change("resized", settings.resizeProbability, () => resizeParts(made, random));
  const { poseProbability: probability, poseDegrees: degrees } = settings;
  change("posed", probability > 0 ? 1 : 0, () =>
    poseCharacter(made, random, { probability, degrees }),
  );
  change("split", settings.splitProbability, () =>
    splitBones(made, random, settings.splitShare * random()),
  );
  change("thinned", settings.thinProbability, () => thinJoints(made, random, settings.thinShare));
  change("moved", settings.moveProbability, () => moveJoints(made, random));
  change("with a part", parts.length > 0 ? settings.attachProbability : 0, () =>
    attachPart(made, pick(parts, random), random),
  );
  change("helpers", settings.helperProbability, () => changeHelpers(made, random));
  change("twins", settings.twinProbability, () => twinJoints(made, random));
  made = shuffleJoints(made, random);
  let maxVertices = settings.maxVertices;
  const max = Math.min(maxVertices, vertexCount(made.mesh));
  if (random() < settings.coarsenProbability && max >= MIN_COARSENED) {
    maxVertices = Math.max(MIN_COARSENED, Math.round(max * COARSEST ** random()));
    how.push("coarsened");
  }
  // The changes affect the bounding box.
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
  if (bare > MAX_UNWEIGHTED * V) throw new InputError(`unweighted vertices: ${bare} of ${V}`);
  if (mesh.triangles.length === 0) throw new InputError("no triangles");
  // Controls without weight may be anywhere.
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
  if (!character.weights) throw new Error("prepareSamples: the weights are missing.");
  return character as Weighted;
}

/**
 * Measures a prepared character with its artist's weights into a sample.
 *
 * Above `maxVertices` only some of the vertices enter the sample, with the voxels and normals of the full mesh.
 * A vertex without weight does not count.
 */
export async function measureSample(
  character: Character & { weights: SkinWeights },
  settings: Pick<SampleSettings, "measure" | "k" | "ball">,
  maxVertices: number = Number.POSITIVE_INFINITY,
): Promise<Sample> {
  const { mesh, skeleton } = character;
  const options = { ...settings.measure, k: settings.k };
  const cells = voxelizeCharacter(character, options);
  const { vertices, triangles, counts } = await reduceMesh(mesh, maxVertices);
  const reduced: Mesh = { positions: takeRows(mesh.positions, vertices, 3), triangles };
  const scene = sceneOf(reduced, cells, options);
  const distances = scene
    ? searchAllBones(scene)
    : euclideanDistances(reduced, cells.bones, options);
  const normals = takeRows(bodyNormals(mesh, cells.grid, cells.outside), vertices, 3);
  const part = { mesh: reduced, skeleton };
  const measured = { ...cells, distances };
  const weights = takeWeights(character.weights, vertices);
  const input = graphInputOf(part, measured, settings.measure, settings, normals);
  // The graph reorders candidates that tie: labels follow its slots.
  const { bones, k } = input.distances;
  return {
    input,
    labels: candidateLabels(weights, bones, k),
    counts: counts.map((count, v) => (weights.weights[v * weights.influences] > 0 ? count : 0)),
  };
}

/**
 * Returns the artist's weight of each candidate bone.
 *
 * @param candidates V×K bones, -1 in an empty slot
 * @returns V×K; rows sum to less than 1 if other bones have weight
 */
export function candidateLabels(
  { influences, joints, weights }: SkinWeights,
  candidates: Int32Array,
  k: number,
): Float32Array {
  const labels = new Float32Array(candidates.length);
  for (let i = 0; i < candidates.length; i++) {
    const bone = candidates[i];
    if (bone < 0) continue;
    const row = Math.floor(i / k) * influences;
    for (let slot = row; slot < row + influences; slot++) {
      if (joints[slot] === bone) labels[i] += weights[slot];
    }
  }
  return labels;
}
