import type { SkinGraph } from "./skin-graph.ts";

/**
 * Returns for each pair those of the same bone at the vertex's neighbors of the one-ring; the pair itself where
 * a neighbor does not have the bone among its candidates, or is listed before (a maximum over the row then
 * includes only the pair).
 *
 * @param most slots of the one-ring to use, if it has as many
 * @returns (V·K)×slots rows of pairs, and for each pair the number of neighbors with its bone
 */
export function pairRing(
  {
    V,
    K,
    ring,
    pairBone,
    pairValid,
  }: Pick<SkinGraph, "V" | "K" | "ring" | "pairBone" | "pairValid">,
  most: number,
): { rows: Int32Array; shared: Float32Array } {
  const stride = ring.length / V;
  const width = Math.min(most, stride);
  const rows = new Int32Array(V * K * width);
  const shared = new Float32Array(V * K);
  let o = 0;
  for (let pair = 0; pair < V * K; pair++) {
    const first = Math.floor(pair / K) * stride;
    for (let slot = 0; slot < width; slot++, o++) {
      rows[o] = pair;
      if (pairValid[pair] === 0 || isRepeat(ring, first, slot)) continue;
      const start = ring[first + slot] * K;
      for (let other = start; other < start + K; other++) {
        if (pairBone[other] !== pairBone[pair] || pairValid[other] === 0) continue;
        rows[o] = other;
        shared[pair]++;
        break;
      }
    }
  }
  return { rows, shared };
}

/** Whether a row lists the entry of a slot before: short rows repeat theirs. */
function isRepeat(ring: Int32Array, first: number, slot: number): boolean {
  for (let before = 0; before < slot; before++) {
    if (ring[first + before] === ring[first + slot]) return true;
  }
  return false;
}
