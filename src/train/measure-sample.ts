import { euclideanDistances } from "../distance/euclidean.ts";
import { sceneOf, voxelizeCharacter } from "../distance/measure.ts";
import { searchAllBones } from "../distance/search-scene.ts";
import { bodyNormals } from "../graph/body-normals.ts";
import { graphInputOf } from "../graph/graph-input.ts";
import { takeRows } from "../math/take-rows.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Character } from "../weights/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { takeWeights } from "../weights/weight-row.ts";
import { candidateLabels } from "./candidate-labels.ts";
import { reduceMesh } from "./reduce.ts";
import type { Sample } from "./sample.ts";
import type { SampleSettings } from "./sample-settings.ts";

/**
 * Measures a prepared character with its artist's weights into a sample.
 *
 * Above `maxVertices` only some of the vertices enter the sample; voxels and normals are those of the
 * whole mesh nevertheless. A vertex the artist left without weight counts nothing.
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
  // The graph orders candidates anew where they tie: labels go by its slots.
  const { bones, k } = input.distances;
  return {
    input,
    labels: candidateLabels(weights, bones, k),
    counts: counts.map((count, v) => (weights.weights[v * weights.influences] > 0 ? count : 0)),
  };
}
