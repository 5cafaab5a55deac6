import type { Random } from "../../math/random.ts";
import type { Sample } from "../sample.ts";

/**
 * The sample with joint names taken away: all of them with probability `all`, else each with
 * probability `each`. Names are hints; skeletons with no names, or names in an unknown language, must
 * work too.
 */
export function hideNames(
  sample: Sample,
  random: Random,
  { all, each }: { all: number; each: number },
): Sample {
  const { skeleton } = sample.input;
  const share = random() < all ? 1 : each;
  const names = skeleton.names.map((name) => (random() < share ? "" : name));
  return { ...sample, input: { ...sample.input, skeleton: { ...skeleton, names } } };
}
