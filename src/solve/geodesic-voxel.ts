import { type FalloffSettings, solveByFalloff } from "./falloff.ts";
import type { Solver } from "./solver.ts";

/** A way to run geodesic voxel binding. */
export interface GeodesicVoxelSettings extends FalloffSettings {
  /** Cells along the longest side, unless the caller asks for another number. */
  resolution: number;
}

/** As the paper ran it for its comparison. */
export const PAPER_SETTINGS: GeodesicVoxelSettings = {
  resolution: 128,
  falloff: 0.5,
  influences: 3,
};

/** As Maya offers it. */
export const MAYA_SETTINGS: GeodesicVoxelSettings = {
  resolution: 256,
  falloff: 0.2,
  influences: 5,
};

/**
 * Geodesic voxel binding: weights fall with the length of the shortest path inside the body.
 *
 * A vertex no bone reaches inside the body takes the bones nearest in a straight line, so that every
 * vertex gets weights.
 *
 * Based on: O. Dionne, M. de Lasa. Geodesic Voxel Binding for Production Character Meshes. 2013.
 */
export function geodesicVoxelBinding(settings: GeodesicVoxelSettings): Solver {
  return (prepared, options) =>
    solveByFalloff(
      prepared,
      { ...options, resolution: options.resolution ?? settings.resolution },
      "volumetric",
      settings,
    );
}

export const geodesicVoxel: Solver = geodesicVoxelBinding(PAPER_SETTINGS);
export const geodesicVoxelMaya: Solver = geodesicVoxelBinding(MAYA_SETTINGS);
