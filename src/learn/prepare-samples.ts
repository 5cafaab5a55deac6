import type { Character } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { subdivideCharacter } from "../character/subdivide-character.ts";
import { distancesIn, voxelizeCharacter } from "../distance/measure.ts";
import { bodyNormals, graphInputOf } from "../graph/graph-input.ts";
import { InputError } from "../input-error.ts";
import { takeRows } from "../math/arrays.ts";
import { power } from "../math/power.ts";
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

/** Minimum vertices, because simple shapes would degenerate. */
const MIN_COARSENED = 400;
/** Minimum fraction of vertices of a simplified variant. */
const MIN_FRACTION = 0.2;

/** The samples of a character: the original, then its variants. */
export interface PreparedSamples {
  samples: Sample[];
  /** Description of the changes to each sample. */
  how: string[];
  /** Welded and normalized, as for scoring. */
  character: Weighted;
}

/** Maximum fraction of vertices without weight. */
const MAX_UNWEIGHTED = 0.05;
/**
 * Maximum distance of a joint with weight, in body sizes; farther joints are errors of the file.
 */
const MAX_JOINT_DISTANCE = 2;

/**
 * Creates the samples of a character; throws `InputError` with the reason if it is unusable.
 *
 * @param training whether to apply the vertex limits and add variants; otherwise the result is one
 *   sample of all vertices
 * @param donor character whose loose parts may be attached to variants
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

/** Creates a random variant, deterministic by name, seed and number. */
function makeVariant(
  character: Weighted,
  settings: SampleSettings,
  variant: number,
  parts: LoosePart[] = [],
): { character: Weighted; maxVertices: number; how: string } {
  const random = createRandom(`${character.name}/variant/${settings.variantSeed}/${variant}`);
  const how: string[] = [];
  let made = character;
  const change = (name: string, share: number, apply: () => Weighted): void => {
    if (random() >= share) return;
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
  const limit = Math.min(maxVertices, vertexCount(made.mesh));
  if (random() < settings.coarsenProbability && limit >= MIN_COARSENED) {
    maxVertices = Math.max(MIN_COARSENED, Math.round(limit * power(MIN_FRACTION, random())));
    how.push("coarsened");
  }
  // The changes moved the bounds.
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
    if (away > MAX_JOINT_DISTANCE) {
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
 * Measures a prepared character with the artist's weights.
 *
 * Above `maxVertices` the sample has a subset of the vertices; voxels and normals are always those
 * of the full mesh. Unweighted vertices have a count of 0.
 */
export async function measureSample(
  character: Weighted,
  settings: Pick<SampleSettings, "measure" | "k" | "ball">,
  maxVertices: number = Number.POSITIVE_INFINITY,
): Promise<Sample> {
  const { mesh, skeleton } = character;
  const options = { ...settings.measure, k: settings.k };
  const cells = voxelizeCharacter(character, options);
  const { vertices, triangles, counts } = await reduceMesh(mesh, maxVertices);
  const reduced: Mesh = { positions: takeRows(mesh.positions, vertices, 3), triangles };
  const distances = distancesIn(reduced, cells, options);
  const normals = takeRows(bodyNormals(mesh, cells.grid, cells.outside), vertices, 3);
  const weights = takeWeights(character.weights, vertices);
  const part = { mesh: reduced, skeleton };
  const measured = { ...cells, distances };
  const input = graphInputOf(part, measured, settings.measure, settings, normals);
  // The graph re-sorts tied candidates, so labels use its slots.
  const { bones, k } = input.distances;
  return {
    input,
    labels: candidateLabels(weights, bones, k),
    counts: counts.map((count, v) => (weights.weights[v * weights.influences] > 0 ? count : 0)),
  };
}

/**
 * Returns the artist's weight of each candidate bone (V×K); other bones are ignored.
 *
 * @param candidates V×K bones, -1 in an empty slot
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
