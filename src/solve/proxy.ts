import type { MeasuredCharacter } from "../distance/measure.ts";
import { bodyNormals } from "../graph/body-normals.ts";
import { takeRows } from "../math/take-rows.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { buildProxy } from "../mesh/proxy-mesh.ts";
import { DEFAULT_RESOLUTION } from "../voxel/build-grid.ts";
import { detailResolution } from "../voxel/detail-resolution.ts";
import type { Character } from "../weights/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { carryWeights } from "./carry-weights.ts";

/**
 * Vertices up to which a method works on the mesh itself.
 *
 * Costs of the network and of heat grow faster than what finer meshes gain from them: weights are
 * smooth, and a body of this many vertices follows them closely (see docs/large.md).
 */
export const PROXY_VERTICES = 20000;

/**
 * The resolution distances are measured at where none is asked for: the method's own, or on large
 * characters what their detail asks for.
 */
export function resolutionFor(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  usual: number = DEFAULT_RESOLUTION,
  limit: number = PROXY_VERTICES,
): number {
  return mesh.positions.length / 3 > limit ? detailResolution(mesh, skeleton, usual) : usual;
}

/** What a method needs to know of a character, or of its proxy. */
export interface MeasuredSurface {
  mesh: Mesh;
  /** Distances of the vertices of `mesh`; grid and bones of the whole character. */
  measured: MeasuredCharacter;
  /** V×3, pointing out of the body. */
  normals: Float32Array;
}

/**
 * Runs a method on a character, or, where it has more than `limit` vertices, on a simplified one,
 * and carries the weights back.
 *
 * Distances, normals and walls are those of the character itself either way, so vertices of the
 * proxy see what they would see without it.
 *
 * @param measured of `character`
 * @param limit {@link PROXY_VERTICES} unless told
 */
export async function solveOnProxy(
  { mesh }: Pick<Character, "mesh">,
  measured: MeasuredCharacter,
  limit: number = PROXY_VERTICES,
  solve: (surface: MeasuredSurface) => SkinWeights | Promise<SkinWeights>,
): Promise<SkinWeights> {
  const normals = bodyNormals(mesh, measured.grid, measured.outside);
  if (mesh.positions.length / 3 <= limit) return solve({ mesh, measured, normals });
  const proxy = await buildProxy(mesh, limit);
  const { k, bones, distances } = measured.distances;
  const weights = await solve({
    mesh: proxy.mesh,
    measured: {
      ...measured,
      distances: {
        k,
        bones: takeRows(bones, proxy.vertices, k),
        distances: takeRows(distances, proxy.vertices, k),
      },
    },
    normals: takeRows(normals, proxy.vertices, 3),
  });
  return carryWeights(mesh, measured, proxy, weights);
}
