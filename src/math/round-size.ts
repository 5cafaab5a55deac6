/** Powers of two alone, where sizes must be fewest. */
export const FEWEST = 1;
/** Round sizes from one power of two to the next: few, where a larger size costs little. */
export const FEW = 2;
/** And many, for the sizes that most of the work goes with. */
export const MANY = 8;

/**
 * The next round size.
 *
 * A device that keeps the buffers of one step for the next can only use them again at the same size;
 * and it keeps buffers of every size there ever was, so there must not be many.
 *
 * @param steps round sizes from one power of two to the next: {@link FEW}, {@link MANY}, ...
 */
export function roundSize(size: number, steps: number): number {
  const octave = 2 ** Math.floor(Math.log2(Math.max(1, size)));
  const unit = Math.max(1, octave / steps);
  return Math.ceil(size / unit) * unit;
}
