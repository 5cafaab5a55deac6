import { formatMetric, methodLabel } from "../src/evaluate/report/html.ts";
import { formatFraction, VISIBLE_LABELS } from "../src/evaluate/visible-faults.ts";

/** What people see, by method: `bench/results/visible-<split>.json`. */
export interface VisibleResult {
  split: string;
  tables: VisibleRow[];
  /** The verdict over all methods. */
  pooled: Verdict;
  /** Fraction of the characters whose own weights the pose check flags. */
  artistFlagged: number | null;
}

/** How often the pose check flags faulty and sound characters. */
export interface Verdict {
  faulty: number;
  flaggedOfFaulty: number | null;
  sound: number;
  flaggedOfSound: number | null;
}

export interface VisibleRow extends Verdict {
  method: string;
  characters: number;
  l1: number;
  distance: number;
  deadJoints: number;
  floatingParts: number;
  tornEdges: number;
  across: number;
}

/** Returns the rows of the measures, and of the verdict, for a table in Markdown. */
export function visibleRows({ tables, pooled }: VisibleResult): Record<"faults" | "verdict", Rows> {
  const percent = (value: number | null) => (value === null ? "–" : `${Math.round(100 * value)} %`);
  const verdict = ({ faulty, flaggedOfFaulty, sound, flaggedOfSound }: Verdict) => [
    String(faulty),
    percent(flaggedOfFaulty),
    String(sound),
    percent(flaggedOfSound),
  ];
  return {
    faults: {
      head: ["Method", "L1", "Distance", ...Object.values(VISIBLE_LABELS)],
      rows: tables.map((row) => [
        methodLabel(row.method),
        formatMetric("l1", row.l1),
        formatMetric("distance", row.distance),
        ...[row.deadJoints, row.floatingParts, row.tornEdges, row.across].map(formatFraction),
      ]),
    },
    verdict: {
      head: ["Method", "Faulty characters", "Flagged", "Characters without any fault", "Flagged"],
      rows: [
        ...tables
          .filter(({ method }) => method !== "artist")
          .map((row) => [methodLabel(row.method), ...verdict(row)]),
        ["All", ...verdict(pooled)],
      ],
    },
  };
}

type Rows = { head: string[]; rows: string[][] };
