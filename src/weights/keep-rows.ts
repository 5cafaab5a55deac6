import { limitInfluences } from "./limit-influences.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { copyRow, copyWeights, rowCount } from "./weight-row.ts";

/**
 * Weights with the rows of others wherever those have some: each vertex its own, even where another at the
 * same place had a different one.
 *
 * @param weights V rows
 * @param own V rows, zero where there are none
 */
export function keepRows(weights: SkinWeights, own: SkinWeights): SkinWeights {
  const { influences } = weights;
  const kept = limitInfluences(own, influences);
  const out = copyWeights(weights);
  for (let vertex = 0; vertex < rowCount(out); vertex++) {
    // Heaviest first: a row whose first weight is zero has none.
    if (kept.weights[vertex * influences] > 0) copyRow(kept, vertex, out, vertex);
  }
  return out;
}
