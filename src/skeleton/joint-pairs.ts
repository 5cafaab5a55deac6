import { boundsOf, longestAxis } from "../math/aabb.ts";
import { childrenOf, parentsFirst, type Skeleton } from "./skeleton.ts";

/** A mirror plane: the points whose coordinate `axis` is `offset`. */
export interface MirrorPlane {
  axis: 0 | 1 | 2;
  offset: number;
}

/** Without a mirror image. */
export const ALONE = -1;

const OPEN = -2;

/**
 * Returns the mirror image of each joint: another joint, itself (spine, head), or none (a sword).
 *
 * Joints whose names differ only in their side are pairs where their parents are, in any pose, or where their
 * positions are mirrored: names such as `L_2` and `R_2` may count in opposite directions. Common ancestors of a pair are
 * their own image. The others are matched by position, parents first; of several at one position the one whose
 * parent is the image of the parent is preferred. Only children of a pair are a pair too, in any pose.
 *
 * @param tolerance maximum distance of a joint from the mirrored position of its image
 * @returns J, an involution where it is not {@link ALONE}
 */
export function jointPairs(skeleton: Skeleton, plane: MirrorPlane, tolerance: number): Int32Array {
  const twins = new Int32Array(skeleton.names.length).fill(OPEN);
  for (const [a, b] of likelyPairs(skeleton, plane, tolerance)) {
    twins[a] = b;
    twins[b] = a;
  }
  markMiddle(skeleton, twins);
  const children = childrenOf(skeleton);
  const near = neighborsOfImages(skeleton, plane, tolerance);
  for (const joint of parentsFirst(skeleton)) {
    if (twins[joint] !== OPEN) continue;
    const twin =
      twinByFamily(skeleton.parents, children, twins, joint) ??
      twinByPosition(skeleton, plane, { tolerance, twins, near }, joint);
    twins[joint] = twin;
    if (twin >= 0) twins[twin] = joint;
  }
  return twins;
}

/** Returns the named pairs that neither their parents nor their positions contradict, parents first. */
function likelyPairs(
  skeleton: Skeleton,
  plane: MirrorPlane,
  tolerance: number,
): [number, number][] {
  const { parents } = skeleton;
  const named = new Map(
    namedPairs(skeleton).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]),
  );
  const kept = new Map<number, number>();
  const depth = (joint: number) => {
    let steps = 0;
    for (let at = joint; at >= 0 && steps <= parents.length; at = parents[at]) steps++;
    return steps;
  };
  const agree = (a: number, b: number) => {
    const [p, q] = [parents[a], parents[b]];
    // Joints without a side may differ: a shoulder that only one arm has.
    return (
      p === q || kept.get(p) === q || (!named.has(p) && !named.has(q) && depth(a) === depth(b))
    );
  };
  for (const a of parentsFirst(skeleton)) {
    const b = named.get(a);
    if (b === undefined || kept.has(a)) continue;
    if (!agree(a, b) && awayFromImage(skeleton, plane, a, b) > tolerance) continue;
    kept.set(a, b).set(b, a);
  }
  return [...kept].filter(([a, b]) => a < b);
}

/** Distance of a joint from the mirrored position of another. */
function awayFromImage(
  { positions }: Skeleton,
  { axis, offset }: MirrorPlane,
  joint: number,
  other: number,
): number {
  // Without arrays: thousands of joints are compared with each other.
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    const value = positions[joint * 3 + i];
    const apart = (i === axis ? 2 * offset - value : value) - positions[other * 3 + i];
    sum += apart * apart;
  }
  return Math.sqrt(sum);
}

/** Returns pairs of joints whose names differ only in their side; duplicate names are ignored. */
export function namedPairs({ names }: Skeleton): [number, number][] {
  const byName = new Map<string, number>();
  names.forEach((name, joint) => {
    byName.set(name, byName.has(name) ? ALONE : joint);
  });
  const pairs: [number, number][] = [];
  const taken = new Set<number>();
  names.forEach((name, joint) => {
    if (byName.get(name) !== joint || taken.has(joint)) return;
    const other = otherSideNames(name)
      .map((candidate) => byName.get(candidate) ?? ALONE)
      .find((candidate) => candidate >= 0 && !taken.has(candidate));
    if (other === undefined) return;
    taken.add(joint).add(other);
    pairs.push([joint, other]);
  });
  return pairs;
}

/** Common ancestors of a pair are in the middle, even if the body leans. */
function markMiddle({ parents }: Skeleton, twins: Int32Array): void {
  for (let joint = 0; joint < twins.length; joint++) {
    if (twins[joint] < 0 || twins[joint] <= joint) continue;
    const above = new Set<number>();
    for (let at = joint; at >= 0; at = parents[at]) above.add(at);
    for (let at = twins[joint]; at >= 0; at = parents[at]) {
      if (above.has(at) && twins[at] === OPEN) twins[at] = at;
    }
  }
}

/** The only child of the parent's twin, for the only child of a parent. */
function twinByFamily(parents: Int32Array, children: number[][], twins: Int32Array, joint: number) {
  const parent = parents[joint];
  const other = parent < 0 ? ALONE : twins[parent];
  if (other < 0 || other === parent) return undefined;
  if (children[parent].length !== 1 || children[other].length !== 1) return undefined;
  const [twin] = children[other];
  return twins[twin] === OPEN ? twin : undefined;
}

/**
 * Returns a function that lists the joints that may lie near the mirror image of a joint: thousands of joints are not
 * compared with each other.
 */
function neighborsOfImages(
  { positions }: Skeleton,
  plane: MirrorPlane,
  tolerance: number,
): (joint: number) => Int32Array {
  const axis = longestAxis(boundsOf(positions));
  const at = (joint: number) => positions[joint * 3 + axis];
  const order = Int32Array.from({ length: positions.length / 3 }, (_, joint) => joint);
  order.sort((a, b) => at(a) - at(b));
  const values = Float64Array.from(order, at);
  /** The first index with at least this value. */
  const from = (value: number) => {
    let [low, high] = [0, values.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  // Rounding must not exclude a joint at exactly the tolerance.
  const reach = tolerance * (1 + 1e-6) + 1e-6 * Math.abs(plane.offset);
  return (joint) => {
    const image = axis === plane.axis ? 2 * plane.offset - at(joint) : at(joint);
    return order
      .subarray(from(image - reach), from(image + reach + Number.MIN_VALUE))
      .slice()
      .sort();
  };
}

function twinByPosition(
  skeleton: Skeleton,
  plane: MirrorPlane,
  {
    tolerance,
    twins,
    near,
  }: { tolerance: number; twins: Int32Array; near: (joint: number) => Int32Array },
  joint: number,
): number {
  const { parents } = skeleton;
  const parentTwin = parents[joint] < 0 ? ALONE : twins[parents[joint]];
  const costOf = (other: number) => {
    const away = awayFromImage(skeleton, plane, joint, other);
    if (away > tolerance) return Infinity;
    // Slightly prefers the joint itself, and by a full tolerance the same family.
    const family = parents[other] === parentTwin ? 0 : tolerance;
    return away + family - (other === joint ? tolerance * 1e-3 : 0);
  };
  // Only the joint itself can cost less than nothing; thousands may lie at its position.
  if (costOf(joint) < 0) return joint;
  let best = ALONE;
  let min = Infinity;
  for (const other of near(joint)) {
    if (twins[other] !== OPEN) continue;
    const cost = costOf(other);
    if (cost < min) [best, min] = [other, cost];
  }
  return best;
}

const SIDES = new Map<string, string>(
  (
    [
      ["l", "r"],
      ["L", "R"],
      ["left", "right"],
      ["Left", "Right"],
      ["LEFT", "RIGHT"],
      ["左", "右"],
    ] as const
  ).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

/** Words, numbers and separators: `mixamorig:LeftArm` is mixamorig, :, Left, Arm. */
const PIECES = /[左右]|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^A-Za-z左右]+/gu;

/**
 * Returns possible names of a joint on the other side of the body: `arm.R` for `arm.L`; empty for a name
 * without a side.
 *
 * Knows left and right as words (`LeftArm`, `left_arm`, `armleft`), as single letters (`L_Arm`, `arm.l`,
 * `lArm`, `Bip01 L Arm`) and in Japanese and Chinese. Several side words yield several names.
 */
export function otherSideNames(name: string): string[] {
  const pieces = name.match(PIECES) ?? [];
  const swapped = pieces.map(swapPiece);
  const changed = [...pieces.keys()].filter((i) => swapped[i] !== pieces[i]);
  const single = changed.map((at) => pieces.map((piece, i) => (i === at ? swapped[i] : piece)));
  const names = changed.length > 1 ? [swapped, ...single] : single;
  return [...new Set(names.map((parts) => parts.join("")))];
}

function swapPiece(piece: string): string {
  const swapped = SIDES.get(piece);
  if (swapped) return swapped;
  // Words without a separator: leftarm, armright.
  const within = piece.match(/^(left|right|Left|Right)(?=.)|(left|right)$/u)?.[0];
  if (!within) return piece;
  const other = SIDES.get(within);
  return piece.startsWith(within)
    ? other + piece.slice(within.length)
    : piece.slice(0, -within.length) + other;
}
