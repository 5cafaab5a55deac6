import type { Symmetry } from "../character/symmetry.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import {
  addRow,
  addWeight,
  emptyWeights,
  readRow,
  rowCount,
  type SkinWeights,
  sumOf,
  type WeightRow,
  weightIn,
  writeRow,
} from "../weights/skin-weights.ts";
import { type TrimOptions, trimRow } from "../weights/trim-weights.ts";
import { lockTest, type WeightLocks } from "../weights/weight-locks.ts";

/** The side that is copied, or the mean of both. */
export type MirrorSource = "both" | "high" | "low";

export interface MirrorOptions extends TrimOptions {
  /** Default: both. */
  source?: MirrorSource | undefined;
  /**
   * Whether a vertex without partner is mixed only as far as the opposite surface has similar
   * weights: where shirt and skin touch, the nearest surface may be the wrong one.
   */
  onlyAlike?: boolean | undefined;
  locks?: WeightLocks | undefined;
}

/** Maximum difference between twins of a row that is its own mirror image. */
const SAME_WEIGHT = 1e-5;

/** L1 below which rows are alike, and from which they are unrelated. */
const ALIKE = 0.5;
const UNRELATED = 1;

/**
 * Makes weights symmetric and trims them, which must be symmetric as well.
 *
 * A vertex is mixed with its mirrored position, with joints replaced by their twins. Weight on a
 * joint without a twin (a sword) stays; from the other side it counts as its nearest ancestor with
 * a twin. Vertices without a mirrored position are only trimmed. Locked weights stay; those of the
 * other side are copied exactly unless the twin is locked itself.
 *
 * @returns `maxInfluences` slots; rows of partners are mirror images except for locks
 */
export function mirrorWeights(
  weights: SkinWeights,
  skeleton: Skeleton,
  symmetry: Symmetry,
  mesh: { positions: Float32Array },
  options: MirrorOptions,
): SkinWeights {
  const images = imageJoints(skeleton, symmetry.twins);
  const vertices = rowCount(weights);
  const out = emptyWeights(vertices, options.maxInfluences);
  const own = Array.from({ length: vertices }, (_, vertex) => readRow(weights, vertex));
  const context = { own, images, symmetry, options };
  // One partner decides and the other copies, so that ties are broken once.
  const decided: (WeightRow | undefined)[] = new Array(vertices);
  const decide = (vertex: number): WeightRow => {
    decided[vertex] ??= mirroredRow(context, mesh.positions, vertex);
    return decided[vertex];
  };
  for (let vertex = 0; vertex < vertices; vertex++) {
    const partner = symmetry.partners[vertex];
    const copies =
      !leads(mesh.positions, symmetry, vertex) &&
      isPlain(context, vertex) &&
      isPlain(context, partner);
    writeRow(out, vertex, copies ? mirrorRow(decide(partner), images) : decide(vertex));
  }
  return out;
}

interface MirrorContext {
  own: WeightRow[];
  images: Int32Array;
  symmetry: Symmetry;
  options: MirrorOptions;
}

/** Returns the image of each joint: its twin, or that of an ancestor, or -1. */
function imageJoints({ parents }: Skeleton, twins: Int32Array): Int32Array {
  return Int32Array.from(parents, (_, joint) => {
    let at = joint;
    while (at >= 0 && twins[at] < 0) at = parents[at];
    return at < 0 ? -1 : twins[at];
  });
}

function mirrorRow({ joints, values }: WeightRow, images: Int32Array): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  for (let i = 0; i < joints.length; i++) {
    if (images[joints[i]] >= 0) addWeight(row, images[joints[i]], values[i]);
  }
  return row;
}

function sideOf(positions: Float32Array, { plane }: Symmetry, vertex: number): number {
  return positions[vertex * 3 + plane.axis] - plane.offset;
}

function leads(positions: Float32Array, symmetry: Symmetry, vertex: number): boolean {
  const partner = symmetry.partners[vertex];
  if (partner < 0 || partner === vertex) return true;
  const ahead = sideOf(positions, symmetry, vertex) - sideOf(positions, symmetry, partner);
  return ahead > 0 || (ahead === 0 && vertex < partner);
}

/** Returns whether no joint of a row is locked or without twin. */
function isPlain({ own, symmetry, options }: MirrorContext, vertex: number): boolean {
  const isLocked = lockTest(options.locks, vertex);
  return own[vertex].joints.every((joint) => symmetry.twins[joint] >= 0 && !isLocked(joint));
}

/** Returns the mirrored row at the mirrored position. */
function acrossRow({ own, images, symmetry }: MirrorContext, vertex: number): WeightRow {
  const { partners, corners, barycentric } = symmetry;
  if (partners[vertex] >= 0) return mirrorRow(own[partners[vertex]], images);
  const row: WeightRow = { joints: [], values: [] };
  for (let i = vertex * 3; i < vertex * 3 + 3; i++) {
    if (corners[i] < 0 || barycentric[i] === 0) continue;
    addRow(row, mirrorRow(own[corners[i]], images), barycentric[i]);
  }
  return row;
}

function mirroredRow(context: MirrorContext, positions: Float32Array, vertex: number): WeightRow {
  const { own, symmetry, options } = context;
  const { twins, partners } = symmetry;
  const isLocked = lockTest(options.locks, vertex);
  const isLockedAcross =
    partners[vertex] < 0 ? () => false : lockTest(options.locks, partners[vertex]);
  const across = acrossRow(context, vertex);
  const keep = keptFraction(positions, symmetry, vertex, options.source ?? "both");
  const trusted = options.onlyAlike && partners[vertex] < 0 ? likeness(own[vertex], across) : 1;
  const isTaken = (joint: number) => !isLocked(joint) && isLockedAcross(twins[joint]);
  const mixed =
    sumOf(across) === 0 || own[vertex].joints.every(isLocked)
      ? own[vertex]
      : mixRows(own[vertex], across, 1 - (1 - keep) * trusted, (joint) =>
          isLocked(joint) || twins[joint] < 0 ? 1 : isTaken(joint) ? 0 : undefined,
        );
  const isFixed = (joint: number) => isLocked(joint) || isTaken(joint);
  return trimRow(mixed, options, isFixed, isOwnImage(mixed, twins) ? twins : undefined);
}

/** Returns 1 for similar rows down to 0 for unrelated ones. */
function likeness(a: WeightRow, b: WeightRow): number {
  const joints = new Set([...a.joints, ...b.joints]);
  let l1 = 0;
  for (const joint of joints) l1 += Math.abs(weightIn(a, joint) - weightIn(b, joint));
  return Math.min(1, Math.max(0, (UNRELATED - l1) / (UNRELATED - ALIKE)));
}

/**
 * Returns the fraction of its own row that a vertex keeps; vertices on the plane mix both sides.
 */
function keptFraction(
  positions: Float32Array,
  symmetry: Symmetry,
  vertex: number,
  source: MirrorSource,
): number {
  const side = sideOf(positions, symmetry, vertex);
  if (source === "both" || symmetry.partners[vertex] === vertex || side === 0) return 0.5;
  return side > 0 === (source === "high") ? 1 : 0;
}

/**
 * Mixes two normalized rows.
 *
 * @param fixedFraction fraction of `own` for joints whose weight is not rescaled
 */
function mixRows(
  own: WeightRow,
  across: WeightRow,
  keep: number,
  fixedFraction: (joint: number) => number | undefined,
): WeightRow {
  const fixed: WeightRow = { joints: [], values: [] };
  const free: WeightRow = { joints: [], values: [] };
  const count = own.joints.length;
  for (let i = 0; i < count + across.joints.length; i++) {
    const joint = i < count ? own.joints[i] : across.joints[i - count];
    if (i >= count && own.joints.includes(joint)) continue;
    const fraction = fixedFraction(joint);
    const part = fraction ?? keep;
    const value = part * weightIn(own, joint) + (1 - part) * weightIn(across, joint);
    if (value > 0) addWeight(fraction === undefined ? free : fixed, joint, value);
  }
  const left = 1 - sumOf(fixed);
  // Nothing can be mirrored here.
  if (left < 0 || (free.joints.length === 0 && left > SAME_WEIGHT)) return own;
  addRow(fixed, free, left / (sumOf(free) || 1));
  return fixed;
}

function isOwnImage(row: WeightRow, twins: Int32Array): boolean {
  return row.joints.every(
    (joint, i) =>
      twins[joint] >= 0 && Math.abs(weightIn(row, twins[joint]) - row.values[i]) <= SAME_WEIGHT,
  );
}
