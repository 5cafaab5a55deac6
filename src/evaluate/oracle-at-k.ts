import type { BoneDistances } from "../distance/bone-distances.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/**
 * The L1 error left if the K nearest bones got exactly the artist's weights, renormalised: what a
 * method that looks only at those bones cannot win back.
 *
 * With a share s of the artist's weight inside the K nearest the error of a vertex is 2 (1 - s);
 * where s is 0 the vertex is left without weight and scores 1.
 *
 * @param artist V rows, each with sum 1
 * @param distances at least `k` bones a vertex
 */
export function oracleAtK(artist: SkinWeights, distances: BoneDistances, k: number): number {
  const V = artist.weights.length / artist.influences;
  const shares = shareWithinK(artist, distances, k);
  let sum = 0;
  for (const share of shares) sum += share > 0 ? 2 * (1 - share) : 1;
  return V === 0 ? 0 : sum / V;
}

/** V, the share of each vertex's weight that lies on its K nearest bones. */
export function shareWithinK(
  weights: SkinWeights,
  distances: BoneDistances,
  k: number,
): Float32Array {
  const V = weights.weights.length / weights.influences;
  const shares = new Float32Array(V);
  const slots = Math.min(k, distances.k);
  for (let vertex = 0; vertex < V; vertex++) {
    const near = distances.bones.subarray(vertex * distances.k, vertex * distances.k + slots);
    const end = (vertex + 1) * weights.influences;
    let share = 0;
    for (let slot = vertex * weights.influences; slot < end; slot++) {
      if (weights.weights[slot] > 0 && near.includes(weights.joints[slot])) {
        share += weights.weights[slot];
      }
    }
    shares[vertex] = Math.min(1, share);
  }
  return shares;
}
