import { inverseIndex } from "../../math/arrays.ts";
import type { Random } from "../../math/random.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import { childrenOf, type Skeleton } from "../../skeleton/skeleton.ts";
import type { Sample } from "../sample.ts";
import { sortSlots } from "./deform-sample.ts";

/**
 * Merges a fraction of the bones into their parents, without measuring again: a merged bone is as near as the
 * nearer of the two, and has the weight of both.
 *
 * `thinJoints` does the same exactly, but once per variant; this changes the skeleton each time a sample is
 * used. Leaf tails of bones that stay are kept.
 */
export function mergeBones(sample: Sample, random: Random, fraction: number): Sample {
  const { skeleton, bones } = sample.input;
  const heir = heirs(skeleton, random, fraction);
  if (heir.every((to, bone) => to === bone)) return sample;
  const kept = [...heir.keys()].filter((bone) => heir[bone] === bone);
  const indexOf = inverseIndex(kept, heir.length);
  const reduced: Skeleton = {
    names: kept.map((bone) => skeleton.names[bone]),
    parents: Int32Array.from(kept, (bone) => {
      const parent = skeleton.parents[bone];
      return parent < 0 ? -1 : indexOf[heir[parent]];
    }),
    positions: Float32Array.from(
      kept.flatMap((bone) => [...skeleton.positions.subarray(bone * 3, bone * 3 + 3)]),
    ),
  };
  const tails = Float32Array.from(
    kept.flatMap((bone) => [...bones.ends.subarray(bone * 3, bone * 3 + 3)]),
  );
  const merged = bonesOf(reduced, leafTails(reduced, tails));
  return mergeSlots(
    {
      ...sample,
      input: {
        ...sample.input,
        skeleton: reduced,
        bones: merged,
        inside: insideOf(sample, merged.starts, kept),
      },
    },
    heir.map((to) => indexOf[to]),
  );
}

/** The bone that each bone is merged into, itself if it stays; roots stay. */
function heirs({ parents }: Skeleton, random: Random, fraction: number): number[] {
  const goes = Array.from(parents, (parent) => random() < fraction && parent >= 0);
  return Array.from(parents, (_, bone) => {
    let at = bone;
    while (goes[at]) at = parents[at];
    return at;
  });
}

/** Ends of the leaves as before; a joint that has become a leaf ends at itself. */
function leafTails(reduced: Skeleton, ends: Float32Array): Float32Array {
  const children = childrenOf(reduced);
  return ends.map((value, i) =>
    children[Math.floor(i / 3)].length > 0 ? reduced.positions[i] : value,
  );
}

/** Fraction inside the body of each new segment: that of the old bone's first one. */
function insideOf({ input }: Sample, starts: Int32Array, kept: number[]): Float32Array {
  const out = new Float32Array(starts[starts.length - 1]);
  kept.forEach((bone, at) => {
    out.fill(input.inside[input.bones.starts[bone]], starts[at], starts[at + 1]);
  });
  return out;
}

/** Merges slots of merged bones: shortest distance, sum of priors and labels. */
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
      // Slots are sorted, so an earlier one of the same bone is nearer.
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
  return sortSlots({
    ...sample,
    labels,
    input: { ...sample.input, prior: heat, distances: { k, bones, distances: lengths } },
  });
}
