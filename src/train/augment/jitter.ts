import { normal, type Random } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { sortSlots } from "./sort-slots.ts";

/**
 * The sample with noise on its distances: each is multiplied by exp(deviation · n), half of the
 * variance shared by all vertices of a bone, half its own. Voxels measure in steps, so the network must
 * not rely on the last digit or on the order of near ties.
 */
export function jitter(sample: Sample, random: Random, deviation: number): Sample {
  const { distances } = sample.input;
  const each = deviation * Math.SQRT1_2;
  const ofBone = Float32Array.from(
    sample.input.skeleton.parents,
    () => normal(random) * deviation * Math.SQRT1_2,
  );
  const noisy = distances.distances.map((value, i) => {
    const bone = distances.bones[i];
    return bone < 0 ? value : value * Math.exp(ofBone[bone] + each * normal(random));
  });
  return sortSlots({
    ...sample,
    input: { ...sample.input, distances: { ...distances, distances: noisy } },
  });
}
