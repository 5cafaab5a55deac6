import type { SkinWeights } from "../../../src/index.ts";
import { readRow as weightsOf } from "../../../src/parts.ts";

/** The weights of one vertex by joint, without zeros. */
export function readRow(weights: SkinWeights, v: number): Map<number, number> {
  const { joints, values } = weightsOf(weights, v);
  return new Map(joints.map((joint, i) => [joint, values[i]]));
}

/**
 * Writes the weights of one vertex: the largest that fit, sorted, with a sum of 1, padded with zeros.
 *
 * If not all fit, locked joints come first. They keep their weight, and the others are scaled to fill the rest.
 * Weights with a sum of 0 leave the row unchanged, because every vertex must follow a joint.
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
 * Sets the weight of a joint; the unlocked joints share the rest in the same proportion as before.
 *
 * Locked joints keep their weight, so the joint receives at most the rest. If no other joint is unlocked, it
 * receives all of the rest, since the sum is always 1.
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
