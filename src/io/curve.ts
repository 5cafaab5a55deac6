/** Values at rising times, straight in between. */
export interface Curve {
  times: ArrayLike<number>;
  /** As many as times, or rows of several. */
  values: ArrayLike<number>;
}

/** The value of a curve at a time, held at its ends; of rows of `width` values, that of one column. */
export function valueAt({ times, values }: Curve, at: number, width = 1, column = 0): number {
  let low = 0;
  let high = times.length - 1;
  const value = (key: number) => values[key * width + column];
  if (at <= times[low]) return value(low);
  if (at >= times[high]) return value(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle;
    else high = middle;
  }
  const share = (at - times[low]) / (times[high] - times[low] || 1);
  return value(low) + share * (value(high) - value(low));
}
