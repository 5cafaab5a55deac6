import type { BoneDistances } from "../distance/bone-distances.ts";
import { heatPrior } from "../distance/heat-prior.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { geodesicBall } from "../mesh/geodesic-ball.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { outwardNormals } from "../mesh/normals.ts";
import { type Bones, positionRank } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/voxelize-bones.ts";
import { bodyThickness } from "./body-thickness.ts";
import type { MeasureConfig } from "./model-config.ts";
import type { GraphConfig, GraphInput } from "./skin-graph.ts";

/**
 * Completes the input of a character's graph from its grid, bones and distances: normals, geodesic neighbors
 * and, if configured, the heat prior.
 *
 * @param character prepared: welded, longest side 1
 * @param graph without `features`, the input serves every set of features
 * @param normals V×3, if they are known from a finer mesh
 */
export function graphInputOf(
  character: { mesh: Mesh; skeleton: Skeleton },
  measured: MeasuredCharacter,
  config: MeasureConfig,
  graph: Pick<GraphConfig, "k" | "ball"> & Partial<Pick<GraphConfig, "features">>,
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
    thickness:
      graph.features === undefined || graph.features === "bend"
        ? bodyThickness(mesh.positions, normals, measured.grid, measured.outside)
        : new Float32Array(mesh.positions.length / 3),
    ball: geodesicBall(mesh, neighbors, config.radius, graph.ball),
    prior: config.prior
      ? heatPrior(character, { ...measured, distances }, normals)
      : new Float32Array(distances.bones.length),
  };
}

/** Just over the diagonal of a cell, to leave the cells of the wall. */
const STEP_IN_CELLS = 1.75;

/**
 * Returns unit vertex normals (V×3) that point out of the body, independent of the triangles' winding.
 *
 * @param outside one byte per cell, see `fillOutside`
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
 * Returns the fraction of each segment inside the body (S, 0 to 1): a limb's bone is inside, the line from a
 * rig's root to a hand is not.
 *
 * @param outside one byte per cell, see `fillOutside`
 */
function segmentInside({ segments }: Bones, grid: VoxelGrid, outside: Uint8Array): Float32Array {
  const inside = new Float32Array(segments.length / 6);
  inside.forEach((_, s) => {
    let fraction = 0;
    let entered = 0;
    let within = false;
    const leave = (at: number): void => {
      if (within) fraction += at - entered;
    };
    const head = segments.subarray(s * 6, s * 6 + 3);
    const tail = segments.subarray(s * 6 + 3, s * 6 + 6);
    walkSegment(grid, head, tail, (cell, enter) => {
      leave(enter);
      [within, entered] = [outside[cell] === 0, enter];
      return true;
    });
    const point = head.every((value, i) => value === tail[i]);
    if (!point) leave(1);
    inside[s] = point ? Number(within) : fraction;
  });
  return inside;
}

/** Distances closer than this (relative to the character's size) are equal. */
const EQUAL = 2e-5;

/**
 * Orders candidates independently of the numbering of joints and the last digits of coordinates.
 *
 * Ties are common: bones that meet in a joint are equally far from vertices nearest to it, and so are left and
 * right from the middle. The network sees the order of candidates, so ties are broken by joint positions.
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
