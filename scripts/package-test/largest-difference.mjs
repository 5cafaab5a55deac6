/** Largest difference between two sets of weights with four influences, in any order of slots. */
export function largestDifference(a, b) {
  let largest = 0;
  for (let start = 0; start < a.weights.length; start += 4) {
    const row = new Map();
    for (let slot = start; slot < start + 4; slot++) {
      row.set(a.joints[slot], (row.get(a.joints[slot]) ?? 0) + a.weights[slot]);
      row.set(b.joints[slot], (row.get(b.joints[slot]) ?? 0) - b.weights[slot]);
    }
    for (const value of row.values()) largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}
