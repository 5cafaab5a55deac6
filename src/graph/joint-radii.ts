import { type Bones, positionRank } from "../skeleton/bones.ts";
import { childrenOf, type Skeleton } from "../skeleton/skeleton.ts";
import { createPairGeometry, pairGeometry } from "./pair-geometry.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Radius of a joint that no vertex says anything of, nor any joint connected to it. */
const USUAL_RADIUS = 0.05;

/**
 * How thick the body is around each joint: the median straight distance, to their nearest bone, of the vertices
 * that lie next to the joint (on the half of a segment that touches it).
 *
 * A joint without such vertices takes the radius of its parent, or else of a child.
 *
 * @returns B
 */
export function jointRadii(
  input: Pick<GraphInput, "mesh" | "skeleton" | "bones" | "distances">,
): Float32Array {
  const { mesh, skeleton, bones, distances } = input;
  const tails = segmentTails(bones, skeleton);
  const near: number[][] = Array.from(skeleton.parents, () => []);
  const geometry = createPairGeometry();
  for (let v = 0; v * 3 < mesh.positions.length; v++) {
    const bone = distances.bones[v * distances.k];
    if (bone < 0) continue;
    const { positions } = mesh;
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    const { along, segment, distance } = pairGeometry(x, y, z, bones, bone, geometry);
    near[along > 0.5 && tails[segment] >= 0 ? tails[segment] : bone].push(distance);
  }
  const radii = Float32Array.from(near, (list) => (list.length > 0 ? median(list) : Number.NaN));
  return withoutGaps(radii, skeleton);
}

/**
 * The joint at the end of each segment.
 *
 * @returns S; -1 for the tail of a leaf
 */
export function segmentTails({ segments, starts }: Bones, skeleton: Skeleton): Int32Array {
  const tails = new Int32Array(segments.length / 6).fill(-1);
  const rank = positionRank(skeleton);
  childrenOf(skeleton).forEach((children, bone) => {
    // Of children on one spot the first by place, whatever their numbers.
    children.sort((a, b) => rank[a] - rank[b]);
    for (let s = starts[bone]; s < starts[bone + 1]; s++) {
      let nearest = Number.POSITIVE_INFINITY;
      for (const child of children) {
        let squared = 0;
        for (let axis = 0; axis < 3; axis++) {
          squared += (segments[s * 6 + 3 + axis] - skeleton.positions[child * 3 + axis]) ** 2;
        }
        if (squared >= nearest) continue;
        nearest = squared;
        tails[s] = child;
      }
    }
  });
  return tails;
}

/** The middle value, the lower of two. */
function median(list: number[]): number {
  return list.sort((a, b) => a - b)[(list.length - 1) >> 1];
}

/** Fills what is not a number from the parents, and what is above all known joints from their children. */
function withoutGaps(radii: Float32Array, { parents }: Skeleton): Float32Array {
  const out = radii.slice();
  const known = (from: number): number => {
    let at = from;
    for (let steps = 0; steps < parents.length && at >= 0; steps++, at = parents[at]) {
      if (!Number.isNaN(radii[at])) return radii[at];
    }
    return Number.NaN;
  };
  radii.forEach((_, joint) => {
    out[joint] = known(joint);
  });
  // What is still open lies above every joint with a radius: the largest of its children's counts.
  for (let pass = 0; pass < parents.length && out.some(Number.isNaN); pass++) {
    const before = out.slice();
    parents.forEach((parent, joint) => {
      if (parent < 0 || !Number.isNaN(before[parent]) || Number.isNaN(before[joint])) return;
      out[parent] = Number.isNaN(out[parent])
        ? before[joint]
        : Math.max(out[parent], before[joint]);
    });
    if (out.every((value, joint) => Object.is(value, before[joint]))) break;
  }
  return out.map((radius) => (Number.isNaN(radius) ? USUAL_RADIUS : radius));
}
