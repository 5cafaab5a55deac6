/** Round numbers for an axis from `low` to `high`: steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, wanted: number = 5): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const power = 10 ** Math.floor(Math.log10(span / wanted));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (factor * power) <= wanted) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toFixed(decimals)),
  );
}
