import type { Character } from "../character/character.ts";
import {
  emptyWeights,
  readRow,
  rowCount,
  type SkinWeights,
  type WeightRow,
  writeRow,
} from "../weights/skin-weights.ts";
import { claimSurface } from "./claim-surface.ts";
import { closeGaps, seatLooseParts } from "./loose-parts.ts";
import { mendTears } from "./mend-tears.ts";
import { keepToOneSide } from "./one-side.ts";

/** Maximum slots of a repaired row; further weights are negligible. */
const MAX_SLOTS = 16;

/**
 * Removes the faults that are visible when a character moves: weight across the middle, joints that move
 * nothing, loose parts that detach, torn edges. `npm run bench visible` measures it.
 *
 * @param character welded
 * @param weights V rows that sum to 1
 */
export function holdTogether(
  character: Pick<Character, "mesh" | "skeleton">,
  weights: SkinWeights,
): SkinWeights {
  const { mesh, skeleton } = character;
  const rows = readRows(weights);
  const closeAll = () => {
    const closed = closeGaps(mesh, skeleton, rows);
    if (closed.length > 0) keepToOneSide(character, rows, closed);
  };
  keepToOneSide(character, rows);
  claimSurface(skeleton, rows);
  seatLooseParts(mesh, skeleton, rows);
  closeAll();
  // Parts that follow one joint or the surface may have taken the surface of another joint.
  claimSurface(skeleton, rows);
  mendTears(mesh, skeleton, rows);
  // Mended vertices moved away from what sits on them.
  closeAll();
  return writeRows(rows);
}

/** Returns the rows of all vertices, to be replaced one by one. */
export function readRows(weights: SkinWeights): WeightRow[] {
  return Array.from({ length: rowCount(weights) }, (_, v) => readRow(weights, v));
}

/** Builds weights from rows: sorted, normalized, at most {@link MAX_SLOTS} joints each. */
export function writeRows(rows: readonly WeightRow[]): SkinWeights {
  const longest = rows.reduce((max, { joints }) => Math.max(max, joints.length), 1);
  const out = emptyWeights(rows.length, Math.min(MAX_SLOTS, longest));
  rows.forEach(({ joints, values }, v) => {
    if (joints.length > 0) writeRow(out, v, { joints: [...joints], values: [...values] });
  });
  return out;
}
