export { type Bar, barChart, binCounts, type HistogramOptions, histogram } from "./bar-chart.ts";
export { type BoxSummary, boxPlot, type Group, summarise } from "./box-plot.ts";
export type { ChartOptions } from "./chart-frame.ts";
export { type LineChartOptions, lineChart, type Series } from "./line-chart.ts";
