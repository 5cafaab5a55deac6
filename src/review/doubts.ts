import type { PreparedCharacter } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import type { Aabb } from "../math/aabb.ts";
import { connectedComponents, partBoxes, vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { boneCount, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { cellAt, visitNeighbors } from "../voxel/voxel-grid.ts";
import { voxelizeBones } from "../voxel/voxelize-bones.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { pruneWeights } from "../weights/trim-weights.ts";
import { meanBleed } from "./bleed.ts";

/**
 * Reasons to review a vertex's weights; their order defines the bits of `Doubts.vertices`.
 *
 * @example
 * const { doubts } = await skin(character);
 * console.log(VERTEX_DOUBTS.filter((_, bit) => doubts.vertices[0] & (1 << bit)));
 */
export const VERTEX_DOUBTS = ["tie", "far", "unreachable", "clipped", "empty"] as const;
/**
 * A reason to review a vertex; see {@link Doubts}.
 *
 * @example
 * const reason: VertexDoubt = "tie";
 * const { doubts } = await skin(character);
 * const bit = 1 << VERTEX_DOUBTS.indexOf(reason);
 * console.log(doubts.vertices.filter((bits) => bits & bit).length);
 */
export type VertexDoubt = (typeof VERTEX_DOUBTS)[number];

/** Reasons to review a bone. */
export const BONE_DOUBTS = ["tie", "far", "clipped", "idle"] as const;
/**
 * A reason to review a bone; see {@link Doubts}.
 *
 * @example
 * const lonely: BoneDoubt = "idle";
 * const { doubts } = await skin(character);
 * console.log(doubts.bones.filter(({ reason }) => reason === lonely));
 */
export type BoneDoubt = (typeof BONE_DOUBTS)[number];

/**
 * What to review before trusting the weights.
 *
 * Vertices: `tie`, the two heaviest joints have similar weights and are not parent and child; `far`, the nearest
 * bone is far away; `unreachable`, a loose part that no bone reaches inside the body; `clipped`, the limit on
 * influences removed much of the weight; `empty`, the method assigned no weight, so it follows its nearest bone.
 *
 * Bones: `tie`, coincides with another, so that they cannot be distinguished; `far`, completely outside the
 * body; `clipped`, the limit removed much of its weight; `idle`, no vertex follows it, though it was not
 * excluded.
 *
 * @example
 * const { doubts }: { doubts: Doubts } = await skin(character);
 * console.log(doubts.vertices.filter((bits) => bits !== 0).length, doubts.bones);
 */
export interface Doubts {
  /** V of the original mesh, bit n set for reason n of {@link VERTEX_DOUBTS}. */
  vertices: Uint8Array;
  /** Joints in order, each once per reason. */
  bones: { joint: number; reason: BoneDoubt }[];
  /** Expected L1 error, 0 to 2, to compare characters; see `doubtScore`. */
  score: number;
  /** Fraction of the weight on far joints (see `meanBleed`), if distances were measured. */
  bleed?: number;
}

/** Input of {@link findDoubts}. */
export interface SolvedCharacter {
  prepared: PreparedCharacter;
  /** The method's weights, any order. */
  solved: SkinWeights;
  /** See {@link SolvedWeights}. */
  unsmoothed?: SkinWeights | undefined;
  /** Before the limit: after the adaptive and other passes, any order. */
  unlimited: SkinWeights;
  /** After all passes. */
  finished: SkinWeights;
  /** J, nonzero for excluded joints. */
  excluded: Uint8Array;
  /** Without it distances are not reviewed. */
  measured?: MeasuredCharacter | undefined;
  maxInfluences: number;
  prune: number;
}

/** The two heaviest joints tie if the second has this fraction of the first. */
const TIE = 0.9;

/** In longest sides of the mesh; one in twenty vertices is farther from all bones (docs/report.md). */
const FAR = 0.35;

/** Fraction of the weight, of a vertex or a bone, that the limit may remove unreported. */
const CLIPPED = 0.1;

/** Finds weights that may be wrong, for any method. */
export function findDoubts(facts: SolvedCharacter): Doubts {
  const { prepared, finished, measured, excluded } = facts;
  const { mesh, skeleton } = prepared.character;
  const bits = new Uint8Array(mesh.positions.length / 3);
  const flag = (vertex: number, reason: VertexDoubt) => {
    bits[vertex] |= 1 << VERTEX_DOUBTS.indexOf(reason);
  };
  findTies(finished, skeleton, (v) => flag(v, "tie"));
  findEmpty(facts.solved, (v) => flag(v, "empty"));
  const clippedBones = findClipped(facts, (v) => flag(v, "clipped"));
  const bones = coincidentBones(skeleton).map((joint) => ({ joint, reason: "tie" as BoneDoubt }));
  let bleed: number | undefined;
  const isMeasured =
    measured?.distances.bones.length === bits.length * (measured?.distances.k ?? 0);
  const score = doubtScore(facts, isMeasured ? measured?.distances : undefined);
  if (measured && isMeasured) {
    const { k, distances } = measured.distances;
    for (let v = 0; v < bits.length; v++) if (!(distances[v * k] <= FAR)) flag(v, "far");
    const reach = reachBody(measured);
    unreachableParts(mesh, measured, reach).forEach((isUnreachable, v) => {
      if (isUnreachable) flag(v, "unreachable");
    });
    reach.inside.forEach((inside, joint) => {
      if (!inside) bones.push({ joint, reason: "far" });
    });
    bleed = meanBleed(finished, measured.distances);
  }
  for (const joint of clippedBones) bones.push({ joint, reason: "clipped" });
  for (const joint of idleBones(finished, excluded)) bones.push({ joint, reason: "idle" });
  bones.sort((a, b) => a.joint - b.joint);
  const vertices = Uint8Array.from(prepared.welded, (vertex) => bits[vertex]);
  return { vertices, bones, score, ...(bleed !== undefined && { bleed }) };
}

function findTies(
  { influences, joints, weights }: SkinWeights,
  { parents }: Skeleton,
  found: (vertex: number) => void,
): void {
  if (influences < 2) return;
  for (let at = 0; at < weights.length; at += influences) {
    const [a, b] = [joints[at], joints[at + 1]];
    const ties = weights[at + 1] > 0 && weights[at + 1] >= TIE * weights[at];
    // Between a joint and its parent equal weights are normal.
    if (ties && parents[a] !== b && parents[b] !== a) found(at / influences);
  }
}

function findEmpty({ influences, weights }: SkinWeights, found: (vertex: number) => void): void {
  for (let at = 0; at < weights.length; at += influences) {
    let slot = at;
    while (slot < at + influences && !(weights[slot] > 0)) slot++;
    if (slot === at + influences) found(at / influences);
  }
}

/** Finds vertices and returns bones whose weight the limit reduced considerably. */
function findClipped(
  { unlimited, maxInfluences, prune, prepared }: SolvedCharacter,
  found: (vertex: number) => void,
): number[] {
  const J = prepared.character.skeleton.parents.length;
  const total = new Float64Array(J);
  const removed = new Float64Array(J);
  // Sorted, so that weights without a slot come last.
  const { influences, joints, weights } = pruneWeights(unlimited, prune);
  for (let at = 0; at < weights.length; at += influences) {
    let cut = 0;
    for (let slot = 0; slot < influences; slot++) {
      const weight = weights[at + slot];
      total[joints[at + slot]] += weight;
      if (slot < maxInfluences) continue;
      cut += weight;
      removed[joints[at + slot]] += weight;
    }
    if (cut > CLIPPED) found(at / influences);
  }
  return [...total.keys()].filter((joint) => removed[joint] > CLIPPED * total[joint]);
}

/** Joints whose bone has the same segments as that of another joint. */
function coincidentBones(skeleton: Skeleton): number[] {
  const { segments, starts } = bonesOf(skeleton);
  const groups = new Map<string, number[]>();
  for (let b = 0; b + 1 < starts.length; b++) {
    // A leaf's zero-length bone at the end of its parent's does not count.
    const key = segments.subarray(starts[b] * 6, starts[b + 1] * 6).join();
    groups.set(key, [...(groups.get(key) ?? []), b]);
  }
  return [...groups.values()].filter((group) => group.length > 1).flat();
}

function idleBones({ joints, weights }: SkinWeights, excluded: Uint8Array): number[] {
  const used = new Uint8Array(excluded.length);
  weights.forEach((weight, slot) => {
    if (weight > 0) used[joints[slot]] = 1;
  });
  return [...used.keys()].filter((joint) => used[joint] === 0 && excluded[joint] === 0);
}

/**
 * Linear model of the L1 error, fitted to validation characters with the default model and to training
 * characters unseen by the permissive model (rank correlations in bench/results/doubt-val.json).
 */
const OFFSET = -0.103;
const PER_DIVISION = 2.277;
const PER_FARNESS = 0.613;

/** Mean distance of those characters' vertices from their nearest bone, if distances are unknown. */
const USUAL_FARNESS = 0.112;

/**
 * Estimates the L1 error of a character's weights relative to an artist's, from 0 to 2.
 *
 * A confident network assigns a vertex to one or two bones; an uncertain one spreads the weight. So the main
 * predictor is the mean fraction that is not on the heaviest joint. A body far from its bones adds to it.
 *
 * @param given the network's weights before smoothing, which hides uncertainty, or else the method's; any order
 * @param distances to the nearest bones, in longest sides of the mesh
 */
export function doubtScore(
  given: { solved: SkinWeights; unsmoothed?: SkinWeights | undefined },
  distances?: BoneDistances,
): number {
  const score =
    OFFSET +
    PER_DIVISION * division(given.unsmoothed ?? given.solved) +
    PER_FARNESS * (distances ? farness(distances) : USUAL_FARNESS);
  return Math.min(2, Math.max(0, score));
}

/** Mean fraction of the weight that is not on the heaviest joint. */
function division({ influences, weights }: SkinWeights): number {
  const count = weights.length / influences;
  let divided = 0;
  for (let v = 0; v < count; v++) {
    let [total, max] = [0, 0];
    for (let i = v * influences; i < (v + 1) * influences; i++) {
      total += weights[i];
      if (weights[i] > max) max = weights[i];
    }
    // A vertex without weight is fully uncertain.
    divided += total > 0 ? 1 - max / total : 1;
  }
  return divided / Math.max(1, count);
}

/** Mean distance to the nearest bone, clamped to 1 per vertex. */
function farness({ k, distances }: BoneDistances): number {
  let sum = 0;
  for (let at = 0; at < distances.length; at += k) sum += Math.min(1, distances[at]);
  return (sum * k) / Math.max(1, distances.length);
}

/** Descriptions of vertex doubts, to follow "are". */
export const VERTEX_DOUBT_TEXT: Readonly<Record<VertexDoubt, string>> = {
  tie: "torn between two bones",
  far: "far from every bone",
  unreachable: "in loose parts no bone reaches",
  clipped: "cut by the limit on influences",
  empty: "given no weight by the method",
};

/** Descriptions of bone doubts, to follow "is". */
export const BONE_DOUBT_TEXT: Readonly<Record<BoneDoubt, string>> = {
  tie: "at the same position as another",
  far: "outside the body",
  clipped: "cut by the limit on influences",
  idle: "moving no vertex",
};

/** The part of a body that its bones reach without leaving it. */
interface BodyReach {
  /** One byte per cell, 1 if a path over faces inside the body, wall included, leads to a bone. */
  cells: Uint8Array;
  /** B, 1 for a bone with at least one cell inside the body or in its wall. */
  inside: Uint8Array;
}

/** Floods the body from the cells of its bones. */
function reachBody({
  grid,
  outside,
  bones,
}: Pick<MeasuredCharacter, "grid" | "outside" | "bones">): BodyReach {
  const reached = new Uint8Array(outside.length);
  const inside = new Uint8Array(boneCount(bones));
  const boneCells = voxelizeBones(bones, grid);
  const open: number[] = [];
  const enter = (cell: number) => {
    if (outside[cell] === 1 || reached[cell] === 1) return;
    reached[cell] = 1;
    open.push(cell);
  };
  for (let b = 0; b < inside.length; b++) {
    // A bone outside the grid is only represented by the nearest border cell.
    if (boneCells.levels[b] > 0) continue;
    for (let i = boneCells.starts[b]; i < boneCells.starts[b + 1]; i++) {
      if (outside[boneCells.cells[i]] === 0) inside[b] = 1;
      enter(boneCells.cells[i]);
    }
  }
  while (open.length > 0) visitNeighbors(grid, open.pop()!, enter);
  return { cells: reached, inside };
}

/**
 * Returns the vertices of loose parts outside the body (V, 1 or 0): no path inside the body leads from them to a
 * bone, and no joint is inside their bounding box (an open garment has its bones outside too).
 *
 * The weights of such a part come from the nearest bone across a gap.
 */
function unreachableParts(
  mesh: Mesh,
  { grid, bones }: Pick<MeasuredCharacter, "grid" | "bones">,
  { cells }: BodyReach,
): Uint8Array {
  const { positions, triangles } = mesh;
  const V = vertexCount(mesh);
  const parts = connectedComponents(vertexNeighbors(triangles, V));
  const isReached = Uint8Array.from(partBoxes(positions, parts), (box) =>
    holdsJoint(box, bones.heads) ? 1 : 0,
  );
  for (let v = 0; v < V; v++) {
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    if (cells[cellAt(grid, x, y, z)] === 1) isReached[parts.component[v]] = 1;
  }
  return Uint8Array.from(parts.component, (part) => 1 - isReached[part]);
}

function holdsJoint({ min, max }: Aabb, joints: Float32Array): boolean {
  for (let j = 0; j < joints.length; j += 3) {
    const isOut = (axis: number) => joints[j + axis] < min[axis] || joints[j + axis] > max[axis];
    if (!isOut(0) && !isOut(1) && !isOut(2)) return true;
  }
  return false;
}
