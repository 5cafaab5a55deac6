import type { Metric } from "../score-weights.ts";

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML, SVG and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]);
}

interface MetricStyle {
  label: string;
  /** Factor applied before printing. */
  factor: number;
  digits: number;
  higherIsBetter: boolean;
}

/** How each metric is printed; distances are in longest sides. */
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

/** Formats a metric's value for a table, or a dash. */
export function formatMetric(metric: Metric, value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const { factor, digits } = METRIC_STYLES[metric];
  return (value * factor).toFixed(digits);
}

/** The style sheet of the report (light, dark and print). */
export const PAGE_STYLE = `
:root { --ink: #1c2430; --faint: #67707e; --paper: #ffffff; --line: #dde1e7; --accent: #2f6fb0; --soft: #dbe8f5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --faint: #9aa4b2; --paper: #14181f; --line: #313945; --accent: #79b0ea; --soft: #25384d; }
}
body { margin: 2rem auto; max-width: 82rem; padding: 0 1rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
p, figcaption { max-width: 48rem; } small, .note { color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13px; }
th, td { padding: .25rem .45rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; } td small { display: block; font-size: 11px; }
thead th { vertical-align: bottom; color: var(--faint); font-weight: 600; white-space: normal; }
tbody th { font-weight: 500; } td.error { text-align: left; color: #c0392b; white-space: normal; }
.sortable thead tr:last-child th { cursor: pointer; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem 2rem; }
.plot { width: 100%; height: auto; font: 11px system-ui, sans-serif; }
.plot text { fill: var(--ink); } .plot .title { font-size: 13px; font-weight: 600; }
.plot .grid { stroke: var(--line); } .plot .whisker { stroke: var(--faint); } .plot .box { fill: var(--soft); stroke: var(--accent); }
.plot .median { stroke: var(--accent); stroke-width: 2; } .plot .mean { fill: var(--ink); } .plot circle { fill: var(--faint); }
.plot .series polyline { fill: none; stroke: var(--c); stroke-width: 2; } .plot .series circle, .plot .series text { fill: var(--c); }
.s0 { --c: #2f7fd0; } .s1 { --c: #d0762f; } .s2 { --c: #3a9a5b; } .s3 { --c: #b0509e; } .s4 { --c: #8a8f2c; } .s5 { --c: #c04545; }
figure { margin: 1rem 0; } figcaption { overflow-wrap: anywhere; max-width: none; margin-bottom: .3rem; }
.row { display: flex; flex-wrap: wrap; gap: .6rem; } .row span { width: 15rem; font-size: 12px; color: var(--faint); }
figure img { display: block; width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; background: #fff; }
@page { size: A4 landscape; margin: 12mm; }
@media print {
  body { margin: 0; max-width: none; font-size: 11px; } table { font-size: 8.5px; } th, td { padding: .1rem .3rem; }
  figure, .plot, tr { break-inside: avoid; } h2 { break-after: avoid; } .wide { overflow: visible; }
}`;

/** Sorts a table by the clicked column; the page works without it. */
export const PAGE_SCRIPT = `
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const down = head.dataset.sorted !== "down";
    heads.forEach((other) => delete other.dataset.sorted);
    head.dataset.sorted = down ? "down" : "up";
    const value = (row) => {
      const cell = row.cells[column];
      if (!cell || cell.classList.contains("error")) return Infinity;
      return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
    };
    const order = (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0);
    const rows = [...table.tBodies[0].rows].sort((a, b) => (down ? order(b, a) : order(a, b)));
    table.tBodies[0].append(...rows);
  }));
}`;

/** Display names of the methods; a method without one is shown by the name the user typed. */
const LABELS: Record<string, string> = {
  network: "HeterSkin (default model)",
  permissive: "HeterSkin (permissive model)",
  paper: "HeterSkinNet (paper)",
  rignet: "RigNet",
  neuroskinning: "NeuroSkinning",
  heat: "Heat diffusion",
  "heat:blind": "Heat diffusion, visibility ignored",
  "geodesic-voxel": "Geodesic voxel binding",
  "geodesic-voxel:maya": "Geodesic voxel binding (Maya's setting)",
  hollow: "Falloff on HollowDist",
  euclid: "Falloff on Euclidean distance",
  volumetric: "Falloff on volumetric geodesic distance",
  "inverse-distance": "Inverse distance",
  blender: "Blender 3.4 automatic weights",
  artist: "The artist's own weights, pruned (ceiling)",
  "paper-euclid": "… with Euclidean distance",
  "paper-without-inter": "… without inter-graph convolution",
  "paper-without-smooth": "… without the smoothing term",
};

/** Returns the display name of a method. */
export function methodLabel(method: string): string {
  if (LABELS[method]) return LABELS[method];
  const [kind, ...rest] = method.split(":");
  const base = (rest.join(":").split(/[\\/]/).filter(Boolean).pop() ?? "").replace(/\.onnx$/, "");
  if (kind === "existing" && base) return `Weights in ${base}`;
  if (kind === "model" && base) return `Model ${base}`;
  return method;
}

/** Returns whether a method is one of the paper's ablations. */
export function isAblation(method: string): boolean {
  return (
    /(^|[-/])(euclid|without-inter|without-smooth)(\.onnx)?$/.test(method) && method !== "euclid"
  );
}
