import { basename } from "node:path";
import type { AdaptNotes } from "../adapt/adapt-notes.ts";
import type { FileDescription } from "../io/describe-file.ts";
import type { Loss } from "../io/losses.ts";
import type { ProviderChoice } from "../onnx/choose-provider.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult } from "../skin.ts";
import type { Character } from "../weights/character.ts";
import { checkWeights, type WeightProblem } from "../weights/check-weights.ts";
import type { FinishOptions, Mirror } from "../weights/finish-weights.ts";
import { influenceHistogram } from "../weights/influence-histogram.ts";
import { type DoubtReport, reportDoubts } from "./doubt-report.ts";
import { packageVersion } from "./package-root.ts";

/** How weights were finished, each option of `FinishOptions` as it was used; the limit is in `output`. */
type Finishing = {
  [Name in Exclude<keyof FinishOptions, "maxInfluences" | "mirror">]-?: NonNullable<
    FinishOptions[Name]
  >;
} & { mirror: Mirror | undefined };

/** What `bind --report` writes, as JSON. */
export interface BindReport {
  heterskin: string;
  input: FileDescription & { file: string; skeleton: string | undefined };
  output: { file: string; maxInfluences: number };
  method: string;
  /** Where the network ran, and why there; absent where the method has none. */
  provider?: ProviderChoice | undefined;
  /** What the network has learned from before, and what that has changed; absent where it has not. */
  learned?: AdaptNotes | undefined;
  /** How the weights were finished, and what else was given; what is absent was left to the method. */
  options: Finishing & Pick<SkinOptions, "resolution" | "threads" | "provider">;
  /** Milliseconds by stage, in order. */
  timings: Record<string, number>;
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** Vertices and bones to look at before trusting the weights. */
  doubtful: DoubtReport;
  /** L1 error to expect of the whole, 0 to 2. */
  doubt: number;
  /** Share of the weight on far joints; absent where the method measures no distances. */
  bleed: number | undefined;
  check: { ok: boolean; problems: WeightProblem[] };
  /** What was odd in the file, or had to be put right; a sentence each. */
  repaired: string[];
  /** What the input has and the output does not, by kind; empty where nothing is lost. */
  lost: Loss[];
}

/** What the report is made from. */
export interface BindFacts {
  input: FileDescription;
  inputFile: string;
  outputFile: string;
  character: Character;
  options: Omit<SkinOptions, "model"> & { skeleton?: string | undefined };
  result: SkinResult;
  provider?: ProviderChoice | undefined;
  learned?: AdaptNotes | undefined;
  timings: Record<string, number>;
  lost: Loss[];
}

/** Sums up a finished `bind`; paths are given as file names. */
export function createBindReport(facts: BindFacts): BindReport {
  const { character, options, result, timings } = facts;
  const { maxInfluences = SKIN_DEFAULTS.maxInfluences, resolution, threads, provider } = options;
  const { bleed } = result.doubts;
  const vertices = character.mesh.positions.length / 3;
  const problems = checkWeights(result.weights, vertices, character.skeleton.parents.length);
  return {
    heterskin: packageVersion(),
    input: {
      file: basename(facts.inputFile),
      skeleton: options.skeleton && basename(options.skeleton),
      ...facts.input,
    },
    output: { file: basename(facts.outputFile), maxInfluences },
    method: result.method,
    provider: facts.provider,
    learned: facts.learned,
    options: { ...finishingOf(options), resolution, threads, provider },
    timings: Object.fromEntries(
      Object.entries(timings).map(([stage, ms]) => [stage, Number(ms.toFixed(1))]),
    ),
    influences: influenceHistogram(result.weights),
    doubtful: reportDoubts(result.doubts, character.skeleton.names),
    doubt: Number(result.doubts.score.toFixed(3)),
    bleed: bleed === undefined ? undefined : Number(bleed.toPrecision(4)),
    check: { ok: problems.length === 0, problems },
    repaired: [...repairs(facts.input), ...result.warnings],
    lost: facts.lost,
  };
}

function finishingOf(options: BindFacts["options"]): Finishing {
  return {
    prune: options.prune ?? SKIN_DEFAULTS.prune,
    adapt: options.adapt ?? SKIN_DEFAULTS.adapt,
    smooth: options.smooth ?? 0,
    mirror: options.mirror,
    lock: options.lock ?? [],
    keepExisting: options.keepExisting ?? false,
    exclude: options.exclude ?? [],
    allJoints: options.allJoints ?? false,
    rigidIslands: options.rigidIslands ?? false,
  };
}

/** What the reader and the preparation put right before a method saw the character. */
function repairs({ oddities, vertices, places, emptyTriangles }: FileDescription): string[] {
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
