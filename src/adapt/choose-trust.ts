import { findPreset, thinWeights } from "../evaluate/presets.ts";
import { mixNeighbours, type NeighbourTrust, USUAL_TRUST } from "../solve/neighbour-weights.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Example } from "./example.ts";
import { exampleL1 } from "./folds.ts";

/** Characters of one artist and one plan, such as the clothes of one body: what one has, the next has too. */
const FULL_TRUST: NeighbourTrust = { most: 1, within: 0.2 };
/** Bodies so unlike that none can stand for another: the next will be no more like them. */
const NO_TRUST: NeighbourTrust = { most: 0, within: 0.1 };
/** Full trust is taken where it leaves this much, or less, of the error on the examples. */
const WORTH_IT = 0.95;

/**
 * How far the examples' vertices are to be trusted against the network: as usual; wholly, where that brings
 * each example closer to its artist when the others stand for it; or not at all, where no two are kin.
 *
 * @param weighed the network's weights of each example, by what was learned without it
 */
export function chooseTrust(examples: Example[], weighed: SkinWeights[]): NeighbourTrust {
  if (examples.length < 2) return USUAL_TRUST;
  const mixedBy = (trust: NeighbourTrust): SkinWeights[] =>
    examples.map((example, i) => {
      const others = examples.filter((other) => other !== example);
      const exemplars = others.map(({ exemplar }) => exemplar);
      return mixNeighbours(weighed[i], example.samples[0].input, exemplars, trust);
    });
  const usual = mixedBy(USUAL_TRUST);
  if (usual.every((mixed, i) => mixed === weighed[i])) return NO_TRUST;
  const preset = findPreset("heterskinnet");
  const error = (mixed: SkinWeights[]): number =>
    examples.reduce((sum, each, i) => sum + exampleL1(each, thinWeights(mixed[i], preset)), 0);
  return error(mixedBy(FULL_TRUST)) <= WORTH_IT * error(usual) ? FULL_TRUST : USUAL_TRUST;
}
