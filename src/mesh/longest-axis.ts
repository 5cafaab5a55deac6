/**
 * The axis along which some points reach farthest, and the middle between their ends there.
 *
 * @param points N×3
 * @param order which of them, from `start` to before `end`
 */
export function longestAxis(
  points: Float32Array,
  order: Int32Array,
  start: number,
  end: number,
): [axis: number, middle: number] {
  let best: [number, number] = [0, 0];
  let longest = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = start; i < end; i++) {
      const value = points[order[i] * 3 + axis];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > longest) {
      longest = high - low;
      best = [axis, (low + high) / 2];
    }
  }
  return best;
}
