/** Round sizes between one power of two and the next. */
const ROUND_SIZES = 8;

/**
 * The next of a few round sizes, at most an eighth larger.
 *
 * A device that keeps the buffers of one step for the next can only use them again at the same size.
 */
export function roundSize(size: number): number {
  const octave = 2 ** Math.floor(Math.log2(Math.max(1, size)));
  const unit = Math.max(1, octave / ROUND_SIZES);
  return Math.ceil(size / unit) * unit;
}
