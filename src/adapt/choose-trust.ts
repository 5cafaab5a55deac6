import { findPreset, thinWeights } from "../evaluate/presets.ts";
import {
  mixFound,
  type Neighbour,
  type NeighbourTrust,
  neighbourFinder,
  USUAL_TRUST,
} from "../solve/neighbour-weights.ts";
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
  // Looking for neighbours is the long part, and the same for each trust.
  const neighbours = examples.map((example) => neighboursAmong(example, examples));
  if (neighbours.every((found) => !found)) return NO_TRUST;
  const preset = findPreset("heterskinnet");
  const error = (trust: NeighbourTrust): number =>
    examples.reduce((sum, example, i) => {
      const found = neighbours[i];
      const mixed = found ? mixFound(weighed[i], (vertex) => found[vertex], trust) : weighed[i];
      return sum + exampleL1(example, thinWeights(mixed, preset));
    }, 0);
  return error(USUAL_TRUST) <= WORTH_IT * error(FULL_TRUST) ? USUAL_TRUST : FULL_TRUST;
}

/** What the other examples say of each vertex of one; undefined where none is its kin. */
function neighboursAmong(example: Example, examples: Example[]): Neighbour[] | undefined {
  const others = examples.filter((other) => other !== example);
  const [{ input, counts }] = example.samples;
  const find = neighbourFinder(
    input,
    others.map(({ exemplar }) => exemplar),
  );
  return find && Array.from(counts, (_, vertex) => find(vertex));
}
