import { CONTROL } from "../skeleton/helper-joints.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { addWeight, mapRows, type SkinWeights, sumOf, type WeightRow } from "./skin-weights.ts";

/**
 * Removes the weight of some joints.
 *
 * It goes to the nearest ancestor that is not excluded. Controls are the exception: they are children of the
 * root, which moves the whole body, so their weight goes to the vertex's other joints, and to the ancestor only
 * if there are none. If there is neither, the vertex keeps a row of zeros.
 *
 * @param excluded J, 0 for joints that stay; `CONTROL` for controls; any other number excludes too
 */
export function excludeJoints(
  weights: SkinWeights,
  skeleton: Skeleton,
  excluded: Uint8Array,
): SkinWeights {
  if (excluded.every((kind) => kind === 0)) return weights;
  const heirs = heirsOf(skeleton, excluded);
  return mapRows(weights, weights.influences, (before) => {
    const row = moved(before, heirs, (joint) => excluded[joint] !== CONTROL);
    return sumOf(row) === 0 ? moved(before, heirs, () => true) : row;
  });
}

/** The joint that inherits the weight of each joint: itself, its nearest ancestor that stays, or -1. */
function heirsOf({ parents }: Skeleton, excluded: Uint8Array): Int32Array {
  return Int32Array.from(parents, (_, joint) => {
    let heir = joint;
    while (heir >= 0 && excluded[heir] !== 0) heir = parents[heir];
    return heir;
  });
}

function moved(
  { joints, values }: WeightRow,
  heirs: Int32Array,
  inherits: (joint: number) => boolean,
): WeightRow {
  const row: WeightRow = { joints: [], values: [] };
  joints.forEach((joint, i) => {
    if (heirs[joint] >= 0 && (heirs[joint] === joint || inherits(joint))) {
      addWeight(row, heirs[joint], values[i]);
    }
  });
  return row;
}
