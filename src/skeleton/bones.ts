import { inverseIndex } from "../math/arrays.ts";
import { segmentDistance } from "../math/vec3.ts";
import { childrenOf, jointCount, type Skeleton } from "./skeleton.ts";

/**
 * One bone per joint: the segments from the joint to each child. A weight belongs to a joint, so a joint with
 * three children is one bone of three segments, in the order of their positions: of segments equally near to
 * a vertex, the first counts. A leaf joint is the paper's zero-length helper bone unless it has a tail.
 */
export interface Bones {
  /** S×6, head then tail of each segment. */
  segments: Float32Array;
  /** B+1; the segments of bone b are starts[b] .. starts[b + 1] - 1, at least one. */
  starts: Int32Array;
  /** B×3, the start of each bone: its joint. */
  heads: Float32Array;
  /** B×3, the end of each bone: the mean of its children, or the tail of a leaf. */
  ends: Float32Array;
}

/** Number of bones B, equal to the number of joints. */
export function boneCount(bones: Bones): number {
  return bones.starts.length - 1;
}

/** Returns the Euclidean distance from vertex v to the nearest segment of bone b. */
export function boneDistance(
  { segments, starts }: Bones,
  b: number,
  positions: Float32Array,
  v: number,
): number {
  const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
  let best = Infinity;
  for (let s = starts[b]; s < starts[b + 1]; s++) {
    const d = segmentDistance(segments, s, x, y, z);
    if (d < best) best = d;
  }
  return best;
}

/**
 * Builds the bones of a skeleton.
 *
 * @param tails J×3 end points for leaf joints (ignored elsewhere); by default the skeleton's ends, or else leaves
 *   have length zero
 */
export function bonesOf(skeleton: Skeleton, tails?: Float32Array): Bones {
  const count = jointCount(skeleton);
  const children = childrenOf(skeleton);
  const { positions } = skeleton;
  const rank = positionRank(skeleton);
  for (const list of children) list.sort((a, b) => rank[a] - rank[b]);
  const starts = new Int32Array(count + 1);
  const segments: number[] = [];
  const ends = new Float32Array(count * 3);
  for (let joint = 0; joint < count; joint++) {
    const head = positions.subarray(joint * 3, joint * 3 + 3);
    const leafEnd = (tails ?? skeleton.ends ?? positions).subarray(joint * 3, joint * 3 + 3);
    const tips =
      children[joint].length > 0
        ? children[joint].map((child) => positions.subarray(child * 3, child * 3 + 3))
        : [leafEnd];
    for (const tip of tips) {
      segments.push(...head, ...tip);
      for (let axis = 0; axis < 3; axis++) ends[joint * 3 + axis] += tip[axis] / tips.length;
    }
    starts[joint + 1] = segments.length / 6;
  }
  return { segments: Float32Array.from(segments), starts, heads: positions.slice(), ends };
}

/** Positions of joints are quantized to this, so that their last digits do not matter. */
const STEP = 1e-3;

/**
 * Ranks joints by position, then by name: an order that depends neither on the numbering of joints nor on the
 * last digits of coordinates.
 *
 * @param skeleton prepared: the mesh's longest side is 1
 */
export function positionRank({ positions, names }: Skeleton): Int32Array {
  const steps = Array.from(positions, (value) => Math.round(value / STEP));
  const order = names.map((_, joint) => joint);
  order.sort((a, b) => {
    const axis = [0, 1, 2].find((each) => steps[a * 3 + each] !== steps[b * 3 + each]);
    if (axis !== undefined) return steps[a * 3 + axis] - steps[b * 3 + axis];
    return names[a] === names[b] ? a - b : names[a] < names[b] ? -1 : 1;
  });
  return inverseIndex(Int32Array.from(order), order.length);
}
