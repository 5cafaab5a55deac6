import type { SkinWeights } from "../../../src/index.ts";
import { readRow as weightsOf } from "../../../src/parts.ts";

/** The weights of one vertex by joint, without zeros. */
export function readRow(weights: SkinWeights, v: number): Map<number, number> {
  const { joints, values } = weightsOf(weights, v);
  return new Map(joints.map((joint, i) => [joint, values[i]]));
}

/**
 * Writes the weights of one vertex: the heaviest that fit, sorted, summing to 1, zeros after them.
 *
 * Locked joints come first where not all fit, and keep their weight: the others are scaled to fill the
 * rest. Weights that sum to nothing leave the row as it is: a vertex always follows something.
 */
export function writeRow(
  target: SkinWeights,
  v: number,
  row: ReadonlyMap<number, number>,
  locked: ReadonlySet<number>,
): void {
  const { influences, joints, weights } = target;
  const kept = [...row]
    .filter(([, weight]) => weight > 1e-6)
    .sort(([a, x], [b, y]) => Number(locked.has(b)) - Number(locked.has(a)) || y - x)
    .slice(0, influences);
  let [held, free] = [0, 0];
  for (const [joint, weight] of kept) {
    if (locked.has(joint)) held += weight;
    else free += weight;
  }
  if (held + free <= 0) return;
  const [heldScale, freeScale] = free > 0 && held < 1 ? [1, (1 - held) / free] : [1 / held, 0];
  const scaled = kept
    .map(
      ([joint, weight]) => [joint, weight * (locked.has(joint) ? heldScale : freeScale)] as const,
    )
    .filter(([, weight]) => weight > 0)
    .sort(([, x], [, y]) => y - x);
  for (let slot = 0; slot < influences; slot++) {
    joints[v * influences + slot] = scaled[slot]?.[0] ?? 0;
    weights[v * influences + slot] = scaled[slot]?.[1] ?? 0;
  }
}

/**
 * Gives a joint a weight and lets the joints that are not locked share the rest as they did before.
 *
 * What locked joints hold is theirs: the joint gets at most what they leave. Where no other joint is
 * free, the joint keeps all that is left, since the sum is always 1.
 */
export function giveWeight(
  row: ReadonlyMap<number, number>,
  joint: number,
  weight: number,
  locked: ReadonlySet<number>,
): Map<number, number> {
  if (locked.has(joint)) return new Map(row);
  let held = 0;
  let free = 0;
  for (const [other, value] of row) {
    if (other === joint) continue;
    if (locked.has(other)) held += value;
    else free += value;
  }
  const left = Math.max(0, 1 - held);
  const own = free > 0 ? Math.min(left, Math.max(0, weight)) : left;
  const out = new Map<number, number>();
  for (const [other, value] of row) {
    if (other === joint) continue;
    out.set(other, locked.has(other) ? value : (value / free) * (left - own));
  }
  if (own > 0) out.set(joint, own);
  return out;
}
