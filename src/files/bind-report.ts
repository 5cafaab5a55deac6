import { basename } from "node:path";
import type { AdaptNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import type { FinishOptions, Mirror } from "../finish/finish-weights.ts";
import type { FileDescription } from "../formats/describe-file.ts";
import type { Loss } from "../formats/losses.ts";
import { vertexCount } from "../mesh/mesh.ts";
import type { ProviderChoice } from "../onnx/choose-provider.ts";
import {
  BONE_DOUBTS,
  type BoneDoubt,
  type Doubts,
  VERTEX_DOUBTS,
  type VertexDoubt,
} from "../review/doubts.ts";
import { findingText, type PoseCheck, type PoseFault, REMEDY_TEXT } from "../review/pose-check.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult } from "../skin.ts";
import { checkWeights, influenceHistogram, type WeightProblem } from "../weights/check-weights.ts";
import { packageVersion } from "./package-root.ts";

/** The effective `FinishOptions`; `maxInfluences` is in `output`. */
type Finishing = {
  [Name in Exclude<keyof FinishOptions, "maxInfluences" | "mirror">]-?: NonNullable<
    FinishOptions[Name]
  >;
} & { mirror: Mirror | undefined; blend: number };

/** The JSON report of a bind; see docs/report.md. */
export interface BindReport {
  heterskin: string;
  input: FileDescription & { file: string; skeleton: string | undefined };
  output: { file: string; maxInfluences: number };
  method: string;
  /** Device that ran the network, and why; absent if the method has no network. */
  provider?: ProviderChoice | undefined;
  /** Examples that the network was adapted to, and the effect; absent without examples. */
  learned?: AdaptNotes | undefined;
  /** Effective options; the method chooses those that are absent. */
  options: Finishing & Pick<SkinOptions, "resolution" | "threads" | "provider">;
  /** Milliseconds by stage, in order. */
  timings: Record<string, number>;
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** Vertices and bones to check before using the weights. */
  doubtful: DoubtReport;
  /** Faults that are visible when the character moves, worst first. */
  poses: PoseReport;
  /** Expected L1 error of the character, 0 to 2. */
  doubt: number;
  /** Fraction of the weight on far joints; absent if the method measures no distances. */
  bleed: number | undefined;
  check: { ok: boolean; problems: WeightProblem[] };
  /** Oddities of the file and repairs, one sentence each. */
  repaired: string[];
  /** Contents of the input that the output does not carry over, by kind. */
  lost: Loss[];
}

/** The inputs of {@link createBindReport}. */
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

/** Creates the report of a finished bind; paths are reduced to file names. */
export function createBindReport(facts: BindFacts): BindReport {
  const { character, options, result, timings } = facts;
  const { maxInfluences = SKIN_DEFAULTS.maxInfluences, resolution, threads, provider } = options;
  const { bleed } = result.doubts;
  const { mesh, skeleton } = character;
  const problems = checkWeights(result.weights, vertexCount(mesh), jointCount(skeleton));
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
    options: {
      ...finishingOf(options),
      resolution,
      threads,
      // The default is left out; `provider` above says what ran.
      provider: provider === "auto" ? undefined : provider,
    },
    timings: Object.fromEntries(
      Object.entries(timings).map(([stage, ms]) => [stage, Number(ms.toFixed(1))]),
    ),
    influences: influenceHistogram(result.weights),
    doubtful: reportDoubts(result.doubts, skeleton.names),
    poses: reportPoses(result.doubts.poses, skeleton.names),
    doubt: Number(result.doubts.score.toFixed(3)),
    bleed: bleed === undefined ? undefined : Number(bleed.toPrecision(4)),
    check: { ok: problems.length === 0, problems },
    repaired: [...repairs(facts.input), ...result.warnings],
    lost: facts.lost,
  };
}

/** The pose check of a report; see docs/visible.md. */
export interface PoseReport {
  passed: boolean;
  findings: {
    fault: PoseFault;
    text: string;
    joint: string;
    /** Number of vertices, and the first of them. */
    count: number;
    first: number[];
    extent: number;
    amount: number;
    /** Names of the joints that rotate in the pose that shows it. */
    pose: string[];
    remedy: string | undefined;
  }[];
}

/** Returns a pose check as plain data. */
export function reportPoses({ poses, findings }: PoseCheck, names: readonly string[]): PoseReport {
  return {
    passed: findings.length === 0,
    findings: findings.map((finding) => ({
      fault: finding.fault,
      text: findingText(finding, names),
      joint: names[finding.joint],
      count: finding.vertices.length,
      first: [...finding.vertices.subarray(0, MAX_LISTED)],
      extent: Number(finding.extent.toFixed(4)),
      amount: Number(finding.amount.toFixed(4)),
      pose: (poses[finding.pose]?.joints ?? []).map((joint) => names[joint]),
      remedy: REMEDY_TEXT[finding.fault],
    })),
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
    blend: options.blend ?? 0,
    exclude: options.exclude ?? [],
    allJoints: options.allJoints ?? false,
    rigidIslands: options.rigidIslands ?? false,
  };
}

/** Vertices that coincide at seams are in nearly every file; `input.positions` counts them. */
function repairs({ oddities, emptyTriangles }: FileDescription): string[] {
  if (emptyTriangles === 0) return [...oddities];
  const text =
    emptyTriangles === 1
      ? "1 triangle has no area; it is ignored, but kept."
      : `${emptyTriangles} triangles have no area; they are ignored, but kept.`;
  return [...oddities, text];
}

/** The doubts of a report; see docs/report.md. */
export interface DoubtReport {
  vertices: {
    count: number;
    /** Count and first vertices of each reason. */
    reasons: Record<VertexDoubt, { count: number; first: number[] }>;
  };
  bones: {
    count: number;
    reasons: Record<BoneDoubt, number>;
    list: { joint: number; name: string; reasons: BoneDoubt[] }[];
  };
}

/** Maximum length of a list in the report; counts cover everything. */
const MAX_LISTED = 1000;

function reportDoubts({ vertices, bones }: Doubts, names: readonly string[]): DoubtReport {
  const byReason = VERTEX_DOUBTS.map((reason, bit) => {
    const entry = { count: 0, first: [] as number[] };
    vertices.forEach((bits, vertex) => {
      if (((bits >> bit) & 1) === 0) return;
      if (entry.count++ < MAX_LISTED) entry.first.push(vertex);
    });
    return [reason, entry] as const;
  });
  const byJoint = new Map<number, BoneDoubt[]>();
  for (const { joint, reason } of bones)
    byJoint.set(joint, [...(byJoint.get(joint) ?? []), reason]);
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
        .slice(0, MAX_LISTED)
        .map(([joint, reasons]) => ({ joint, name: names[joint], reasons })),
    },
  };
}
