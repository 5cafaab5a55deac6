/**
 * Round numbers (1, 2 or 5 times a power of ten) that cover a range, about `count` of them.
 *
 * @returns ascending, all within low..high
 */
export function linearTicks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
  const ticks: number[] = [];
  // Multiples of the step, rather than sums, so that no rounding adds up.
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push(Number((i * step).toPrecision(12)));
  }
  return ticks;
}

/** Powers of ten in a range, with 2 and 5 times them where there are few. */
export function logTicks(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const factors = decades > 2.5 ? [1] : decades > 1 ? [1, 3] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of factors) {
      const tick = Number((factor * 10 ** power).toPrecision(6));
      if (tick >= low * 0.9999 && tick <= high * 1.0001) ticks.push(tick);
    }
  }
  return ticks;
}

/** A number as short as it can be written at a tick: 0.25, 1200, 15k, 2e-5. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  if (size > 0 && size < 1e-3) return value.toExponential(1).replace(".0e", "e");
  return String(Number(value.toPrecision(4)));
}
