import type { BoneDistances } from "../distance/bone-distances.ts";
import { heatPrior } from "../distance/heat-prior.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { geodesicBall } from "../mesh/geodesic-ball.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { outwardNormals } from "../mesh/orient.ts";
import { type Bones, positionRank } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/voxelize-bones.ts";
import type { MeasureConfig } from "./model-config.ts";
import type { GraphConfig, GraphInput } from "./skin-graph.ts";

/**
 * All that a character's graph is built from, once its grid, bones and distances are measured: normals,
 * geodesic neighbors and, where asked for, the heat prior.
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
  const neighbors = vertexNeighbors(mesh.triangles, mesh.positions.length / 3);
  return {
    mesh,
    skeleton,
    bones,
    inside: segmentInside(bones, measured.grid, measured.outside),
    distances,
    normals,
    ball: geodesicBall(mesh, neighbors, config.radius, graph.ball),
    prior: config.prior
      ? heatPrior(character, { ...measured, distances }, normals)
      : new Float32Array(distances.bones.length),
  };
}

/** Just beyond the diagonal of a cell: there the wall's own cells are left behind. */
const STEP_IN_CELLS = 1.75;

/**
 * Unit normals of the vertices that point out of the body, whichever way the file winds its triangles.
 *
 * @param outside one byte a cell, see `fillOutside`
 * @returns V×3
 */
export function bodyNormals(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const { nx, ny, nz, origin, size } = grid;
  const isOutside = (px: number, py: number, pz: number): boolean => {
    const x = Math.floor((px - origin[0]) / size);
    const y = Math.floor((py - origin[1]) / size);
    const z = Math.floor((pz - origin[2]) / size);
    if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return true;
    return outside[x + nx * (y + ny * z)] === 1;
  };
  return outwardNormals(mesh, isOutside, STEP_IN_CELLS * size);
}

/**
 * How much of each segment lies inside the body: a bone of a limb does, the line from a rig's root to a
 * hand does not.
 *
 * @param outside one byte a cell, see `fillOutside`
 * @returns S, 0 to 1
 */
function segmentInside({ segments }: Bones, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const inside = new Float32Array(segments.length / 6);
  inside.forEach((_, s) => {
    let share = 0;
    let entered = 0;
    let within = false;
    const leave = (at: number): void => {
      if (within) share += at - entered;
    };
    const [head, tail] = [
      segments.subarray(s * 6, s * 6 + 3),
      segments.subarray(s * 6 + 3, s * 6 + 6),
    ];
    walkSegment(grid, head, tail, (cell, enter) => {
      leave(enter);
      [within, entered] = [outside[cell] === 0, enter];
      return true;
    });
    const point = head.every((value, i) => value === tail[i]);
    if (!point) leave(1);
    inside[s] = point ? Number(within) : share;
  });
  return inside;
}

/** Distances closer than this (of a character's size) are taken to be equal. */
const EQUAL = 2e-5;

/**
 * Candidates in an order that hangs on neither the numbering of joints nor the last digits of coordinates.
 *
 * Ties are common: bones that meet in a joint are equally far from whatever lies nearest to it, and so are
 * left and right from the middle. The network reads the order of candidates, so ties go by the joints' places.
 *
 * @param distances nearest first
 */
export function settleTies(distances: BoneDistances, skeleton: Skeleton): BoneDistances {
  const { k } = distances;
  const rank = positionRank(skeleton);
  const out = { k, bones: distances.bones.slice(), distances: distances.distances.slice() };
  for (let first = 0; first < out.bones.length; first += k) {
    for (let slot = first + 1; slot < first + k && out.bones[slot] >= 0; slot++) {
      for (let at = slot; at > first && isTieToSwap(out, at, rank); at--) swap(out, at);
    }
  }
  return out;
}

function isTieToSwap({ bones, distances }: BoneDistances, at: number, rank: Int32Array): boolean {
  return distances[at] - distances[at - 1] < EQUAL && rank[bones[at]] < rank[bones[at - 1]];
}

function swap({ bones, distances }: BoneDistances, at: number): void {
  [bones[at - 1], bones[at]] = [bones[at], bones[at - 1]];
  [distances[at - 1], distances[at]] = [distances[at], distances[at - 1]];
}
