/**
 * Returns round numbers (1, 2 or 5 times a power of ten) that cover a range, about `count` of them.
 *
 * @returns ascending, all within low..high
 */
export function linearTicks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = Number(`1e${Math.floor(Math.log10(rough))}`);
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
  const ticks: number[] = [];
  // Multiples of the step instead of running sums, so that rounding errors do not add up.
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}
