import { heatPrior } from "../distance/heat-prior.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { geodesicBall } from "../mesh/geodesic-ball.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { bodyNormals } from "./body-normals.ts";
import { bodyThickness } from "./body-thickness.ts";
import type { MeasureConfig } from "./model-config.ts";
import { segmentInside } from "./segment-inside.ts";
import { settleTies } from "./settle-ties.ts";
import type { GraphConfig, GraphInput } from "./skin-graph.ts";

/**
 * All that a character's graph is built from, once its grid, bones and distances are measured: normals,
 * geodesic neighbours and, where asked for, the heat prior.
 *
 * @param character prepared: welded, longest side 1
 * @param normals V×3, where they are known from a finer mesh
 */
export function graphInputOf(
  character: { mesh: Mesh; skeleton: Skeleton },
  measured: MeasuredCharacter,
  config: MeasureConfig,
  graph: Pick<GraphConfig, "k" | "ball">,
  normals: Float32Array = bodyNormals(character.mesh, measured.grid, measured.outside),
): GraphInput {
  const { mesh, skeleton } = character;
  const { bones } = measured;
  const distances = settleTies(measured.distances, skeleton);
  const neighbours = vertexNeighbours(mesh.triangles, mesh.positions.length / 3);
  return {
    mesh,
    skeleton,
    bones,
    inside: segmentInside(bones, measured.grid, measured.outside),
    distances,
    normals,
    thickness: bodyThickness(mesh.positions, normals, measured.grid, measured.outside),
    ball: geodesicBall(mesh, neighbours, config.radius, graph.ball),
    prior: config.prior
      ? heatPrior(character, { ...measured, distances }, normals)
      : new Float32Array(distances.bones.length),
  };
}
