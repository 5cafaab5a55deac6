/** How many vertices have how many influences, for people: `1: 20 (40 %), 2: 30 (60 %)`. */
export function histogramText(histogram: number[]): string {
  const total = histogram.reduce((sum, value) => sum + value, 0);
  const entries = histogram
    .map((value, n) => ({ value, n }))
    .filter(({ value }) => value > 0)
    .map(({ value, n }) => `${n}: ${value} (${Math.round((value / total) * 100)} %)`);
  return entries.join(", ") || "none";
}
