import { boundsOf, longestSide } from "../math/aabb.ts";
import { type Skeleton, withPositions } from "../skeleton/skeleton.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import type { BodyDepth } from "./body-depth.ts";
import { angleOf, RIGHT_ANGLES, type Rotation, rotatePoints } from "./right-angles.ts";

/** An alignment of a skeleton from another file with a mesh. */
export interface Alignment {
  skeleton: Skeleton;
  /** Fraction of its joints inside the body, before and after. */
  before: number;
  after: number;
  /** The rotation that was applied first; undefined for none. */
  rotation: Rotation | undefined;
  /** What was changed: "rotated", "scaled", "moved"; empty if it fits as it is. */
  changes: string[];
}

/** Below this fraction of joints in the body a skeleton does not fit. */
const FITS = 0.6;
/** An alignment is offered if it improves the fraction of joints in the body by this much. */
const GAIN = 0.15;
/** Penalty per right angle: of rotations that fit equally well, the smallest is preferred. */
const ROTATION_COST = 0.02;
/** Scales to try in addition to that of the box: units of other programs. */
const UNITS = [1, 100, 0.01, 10, 0.1, 39.37, 0.0254, 2.54];

/**
 * Checks whether a skeleton fits a mesh and, if not, searches for rotations by right angles, scales and
 * translations with which it does: skeletons of other files often lie on their backs, in other units.
 */
export function alignSkeleton(body: BodyDepth, skeleton: Skeleton): Alignment {
  const before = fractionInside(body, skeleton.positions);
  const still: Alignment = { skeleton, before, after: before, rotation: undefined, changes: [] };
  if (before >= FITS) return still;
  let best = still;
  let max = before + GAIN;
  for (const rotation of RIGHT_ANGLES) {
    const rotated = rotatePoints(skeleton.positions, rotation);
    for (const { positions, isScaled, isMoved } of placements(body, rotated)) {
      const after = fractionInside(body, positions);
      const cost = ROTATION_COST * angleOf(rotation);
      if (after - cost <= max) continue;
      max = after - cost;
      const changes = [
        ...(angleOf(rotation) > 0 ? ["rotated"] : []),
        ...(isScaled ? ["scaled"] : []),
        ...(isMoved ? ["moved"] : []),
      ];
      best = {
        skeleton: withPositions(skeleton, positions),
        before,
        after,
        rotation: angleOf(rotation) > 0 ? rotation : undefined,
        changes,
      };
    }
  }
  return best;
}

function fractionInside({ grid, depths }: BodyDepth, positions: Float32Array): number {
  const { origin, size, nx, ny, nz } = grid;
  const high = [origin[0] + nx * size, origin[1] + ny * size, origin[2] + nz * size];
  let inside = 0;
  for (let at = 0; at < positions.length; at += 3) {
    const point = [positions[at], positions[at + 1], positions[at + 2]];
    if (point.some((value, axis) => value < origin[axis] || value > high[axis])) continue;
    if (depths[cellAt(grid, point[0], point[1], point[2])] > 0) inside++;
  }
  return inside / Math.max(1, positions.length / 3);
}

function* placements({ grid }: BodyDepth, positions: Float32Array) {
  const box = boundsOf(positions);
  const { nx, ny, nz, origin, size } = grid;
  const bodySize = (Math.max(nx, ny, nz) - 2) * size;
  const ratio = bodySize / (longestSide(box) || 1);
  const center = [nx, ny, nz].map((count, axis) => origin[axis] + (count * size) / 2);
  const middle = box.min.map((low, axis) => (low + box.max[axis]) / 2);
  const floor = origin[1] + size;
  for (const scale of [...UNITS, 0.85 * ratio, 0.92 * ratio, ratio]) {
    // At other scales nothing can fit.
    if (scale < 0.5 * ratio || scale > 1.2 * ratio) continue;
    const isScaled = Math.abs(scale - 1) > 1e-3;
    const sized = positions.map((value) => value * scale);
    yield { positions: sized, isScaled, isMoved: false };
    const moved = (shift: number[]) => sized.map((value, i) => value + shift[i % 3]);
    const across = [0, 1, 2].map((axis) => center[axis] - middle[axis] * scale);
    yield { positions: moved(across), isScaled, isMoved: true };
    // Feet on the ground rather than centered: hair and hats have no joints.
    for (const lift of [0, 0.03, 0.06]) {
      const up = floor + lift * ny * size - box.min[1] * scale;
      yield { positions: moved([across[0], up, across[2]]), isScaled, isMoved: true };
    }
  }
}
