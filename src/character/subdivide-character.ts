import { subdivideTo } from "../mesh/subdivide.ts";
import { emptyWeights, type SkinWeights } from "../weights/skin-weights.ts";
import type { Character } from "./character.ts";

/**
 * Splits the longest edges of a coarse character until it has `minVertices` vertices; a new vertex gets the mean
 * weights of the ends of its edge. The paper trains on no mesh below 1K.
 */
export function subdivideCharacter(character: Character, minVertices = 1000): Character {
  const { mesh, parents } = subdivideTo(character.mesh, minVertices);
  if (parents.length === 0) return character;
  const finer: Character = { ...character, mesh };
  if (character.weights) finer.weights = midpointWeights(character.weights, parents);
  return finer;
}

/**
 * Appends the mean of two earlier rows for each new vertex.
 *
 * @param parents N×2, as returned by a subdivision
 */
function midpointWeights(weights: SkinWeights, parents: Int32Array): SkinWeights {
  const rows: [number, number][][] = [];
  const before = weights.joints.length / weights.influences;
  for (let v = 0; v < before; v++) {
    const row: [number, number][] = [];
    for (let i = v * weights.influences; i < (v + 1) * weights.influences; i++) {
      if (weights.weights[i] > 0) row.push([weights.joints[i], weights.weights[i]]);
    }
    rows.push(row);
  }
  for (let i = 0; i < parents.length; i += 2) {
    rows.push(meanRow(rows[parents[i]], rows[parents[i + 1]]));
  }
  const influences = rows.reduce((max, row) => Math.max(max, row.length), 1);
  const out = emptyWeights(rows.length, influences);
  rows.forEach((row, v) => {
    row.forEach(([joint, weight], i) => {
      out.joints[v * influences + i] = joint;
      out.weights[v * influences + i] = weight;
    });
  });
  return out;
}

function meanRow(a: [number, number][], b: [number, number][]): [number, number][] {
  const sum = new Map<number, number>();
  for (const [joint, weight] of [...a, ...b]) sum.set(joint, (sum.get(joint) ?? 0) + weight / 2);
  return [...sum].sort((x, y) => y[1] - x[1] || x[0] - y[0]);
}
