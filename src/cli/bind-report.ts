import { basename } from "node:path";
import type { ProviderChoice } from "../onnx/choose-provider.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult } from "../skin.ts";
import type { Character } from "../weights/character.ts";
import { checkWeights, type WeightProblem } from "../weights/check-weights.ts";
import type { FinishOptions, Mirror } from "../weights/finish-weights.ts";
import { influenceHistogram } from "../weights/influence-histogram.ts";
import type { CharacterSummary } from "./character-summary.ts";
import { type DoubtReport, doubtLines, reportDoubts } from "./doubt-report.ts";
import { histogramText } from "./histogram-text.ts";
import { packageVersion } from "./package-root.ts";

/** How weights were finished, each option of `FinishOptions` as it was used; the limit is in `output`. */
type Finishing = Required<Omit<FinishOptions, "maxInfluences" | "mirror">> & { mirror?: Mirror };

/** What `bind --report` writes, as JSON. */
export interface BindReport {
  heterskin: string;
  input: CharacterSummary & { file: string; skeleton?: string };
  output: { file: string; maxInfluences: number };
  method: string;
  /** Where the network ran, and why there; absent where the method has none. */
  provider?: ProviderChoice;
  /** How the weights were finished, and what else was given; what is absent was left to the method. */
  options: Finishing & { resolution?: number; threads?: number; provider?: string };
  /** Milliseconds by stage, in order. */
  timings: Record<string, number>;
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** Vertices and bones to look at before trusting the weights. */
  doubtful: DoubtReport;
  /** Share of the weight on far joints; absent where the method measures no distances. */
  bleed?: number;
  check: { ok: boolean; problems: WeightProblem[] };
  /** What was odd in the file, or had to be put right; a sentence each. */
  repaired: string[];
}

/** What the report is made from. */
export interface BindFacts {
  input: CharacterSummary;
  inputFile: string;
  skeletonFile?: string;
  outputFile: string;
  character: Character;
  options: SkinOptions & { maxInfluences: number; prune: number };
  result: SkinResult;
  provider?: ProviderChoice | undefined;
  timings: Record<string, number>;
}

/** Sums up a finished `bind`; paths are given as file names. */
export function createBindReport(facts: BindFacts): BindReport {
  const { character, options, result, timings } = facts;
  const { resolution, threads, provider } = options;
  const vertices = character.mesh.positions.length / 3;
  const problems = checkWeights(result.weights, vertices, character.skeleton.parents.length);
  return {
    heterskin: packageVersion(),
    input: {
      file: basename(facts.inputFile),
      ...(facts.skeletonFile ? { skeleton: basename(facts.skeletonFile) } : {}),
      ...facts.input,
    },
    output: { file: basename(facts.outputFile), maxInfluences: options.maxInfluences },
    method: result.method,
    ...(facts.provider ? { provider: facts.provider } : {}),
    options: {
      ...finishingOf(options),
      ...(resolution === undefined ? {} : { resolution }),
      ...(threads === undefined ? {} : { threads }),
      ...(provider === undefined ? {} : { provider }),
    },
    timings: Object.fromEntries(
      Object.entries(timings).map(([stage, ms]) => [stage, Number(ms.toFixed(1))]),
    ),
    influences: influenceHistogram(result.weights),
    doubtful: reportDoubts(result.doubts, character.skeleton.names),
    ...(result.doubts.bleed === undefined
      ? {}
      : { bleed: Number(result.doubts.bleed.toPrecision(4)) }),
    check: { ok: problems.length === 0, problems },
    repaired: [...repairs(facts.input), ...result.warnings],
  };
}

function finishingOf(options: BindFacts["options"]): Finishing {
  const { mirror } = options;
  return {
    prune: options.prune,
    adapt: options.adapt ?? SKIN_DEFAULTS.adapt ?? 0,
    smooth: options.smooth ?? 0,
    ...(mirror === undefined ? {} : { mirror }),
    lock: options.lock ?? [],
    keepExisting: options.keepExisting ?? false,
    exclude: options.exclude ?? [],
    allJoints: options.allJoints ?? false,
    rigidIslands: options.rigidIslands ?? false,
  };
}

/** The report for people. */
export function bindReportLines(report: BindReport): string[] {
  const { input, output, timings } = report;
  const total = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  const stages = Object.entries(timings).map(([stage, ms]) => `${stage} ${duration(ms)}`);
  return [
    `${input.file}: ${input.vertices} vertices, ${input.triangles} triangles, ${input.joints} joints`,
    `method      ${report.method}`,
    ...(report.provider ? [`provider    ${providerText(report.provider)}`] : []),
    `time        ${duration(total)} (${stages.join(", ")})`,
    `influences  ${histogramText(report.influences)}`,
    ...doubtLines(report.doubtful, input.vertices).map((line) => `doubtful    ${line}`),
    ...(report.bleed === undefined ? [] : [`bleed       ${percent(report.bleed)}`]),
    `check       ${report.check.ok ? "all rules kept" : "broken rules, see below"}`,
    ...report.check.problems.map(({ message }) => `problem     ${message}`),
    `written     ${output.file}`,
  ];
}

/** What the reader and the preparation put right before a method saw the character. */
function repairs({ oddities, vertices, places, emptyTriangles }: CharacterSummary): string[] {
  const sentences = [...oddities];
  if (places < vertices) {
    sentences.push(`${vertices - places} vertices lie where others do and move with them.`);
  }
  if (emptyTriangles > 0) {
    sentences.push(
      `${emptyTriangles} triangles have no area; they count for nothing and stay in the file.`,
    );
  }
  return sentences;
}

function providerText({ provider, reason }: ProviderChoice): string {
  return `${provider} (${reason})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 2 : 0)} % of the weight on far joints`;
}

function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
