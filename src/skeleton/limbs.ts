import { boundsOf } from "../math/aabb.ts";
import { distanceOf } from "../math/vec3.ts";
import type { NamedPart, NameFacts } from "./joint-names.ts";
import { childrenOf, parentsFirst, type Skeleton } from "./skeleton.ts";

/** 1 for left, -1 for right, 0 for the middle. */
export type Side = 1 | -1 | 0;

/** A paired or single chain of joints from the trunk outwards. */
export interface Limb {
  joints: number[];
  side: Side;
  kind: "arm" | "leg" | "wing" | "fin" | "tail" | "chain";
}

const ARM = new Set<NamedPart>(["shoulder", "upperArm", "lowerArm", "hand", "arm"]);
const LEG = new Set<NamedPart>(["upperLeg", "lowerLeg", "foot", "toe", "leg"]);
/** Order of the named parts along an arm or leg. */
export const RANKS: Partial<Record<NamedPart, number>> = {
  shoulder: 0,
  upperArm: 1,
  lowerArm: 2,
  hand: 3,
  upperLeg: 1,
  lowerLeg: 2,
  foot: 3,
  toe: 4,
};
/** The group of limbs that a part of a name belongs to. */
function limbKind(part: NamedPart | undefined): Limb["kind"] | undefined {
  if (!part) return undefined;
  if (ARM.has(part)) return "arm";
  if (LEG.has(part)) return "leg";
  return part === "wing" || part === "fin" || part === "tail" || part === "chain"
    ? part
    : undefined;
}

/** Follows each limb from its first joint to its end. */
function followLimbs(skeleton: Skeleton, facts: NameFacts[]): Limb[] {
  const { parents } = skeleton;
  const children = childrenOf(skeleton);
  const kinds = facts.map(({ part }) => limbKind(part));
  // Front legs are often named as arms with hoofs.
  for (const joint of parentsFirst(skeleton)) {
    const isEnd = facts[joint].part === "foot" || facts[joint].part === "toe";
    if (isEnd && parents[joint] >= 0 && kinds[parents[joint]] === "arm") kinds[joint] = "arm";
  }
  const kindAbove = (joint: number) => {
    let at = parents[joint];
    while (at >= 0 && facts[at].part === "helper") at = parents[at];
    return at < 0 ? undefined : kinds[at];
  };
  const limbs: Limb[] = [];
  for (const joint of parentsFirst(skeleton)) {
    const kind = kinds[joint];
    if (!kind || kindAbove(joint) === kind) continue;
    // A tail on a wing, a cape on an arm: chains of their own; an arm below a leg is not.
    const joints = longestPath(
      joint,
      (next) => kinds[next] === kind || facts[next].part === "helper",
      children,
    ).filter((next) => kinds[next] === kind);
    limbs.push({ joints, side: sideOf(skeleton, facts, joints), kind });
  }
  return limbs;
}

/**
 * Drops copies of limbs in control rigs, and appends feet and hands that are attached to the root, as in rigs with
 * inverse kinematics, to the limb whose end is nearest.
 */
function mergedLimbs(skeleton: Skeleton, facts: NameFacts[], limbs: Limb[]): Limb[] {
  const { positions, parents } = skeleton;
  const found: Limb[] = [];
  const rankOf = (joint: number) => RANKS[facts[joint].part ?? "root"] ?? 0;
  // Limbs that start at the trunk first, then the longest.
  const order = [...limbs].sort(
    (a, b) =>
      Number(rankOf(a.joints[0]) >= END_RANK) - Number(rankOf(b.joints[0]) >= END_RANK) ||
      b.joints.length - a.joints.length,
  );
  for (const limb of order) {
    const alike = found.filter(({ kind, side }) => kind === limb.kind && side === limb.side);
    const isCopy = alike.some(({ joints }) =>
      limb.joints.every((joint) => joints.some((own) => distanceOf(positions, own, joint) < 1e-4)),
    );
    if (isCopy && limb.kind !== "chain") continue;
    // A hip bone next to the thigh.
    const isStub = alike.some(
      ({ joints }) => joints.length > 1 && parents[joints[0]] === parents[limb.joints[0]],
    );
    if (isStub && limb.joints.length === 1 && (limb.kind === "leg" || limb.kind === "arm"))
      continue;
    const open = alike.filter(({ joints }) => joints.every((joint) => rankOf(joint) < END_RANK));
    if (rankOf(limb.joints[0]) < END_RANK || open.length === 0) {
      found.push({ ...limb, joints: [...limb.joints] });
      continue;
    }
    const gap = ({ joints }: Limb) => distanceOf(positions, joints.at(-1)!, limb.joints[0]);
    open.reduce((a, b) => (gap(b) < gap(a) ? b : a)).joints.push(...limb.joints);
  }
  return found;
}

/** Rank of feet and hands. */
const END_RANK = 3;

/** Returns the longest path of joints that pass a test, from a joint downwards. */
export function longestPath(
  start: number,
  isOn: (joint: number) => boolean,
  children: number[][],
): number[] {
  let best: number[] = [];
  for (const child of children[start]) {
    if (!isOn(child)) continue;
    const path = longestPath(child, isOn, children);
    if (path.length > best.length) best = path;
  }
  return [start, ...best];
}

/** Returns the side of joints: as named, or by x. */
export function sideOf({ positions }: Skeleton, facts: NameFacts[], joints: number[]): Side {
  const named = joints.map((joint) => facts[joint].side).find((side) => side !== 0);
  if (named) return named;
  const box = boundsOf(positions);
  const middle = middleX(positions, box.min[0], box.max[0]);
  const mean = joints.reduce((sum, joint) => sum + positions[joint * 3], 0) / joints.length;
  const off = mean - middle;
  return Math.abs(off) < 0.02 * (box.max[0] - box.min[0] + box.max[1] - box.min[1])
    ? 0
    : off > 0
      ? 1
      : -1;
}

/** Returns the plane in which most joints are, or the middle of the box. */
export function middleX(positions: Float32Array, min: number, max: number): number {
  const values = positions.filter((_, i) => i % 3 === 0).sort();
  const median = values[values.length >> 1];
  return Math.abs(median - (min + max) / 2) < 0.1 * (max - min) ? median : (min + max) / 2;
}

/** Returns the longest side of the bounding box of joints. */
export function span(positions: Float32Array): number {
  const { min, max } = boundsOf(positions);
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]) || 1;
}

/** Finds the limbs of a skeleton: one entry per chain, joints from the trunk outwards. */
export function collectLimbs(skeleton: Skeleton, facts: NameFacts[]): Limb[] {
  return mergedLimbs(skeleton, facts, followLimbs(skeleton, facts));
}
