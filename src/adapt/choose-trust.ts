import { findPreset, thinWeights } from "../evaluate/presets.ts";
import { mixNeighbours, type NeighbourTrust, USUAL_TRUST } from "../solve/neighbour-weights.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Example } from "./example.ts";
import { exampleL1 } from "./folds.ts";

/** Two and more examples find a vertex of their kind nearly everywhere. */
const FULL_TRUST: NeighbourTrust = { most: 1, within: 0.2 };
/** Bodies so unlike that none can stand for another: the next will be no more like them. */
const NO_TRUST: NeighbourTrust = { most: 0, within: 0.1 };
/** The usual trust is taken where it leaves this much, or less, of the error on the examples under full trust. */
const WORTH_IT = 0.9;

/**
 * How far the examples' vertices are to be trusted against the network: as usual, where there is one; wholly,
 * where there are more, unless that takes them away from their artists when the others stand for each; or not
 * at all, where no two are kin.
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
  return error(usual) <= WORTH_IT * error(mixedBy(FULL_TRUST)) ? USUAL_TRUST : FULL_TRUST;
}
