import type { AdaptNotes } from "../adapt/adapt-notes.ts";
import { lossText } from "../io/file-losses.ts";
import { BONE_DOUBT_TEXT, VERTEX_DOUBT_TEXT } from "../solve/doubt-text.ts";
import { BONE_DOUBTS, VERTEX_DOUBTS } from "../solve/find-doubts.ts";
import type { BindReport } from "../work/bind-report.ts";
import type { DoubtReport } from "../work/doubt-report.ts";
import { histogramText } from "./histogram-text.ts";

/** Joints named in a line. */
const SHOWN_NAMES = 3;

/** The report for people; `written` is the path of the output. */
export function bindReportLines(report: BindReport, written: string): string[] {
  const { input, timings, provider } = report;
  const total = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  const stages = Object.entries(timings).map(([stage, ms]) => `${stage} ${duration(ms)}`);
  return [
    `${input.file}: ${input.vertices} vertices, ${input.triangles} triangles, ${input.joints} joints`,
    `method      ${report.method}`,
    ...(provider ? [`provider    ${provider.provider} (${provider.reason})`] : []),
    ...(report.learned ? learnedLines(report.learned) : []),
    `time        ${duration(total)} (${stages.join(", ")})`,
    `influences  ${histogramText(report.influences)}`,
    ...doubtLines(report.doubtful, input.vertices).map((line) => `doubtful    ${line}`),
    ...(report.bleed === undefined ? [] : [`bleed       ${percent(report.bleed)}`]),
    `check       ${report.check.ok ? "all rules kept" : "broken rules, see below"}`,
    ...report.check.problems.map(({ message }) => `problem     ${message}`),
    `lost        ${lossText(report.lost)}`,
    `written     ${written}`,
  ];
}

/** What was learned from, for people, and what it changed. */
export function learnedLines({ examples, leftOut, share }: AdaptNotes): string[] {
  const mean = (of: "before" | "after") =>
    (examples.reduce((sum, example) => sum + example[of], 0) / examples.length).toFixed(3);
  const how = leftOut ? "each left out in turn" : "on itself";
  const names = examples.map(({ name }) => name);
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : "";
  return [
    `learned     from ${names.slice(0, SHOWN_NAMES).join(", ")}${more}`,
    share > 0
      ? `            L1 ${mean("before")} before, ${mean("after")} after (${how})`
      : `            L1 ${mean("before")} before (${how}), nothing worth taking over: the network stays, like vertices are looked up`,
  ];
}

/** Doubts for people: a line for vertices and one for bones, where there are any. */
function doubtLines({ vertices, bones }: DoubtReport, total: number): string[] {
  const lines: string[] = [];
  if (vertices.count > 0) {
    const reasons = VERTEX_DOUBTS.filter((reason) => vertices.reasons[reason].count > 0).map(
      (reason) => `${vertices.reasons[reason].count} ${VERTEX_DOUBT_TEXT[reason]}`,
    );
    const percent = Math.round((100 * vertices.count) / total);
    const noun = vertices.count === 1 ? "vertex" : "vertices";
    lines.push(`${vertices.count} ${noun} (${percent || "under 1"} %): ${reasons.join(", ")}`);
  }
  for (const reason of BONE_DOUBTS) {
    if (bones.reasons[reason] === 0) continue;
    const names = bones.list.filter((bone) => bone.reasons.includes(reason));
    const shown = names.slice(0, SHOWN_NAMES).map(({ name }) => name);
    const more = bones.reasons[reason] > shown.length ? ", ..." : "";
    const bone = bones.reasons[reason] === 1 ? "bone" : "bones";
    lines.push(
      `${bones.reasons[reason]} ${bone} ${BONE_DOUBT_TEXT[reason]} (${shown.join(", ")}${more})`,
    );
  }
  return lines;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 0)} % of the weight on far joints`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
