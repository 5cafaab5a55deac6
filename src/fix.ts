import type { Character } from "./character/character.ts";
import { prepareCharacter, restoreWeights } from "./character/prepare-character.ts";
import { InputError } from "./input-error.ts";
import { vertexNeighbors } from "./mesh/adjacency.ts";
import { checkOptions } from "./options.ts";
import { claimSurface } from "./repair/claim-surface.ts";
import { readRows, writeRows } from "./repair/hold-together.ts";
import { closeGaps, followSurface } from "./repair/loose-parts.ts";
import { mendTears } from "./repair/mend-tears.ts";
import { keepToOneSide } from "./repair/one-side.ts";
import { originalCheck } from "./review/doubts.ts";
import {
  checkPoses,
  nearestVertices,
  type PoseCheck,
  type PoseFinding,
  severityOf,
} from "./review/pose-check.ts";
import { addRow, addWeight, type SkinWeights, type WeightRow } from "./weights/skin-weights.ts";
import { DEFAULT_INFLUENCES, limitInfluences } from "./weights/weight-locks.ts";

/**
 * Options for {@link fix}.
 *
 * @example
 * const options: FixOptions = { findings: [] }; // only checks
 * await fix(character, options);
 */
export interface FixOptions {
  /** Findings to fix, counted from 1 in the order of the check; all by default. */
  findings?: readonly number[] | undefined;
}

/**
 * Fixed weights, and what was done.
 *
 * @example
 * const { remedies }: FixResult = await fix(character);
 * console.log(remedies.filter(({ isKept }) => isKept).length);
 */
export interface FixResult {
  weights: SkinWeights;
  /** The pose check before and after. */
  before: PoseCheck;
  after: PoseCheck;
  /** One entry per finding that was asked for. */
  remedies: { finding: PoseFinding; isKept: boolean }[];
}

/**
 * Applies the remedies of the pose check to the weights of a character, made by any tool. A remedy is kept
 * only if the check improves.
 *
 * @example
 * const { weights: fixed, remedies } = await fix(character);
 * console.log(fixed.influences, remedies);
 */
export async function fix(character: Character, options: FixOptions = {}): Promise<FixResult> {
  checkOptions("fix", "library", options, ["findings"]);
  if (options.findings !== undefined && !Array.isArray(options.findings)) {
    throw new InputError("`findings` must be a list of numbers, counted from 1.");
  }
  const prepared = prepareCharacter(character);
  const { weights } = prepared.character;
  if (!weights || !character.weights) {
    throw new InputError(`${character.name}: there are no weights to fix; bind it first.`);
  }
  const before = checkPoses(prepared.character, weights);
  const chosen = options.findings?.map((number) => {
    const finding = before.findings[number - 1];
    if (finding) return finding;
    throw new InputError(
      `There is no finding ${number}; the pose check has ${before.findings.length}.`,
    );
  });
  // A rigid character needs more than one influence where a joint gets its surface.
  const influences = Math.max(DEFAULT_INFLUENCES, character.weights.influences);
  const fixed = fixFindings(prepared.character, before, chosen, influences);
  return {
    weights: restoreWeights(prepared, fixed.weights),
    before: originalCheck(before, prepared),
    after: originalCheck(fixed.after, prepared),
    remedies: fixed.remedies.map(({ finding, isKept }) => {
      const [original] = originalCheck({ poses: [], findings: [finding] }, prepared).findings;
      return { finding: original, isKept };
    }),
  };
}

/**
 * {@link fix} for a prepared character whose weights were checked.
 *
 * @param character welded, with its weights
 * @param findings to fix; all of the check by default
 * @returns weights with at most `influences` per welded vertex
 */
export function fixFindings(
  character: Character,
  before: PoseCheck,
  findings: readonly PoseFinding[] = before.findings,
  influences: number = character.weights!.influences,
): Omit<FixResult, "before"> {
  let rows = readRows(character.weights!);
  let after = before;
  const remedies: FixResult["remedies"] = [];
  const finished = (changed: readonly WeightRow[]) =>
    limitInfluences(writeRows(changed), influences);
  for (const finding of findings) {
    let isKept = false;
    for (const remedy of remediesOf(finding)) {
      const tried = rows.slice();
      if (remedy(character, tried).length === 0) continue;
      const check = checkPoses(character, finished(tried));
      if (badness(check) >= badness(after)) continue;
      rows = tried;
      after = check;
      isKept = true;
      break;
    }
    remedies.push({ finding, isKept });
  }
  return { weights: finished(rows), after, remedies };
}

function badness({ findings }: PoseCheck): number {
  return findings.reduce((sum, finding) => sum + severityOf(finding), 0);
}

/** Changes rows in place and returns the changed vertices. */
type Remedy = (character: Character, rows: WeightRow[]) => number[];

/** The remedies of a finding, in the order in which they are tried. */
function remediesOf({ fault, part, vertices, joint }: PoseFinding): Remedy[] {
  switch (fault) {
    case "floating":
      return [
        ({ mesh }, rows) => followSurface(mesh, rows, part!),
        ({ mesh, skeleton }, rows) => closeGaps(mesh, skeleton, rows, [part!]),
      ];
    case "torn":
      return [
        ({ mesh, skeleton }, rows) => mendTears(mesh, skeleton, rows, new Set(vertices)),
        ({ mesh, skeleton }, rows) => mendTears(mesh, skeleton, rows),
      ];
    case "idle":
      return [
        ({ skeleton }, rows) => claimSurface(skeleton, rows, [joint]),
        (character, rows) => giveSurface(character, rows, joint),
      ];
    case "across":
      return [(character, rows) => keepToOneSide(character, rows, vertices)];
    case "volume":
      return [];
  }
}

/** Fraction of a row that goes to the joint at the vertices nearest to it, and around them. */
const GIVEN = 0.8;
const AROUND = 0.3;

/** Gives a joint the vertices whose nearest bone is its own. */
function giveSurface({ mesh, skeleton }: Character, rows: WeightRow[], joint: number): number[] {
  const own = new Set(nearestVertices(mesh, skeleton)[joint]);
  const { starts, items } = vertexNeighbors(mesh.triangles, rows.length);
  const ring = new Set<number>();
  for (const v of own) for (let i = starts[v]; i < starts[v + 1]; i++) ring.add(items[i]);
  for (const v of own) ring.delete(v);
  const give = (v: number, fraction: number) => {
    const row: WeightRow = { joints: [], values: [] };
    addRow(row, rows[v], 1 - fraction);
    addWeight(row, joint, fraction);
    rows[v] = row;
  };
  for (const v of own) give(v, GIVEN);
  for (const v of ring) give(v, AROUND);
  return [...own, ...ring];
}
