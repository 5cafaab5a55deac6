import { inverseIndex, takeRows } from "../../math/arrays.ts";
import type { Random } from "../../math/random.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import { childrenOf, type Skeleton } from "../../skeleton/skeleton.ts";
import type { Sample } from "../sample.ts";
import { sortSlots } from "./deform-sample.ts";

/**
 * Merges a fraction of a sample's bones into their parents without measuring again: a merged bone
 * is as near as the nearer of the two and carries the weight of both.
 *
 * `thinJoints` is exact but runs once per variant; this gives each epoch its own skeleton. Leaf
 * tails of remaining bones are kept.
 */
export function mergeBones(sample: Sample, random: Random, share: number): Sample {
  const { skeleton, bones } = sample.input;
  const heir = heirs(skeleton, random, share);
  if (heir.every((to, bone) => to === bone)) return sample;
  const kept = [...heir.keys()].filter((bone) => heir[bone] === bone);
  const index = inverseIndex(kept, heir.length);
  const rows = Int32Array.from(kept);
  const reduced: Skeleton = {
    names: kept.map((bone) => skeleton.names[bone]),
    parents: rows.map((bone) => index[heir[skeleton.parents[bone]]] ?? -1),
    positions: takeRows(skeleton.positions, rows, 3),
  };
  const merged = bonesOf(reduced, leafTails(reduced, takeRows(bones.ends, rows, 3)));
  const inside = insideOf(sample, merged.starts, kept);
  const input = { ...sample.input, skeleton: reduced, bones: merged, inside };
  return mergeSlots(
    { ...sample, input },
    heir.map((to) => index[to]),
  );
}

/** Returns the bone each bone is merged into, itself if it stays; roots stay. */
function heirs({ parents }: Skeleton, random: Random, share: number): number[] {
  const goes = Array.from(parents, (parent) => random() < share && parent >= 0);
  return Array.from(parents, (_, bone) => {
    let at = bone;
    while (goes[at]) at = parents[at];
    return at;
  });
}

/** Keeps the ends of leaves; a joint that becomes a leaf ends at itself. */
function leafTails(reduced: Skeleton, ends: Float32Array): Float32Array {
  const children = childrenOf(reduced);
  return ends.map((value, i) =>
    children[Math.floor(i / 3)].length > 0 ? reduced.positions[i] : value,
  );
}

/** Fraction inside the body of each new segment: that of the old bone's first segment. */
function insideOf({ input }: Sample, starts: Int32Array, kept: number[]): Float32Array {
  const out = new Float32Array(starts[starts.length - 1]);
  kept.forEach((bone, at) => {
    out.fill(input.inside[input.bones.starts[bone]], starts[at], starts[at + 1]);
  });
  return out;
}

/** Joins the slots of merged bones: shortest distance, sum of priors and labels. */
function mergeSlots(sample: Sample, renamed: number[]): Sample {
  const { distances, prior } = sample.input;
  const { k } = distances;
  const bones = distances.bones.slice();
  const lengths = distances.distances.slice();
  const heat = prior.slice();
  const labels = sample.labels.slice();
  for (let start = 0; start < bones.length; start += k) {
    for (let i = start; i < start + k; i++) {
      if (bones[i] < 0) continue;
      bones[i] = renamed[bones[i]];
      // Slots are sorted by distance, so the first one of a bone is the nearest.
      const first = bones.subarray(start, i).indexOf(bones[i]);
      if (first < 0) continue;
      heat[start + first] += heat[i];
      labels[start + first] += labels[i];
      bones[i] = -1;
      lengths[i] = Number.POSITIVE_INFINITY;
      heat[i] = 0;
      labels[i] = 0;
    }
  }
  const input = { ...sample.input, prior: heat, distances: { k, bones, distances: lengths } };
  return sortSlots({ ...sample, labels, input });
}
