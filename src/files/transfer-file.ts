import path from "node:path";
import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { openInput, readPlainFile } from "../disk/open-input.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { FINISH_DEFAULTS } from "../finish/finish-weights.ts";
import type { TransferResult } from "../finish/transfer-weights.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { fileLosses, lossNotes } from "../formats/describe-file.ts";
import type { Rig } from "../formats/gltf/bind-space.ts";
import { isEditedIn } from "../formats/gltf/gltf-source.ts";
import { readCharacter } from "../formats/read-character.ts";
import { applyWeights } from "../formats/weight-files/apply-weights.ts";
import { parseWeights, weightFormat } from "../formats/weight-files/weight-formats.ts";
import { InputError } from "../input-error.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance } from "../math/vec3.ts";
import { pickOptions } from "../options.ts";
import { parentsFirst } from "../skeleton/skeleton.ts";
import { type TransferOptions, transfer } from "../transfer.ts";
import { influenceHistogram } from "../weights/check-weights.ts";
import {
  rowCount,
  type SkinWeights,
  weightPerJoint,
  weightsFromSlots,
} from "../weights/skin-weights.ts";
import { trimWeights } from "../weights/trim-weights.ts";

/** Options for {@link transferFile}. */
export interface TransferFileOptions extends TransferOptions {
  force?: boolean | undefined;
  /** Whether skinned meshes move to the top of a glTF scene; default false. */
  liftMeshes?: boolean | undefined;
  /** Maximum size of each file in memory, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** The result of {@link transferFile}. */
export interface TransferredFile extends Omit<TransferResult, "weights"> {
  /** From a file of weights alone: vertices without a match that keep the weights of the target. */
  kept?: number | undefined;
  /** Entry n counts the vertices with n influences. */
  influences: number[];
  /** Oddities of the files, one sentence each. */
  notes: string[];
}

/**
 * Transfers the weights of a skinned character to the mesh of another file.
 *
 * A target that has the same skeleton keeps it, and lacking joints are added; any other target gets the
 * skeleton of the source.
 *
 * @throws InputError if no vertex of the target is near the source
 */
export async function transferFile(
  from: string,
  to: string,
  output: string,
  options: TransferFileOptions = {},
): Promise<TransferredFile> {
  const { force, onProgress, maxMemory, signal } = options;
  await checkOutput(output, force);
  onProgress?.("read", 0);
  if (weightFormat(from)) return applyFile(from, to, output, options);
  const source = await readCharacterFile(from, { maxMemory, signal });
  const bare = await readCharacterFile(to, { needsJoints: false, maxMemory, signal });
  if (bare.character.mesh.positions.length === 0) {
    throw new InputError({
      where: to,
      what: "the file has no mesh",
      remedy: { advice: "name the mesh to receive weights second, the skinned character first" },
    });
  }
  const found = await transfer(source.character, bare.character.mesh, {
    ...pickOptions("transfer", "library", options),
    onProgress,
    signal,
  });
  if (found.matched === 0) {
    throw new InputError({
      where: to,
      what: "no vertex of this mesh is near the source",
      remedy: { advice: "check that both have the same position and scale", option: "distance" },
    });
  }
  const few = found.matched < FEW_MATCHED * found.vertices ? [fewMatched(found)] : [];
  const written = await writeTransferred(source, { path: to, file: bare }, found, output, options);
  return { ...written, notes: [...source.oddities, ...few, ...written.notes] };
}

/** Below this fraction of matched vertices, the files hardly belong together. */
const FEW_MATCHED = 0.1;

function fewMatched({ matched, vertices }: TransferResult): string {
  return `Only ${matched} of ${vertices} vertices are near the source; check that both have the same position and scale.`;
}

/** Writes transferred weights into the target, on its own skeleton if it has the same, else on the source's. */
export async function writeTransferred(
  source: CharacterFile,
  to: { path: string; file: CharacterFile },
  found: TransferResult,
  output: string,
  {
    force,
    onProgress,
    maxMemory,
    liftMeshes,
  }: Pick<TransferFileOptions, "force" | "onProgress" | "maxMemory" | "liftMeshes">,
): Promise<TransferredFile> {
  const bare = to.file;
  const canAdd = !isEditedIn(bare, outputFormat(output));
  const shared = shareSkeleton(source, bare, found.weights, canAdd);
  const target = shared?.file ?? (await readWithRig(to.path, source.rig, maxMemory));
  const { weights, ...result } = { ...found, ...(shared && { weights: shared.weights }) };
  onProgress?.("write", 0);
  const maxInfluences = weights.influences;
  await writeCharacterFile(output, target, weights, { maxInfluences, force, liftMeshes });
  const lost = lossNotes(fileLosses(target, outputFormat(output), { liftMeshes }));
  const notes = [...target.oddities, ...(shared?.notes ?? []), ...lost];
  if (!shared && bare.rig.nodes.length > 0) {
    notes.push(
      "The target had another skeleton; its mesh follows the source's now, and its animations do not move it.",
    );
  }
  return { ...result, influences: influenceHistogram(weights), notes };
}

/** Reads a mesh with the joints of another file, which are not in it yet. */
async function readWithRig(path: string, rig: Rig, maxMemory?: number): Promise<CharacterFile> {
  const nodes = new Int32Array(rig.nodes.length).fill(-1);
  return readCharacter(await openInput(path, maxMemory), { maxMemory, rig: { ...rig, nodes } });
}

/** Puts a file of weights alone on the joints and vertices of a character. */
async function applyFile(
  from: string,
  to: string,
  output: string,
  { force, onProgress, maxMemory, signal, liftMeshes, ...options }: TransferFileOptions,
): Promise<TransferredFile> {
  const bytes = await readPlainFile(from, maxMemory);
  const given = parseWeights(path.basename(from), bytes, { maxMemory });
  const target = await readCharacterFile(to, { maxMemory, signal });
  onProgress?.("transfer", 0);
  const { weights: raw, notes, matched, byPosition, kept } = applyWeights(target, given, from);
  const { maxInfluences = FINISH_DEFAULTS.maxInfluences, prune = FINISH_DEFAULTS.prune } = options;
  const weights = trimWeights(raw, { maxInfluences, prune });
  onProgress?.("write", 0);
  await writeCharacterFile(output, target, weights, { maxInfluences, force, liftMeshes });
  const vertices = rowCount(weights);
  const nearest = influenceHistogram(weights)[0] ?? 0;
  return {
    vertices,
    matched: vertices - nearest - kept,
    filled: 0,
    kept,
    nearest,
    influences: influenceHistogram(weights),
    notes: [
      ...target.oddities,
      ...notes,
      ...(byPosition > 0 ? [`${byPosition} of ${matched} vertices were found by position.`] : []),
      ...lossNotes(fileLosses(target, outputFormat(output), { liftMeshes })),
    ],
  };
}

/** Joints of one name within this fraction of the skeleton's size are the same. */
const SAME_POSITION = 0.05;

/** A target's skeleton has to have this fraction of the joints that carry weight to count as the same. */
const MIN_SHARED = 0.5;

/** Weights on the skeleton that the target of a transfer has. */
interface SharedSkeleton {
  file: CharacterFile;
  weights: SkinWeights;
  notes: string[];
}

/**
 * Maps weights from the joints of a source to those of a target that has the same skeleton, so that the
 * target's animations and its humanoid keep moving the mesh. Joints correspond by name and position.
 *
 * A joint that the target lacks is added below the counterpart of its parent if `canAdd`; otherwise its weight
 * goes to the nearest ancestor that the target has.
 *
 * @returns undefined if the target has no skeleton, or another one
 */
function shareSkeleton(
  source: CharacterFile,
  target: CharacterFile,
  weights: SkinWeights,
  canAdd: boolean,
): SharedSkeleton | undefined {
  const { names, parents } = source.rig.skeleton;
  const used = weightPerJoint(weights, names.length);
  const twins = twinJoints(source, target);
  const carrying = [...names.keys()].filter((joint) => used[joint] > 0);
  const shared = carrying.filter((joint) => twins[joint] >= 0);
  if (shared.length === 0 || shared.length < MIN_SHARED * carrying.length) return undefined;
  const file = canAdd ? withMissing(source, target, twins, carrying) : target;
  const ancestor = (joint: number) => {
    let at = joint;
    while (at >= 0 && twins[at] < 0) at = parents[at];
    return at >= 0 ? twins[at] : twins[shared[0]];
  };
  const missing = carrying.filter((joint) => twins[joint] < 0);
  const joints = weights.joints.map((joint) => ancestor(joint));
  const lost = missing.map((joint) => names[joint]).join(", ");
  return {
    file,
    weights: weightsFromSlots(joints, weights.weights, weights.influences),
    notes: lost ? [`The target lacks ${lost}; their weight went to their parents.`] : [],
  };
}

/** By joint of the source: the joint of the target with its name at its position, or -1. */
function twinJoints({ rig: from }: CharacterFile, { rig: to }: CharacterFile): Int32Array {
  const near = SAME_POSITION * longestSide(boundsOf(from.skeleton.positions));
  const at = ({ positions }: typeof from.skeleton, joint: number) =>
    positions.subarray(joint * 3, joint * 3 + 3);
  const byName = new Map<string, number[]>();
  to.skeleton.names.forEach((name, joint) => {
    byName.set(name, [...(byName.get(name) ?? []), joint]);
  });
  return Int32Array.from(from.skeleton.names, (name, joint) => {
    const away = (other: number) => distance(at(from.skeleton, joint), at(to.skeleton, other));
    const nearest = (byName.get(name) ?? []).sort((a, b) => away(a) - away(b))[0];
    return nearest !== undefined && away(nearest) <= near ? nearest : -1;
  });
}

/** Adds the joints that the target lacks, and marks them in `twins`; a root without a counterpart is not added. */
function withMissing(
  { rig: from }: CharacterFile,
  target: CharacterFile,
  twins: Int32Array,
  carrying: number[],
): CharacterFile {
  const { names, parents, positions } = target.rig.skeleton;
  const needed = new Set<number>();
  for (const joint of carrying) {
    for (let at = joint; at >= 0 && twins[at] < 0; at = from.skeleton.parents[at]) needed.add(at);
  }
  const added: number[] = [];
  const parentsOf: number[] = [];
  for (const joint of parentsFirst(from.skeleton)) {
    const parent = from.skeleton.parents[joint];
    if (!needed.has(joint) || parent < 0 || twins[parent] < 0) continue;
    twins[joint] = names.length + added.push(joint) - 1;
    parentsOf.push(twins[parent]);
  }
  if (added.length === 0) return target;
  const skeleton = {
    names: [...names, ...added.map((joint) => from.skeleton.names[joint])],
    parents: Int32Array.from([...parents, ...parentsOf]),
    positions: Float32Array.from([
      ...positions,
      ...added.flatMap((joint) => [...from.skeleton.positions.subarray(joint * 3, joint * 3 + 3)]),
    ]),
  };
  const rig = {
    skeleton,
    bindMatrices: [...target.rig.bindMatrices, ...added.map((joint) => from.bindMatrices[joint])],
    nodes: Int32Array.from([...target.rig.nodes, ...added.map(() => -1)]),
  };
  return { ...target, rig, character: { ...target.character, skeleton } };
}
