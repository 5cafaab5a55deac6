import { boundsOf, longestSide } from "../math/aabb.ts";
import { cross, dot } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { cellAt } from "../voxel/voxel-grid.ts";
import type { BodyDepth } from "./body-depth.ts";

/** How a skeleton from elsewhere can be brought into a mesh. */
export interface Alignment {
  /** The skeleton where it fits best. */
  skeleton: Skeleton;
  /** Share of its joints in the body as it came, and where it fits best. */
  before: number;
  after: number;
  /** What was done to it, in words: "turned", "scaled", "moved"; none where it fits as it is. */
  changes: string[];
}

/** Below this share of joints in the body a skeleton does not fit. */
const FITS = 0.6;
/** An alignment is worth offering where it brings this much more of the joints into the body. */
const GAIN = 0.15;
/** Among turns that fit about as well, the one that turns least. */
const TURN_COST = 0.02;
/** Sizes worth trying beside that of the box: units of other programs. */
const UNITS = [1, 100, 0.01, 10, 0.1, 39.37, 0.0254, 2.54];

/**
 * Looks whether a skeleton fits a mesh and, where it does not, for the turn by right angles, the size and
 * the shift with which it does: skeletons of other files often lie on their backs, in other units.
 */
export function alignSkeleton(body: BodyDepth, skeleton: Skeleton): Alignment {
  const before = shareInside(body, skeleton.positions);
  const still: Alignment = { skeleton, before, after: before, changes: [] };
  if (before >= FITS) return still;
  let best = still;
  let most = before + GAIN;
  for (const turn of rightAngles()) {
    const turned = turnBy(skeleton.positions, turn);
    for (const { positions, isScaled, isMoved } of placements(body, turned)) {
      const after = shareInside(body, positions);
      const cost = TURN_COST * angleOf(turn);
      if (after - cost <= most) continue;
      most = after - cost;
      const changes = [
        ...(angleOf(turn) > 0 ? ["turned"] : []),
        ...(isScaled ? ["scaled"] : []),
        ...(isMoved ? ["moved"] : []),
      ];
      best = { skeleton: { ...skeleton, positions }, before, after, changes };
    }
  }
  return best;
}

/** The share of joints that lie in the body. */
function shareInside({ grid, depths }: BodyDepth, positions: Float32Array): number {
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

/** A skeleton at the sizes and places worth trying. */
function* placements(
  { grid }: BodyDepth,
  positions: Float32Array,
): Generator<{ positions: Float32Array; isScaled: boolean; isMoved: boolean }> {
  const box = boundsOf(positions);
  const { nx, ny, nz, origin, size } = grid;
  const bodySize = (Math.max(nx, ny, nz) - 2) * size;
  const ratio = bodySize / (longestSide(box) || 1);
  const center = [nx, ny, nz].map((count, axis) => origin[axis] + (count * size) / 2);
  const middle = box.min.map((low, axis) => (low + box.max[axis]) / 2);
  const floor = origin[1] + size;
  for (const scale of [...UNITS, 0.85 * ratio, 0.92 * ratio, ratio]) {
    // Far from the size of the body nothing can fit.
    if (scale < 0.5 * ratio || scale > 1.2 * ratio) continue;
    const isScaled = Math.abs(scale - 1) > 1e-3;
    const sized = positions.map((value) => value * scale);
    yield { positions: sized, isScaled, isMoved: false };
    const moved = (shift: number[]) => sized.map((value, i) => value + shift[i % 3]);
    const across = [0, 1, 2].map((axis) => center[axis] - middle[axis] * scale);
    yield { positions: moved(across), isScaled, isMoved: true };
    // Feet on the ground rather than middle to middle: hair and hats have no joints.
    for (const lift of [0, 0.03, 0.06]) {
      const up = floor + lift * ny * size - box.min[1] * scale;
      yield { positions: moved([across[0], up, across[2]]), isScaled, isMoved: true };
    }
  }
}

type Turn = [number[], number[], number[]];

/** The 24 turns by right angles, as rows of matrices, the one that does nothing first. */
function rightAngles(): Turn[] {
  const turns: Turn[] = [];
  for (const [a, b, c] of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
  ]) {
    for (let signs = 0; signs < 8; signs++) {
      const rows = [a, b, c].map((axis, i) => {
        const row = [0, 0, 0];
        row[axis] = signs & (1 << i) ? -1 : 1;
        return row;
      }) as Turn;
      // What mirrors is no turn.
      if (dot(rows[0], cross(rows[1], rows[2])) > 0) turns.push(rows);
    }
  }
  return turns;
}

/** How far a turn goes: 0, 1 for a right angle, up to 2. */
function angleOf(turn: Turn): number {
  const trace = turn[0][0] + turn[1][1] + turn[2][2];
  return Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2))) / (Math.PI / 2);
}

function turnBy(positions: Float32Array, turn: Turn): Float32Array {
  return positions.map((_, i) => {
    const at = i - (i % 3);
    return turn[i % 3].reduce((sum, share, axis) => sum + share * positions[at + axis], 0);
  });
}
