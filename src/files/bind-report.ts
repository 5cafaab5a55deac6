import { basename } from "node:path";
import type { AdaptNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import type { FinishOptions, Mirror } from "../finish/finish-weights.ts";
import type { FileDescription } from "../formats/describe-file.ts";
import type { Loss } from "../formats/losses.ts";
import type { ProviderChoice } from "../onnx/choose-provider.ts";
import {
  BONE_DOUBTS,
  type BoneDoubt,
  type Doubts,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "../review/doubts.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult } from "../skin.ts";
import { checkWeights, influenceHistogram, type WeightProblem } from "../weights/check-weights.ts";
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
  options: Omit<SkinOptions, "model" | "adapted" | "cache"> & { skeleton?: string | undefined };
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

/** Doubts as a report holds them; described in docs/report.md. */
export interface DoubtReport {
  vertices: {
    /** Vertices with at least one reason. */
    count: number;
    /** For each reason how many vertices have it, and the first of them. */
    reasons: Record<VertexDoubt, { count: number; first: number[] }>;
  };
  bones: {
    count: number;
    reasons: Record<BoneDoubt, number>;
    /** The first bones with their reasons. */
    list: { joint: number; name: string; reasons: BoneDoubt[] }[];
  };
}

/** Entries a list of the report has at most; counts are always whole. */
const MOST_LISTED = 1000;

/**
 * Counts doubts by reason and lists the first of each.
 *
 * @param names J, of the joints
 */
function reportDoubts({ vertices, bones }: Doubts, names: readonly string[]): DoubtReport {
  const byReason = VERTEX_DOUBTS.map((reason, bit) => {
    const entry = { count: 0, first: [] as number[] };
    vertices.forEach((bits, vertex) => {
      if (((bits >> bit) & 1) === 0) return;
      if (entry.count++ < MOST_LISTED) entry.first.push(vertex);
    });
    return [reason, entry] as const;
  });
  const byJoint = new Map<number, BoneDoubt[]>();
  for (const { joint, reason } of bones) {
    byJoint.set(joint, [...(byJoint.get(joint) ?? []), reason]);
  }
  return {
    vertices: {
      count: vertices.reduce((count, bits) => count + (bits === 0 ? 0 : 1), 0),
      reasons: Object.fromEntries(byReason) as DoubtReport["vertices"]["reasons"],
    },
    bones: {
      count: byJoint.size,
      reasons: Object.fromEntries(
        BONE_DOUBTS.map((reason) => [reason, bones.filter((b) => b.reason === reason).length]),
      ) as DoubtReport["bones"]["reasons"],
      list: [...byJoint]
        .slice(0, MOST_LISTED)
        .map(([joint, reasons]) => ({ joint, name: names[joint], reasons })),
    },
  };
}
