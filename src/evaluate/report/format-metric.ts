import type { Metric } from "../score-weights.ts";

interface MetricStyle {
  label: string;
  /** What the numbers are multiplied with before printing. */
  factor: number;
  digits: number;
  /** Whether a larger number is better. */
  higherIsBetter: boolean;
}

/** How each metric is printed; distances are thousandths of the longest side. */
export const METRIC_STYLES: Record<Metric, MetricStyle> = {
  precision: { label: "Precision %", factor: 100, digits: 1, higherIsBetter: true },
  recall: { label: "Recall %", factor: 100, digits: 1, higherIsBetter: true },
  l1: { label: "L1", factor: 1, digits: 3, higherIsBetter: false },
  l1Raw: { label: "Raw L1", factor: 1, digits: 3, higherIsBetter: false },
  distance: { label: "Distance", factor: 1, digits: 5, higherIsBetter: false },
  maxDistance: { label: "Max distance", factor: 1, digits: 4, higherIsBetter: false },
  bleed: { label: "Bleed %", factor: 100, digits: 2, higherIsBetter: false },
  unweighted: { label: "Unweighted %", factor: 100, digits: 2, higherIsBetter: false },
};

/** A metric's value as tables print it; a dash where there is none. */
export function formatMetric(metric: Metric, value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const { factor, digits } = METRIC_STYLES[metric];
  return (value * factor).toFixed(digits);
}
