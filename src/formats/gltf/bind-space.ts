import { MAX_JOINTS } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import {
  determinantMat4,
  identityMat4,
  invertMat4,
  nearlyEqual,
  product,
  transformPoint,
} from "../../math/mat4.ts";
import { isEndName } from "../../skeleton/helper-joints.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import { spend } from "../budget.ts";
import { badExport } from "../losses.ts";
import { readFloats } from "./accessors.ts";
import { entry } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";
import type { NodeTree } from "./node-tree.ts";

/** The joints of a character with their bind matrices. */
export interface Rig {
  skeleton: Skeleton;
  /** J matrices from joint space to character space in the bind pose. */
  bindMatrices: number[][];
  /** J node indices in the file, -1 for a joint that is not in the file yet. */
  nodes: Int32Array;
}

/** A rig read from skins, and the transforms of the skins' vertices into its space. */
export interface BindSpace {
  rig: Rig;
  /** By skin index: from the vertices of a mesh with this skin to character space. */
  toCharacter: Map<number, number[]>;
  /** By skin index: the rig joint of each joint index of the skin. */
  jointOf: Map<number, Int32Array>;
  oddities: string[];
}

/**
 * Brings the bind poses of several skins into one space: the world of the rest pose, y up.
 *
 * In skin space a joint is the inverse of its inverse bind matrix. World × inverse bind matrix maps skin
 * space to the world; if the file rests in its bind pose, all joints agree on it. Otherwise the world matrix
 * of the mesh's node is used if a joint confirms it, else the root joint's, unless that one is posed too (a
 * character resting on its back was modeled standing). A later skin is placed by a joint it shares with an
 * earlier one.
 */
export function bindSpace(source: GltfSource, tree: NodeTree, skins: readonly number[]): BindSpace {
  const joints: number[] = [];
  const indexOf = new Map<number, number>();
  for (const skin of skins) {
    for (const node of entry(source.json, "skins", skin).joints) {
      if (indexOf.has(node)) continue;
      indexOf.set(node, joints.length);
      joints.push(node);
    }
  }
  const bindMatrices: number[][] = new Array(joints.length);
  const space: BindSpace = {
    rig: { ...emptyRig(), bindMatrices },
    toCharacter: new Map(),
    jointOf: new Map(),
    oddities: [],
  };
  checkJoints(source, joints);
  for (const skin of skins) placeSkin(source, tree, skin, indexOf, space);
  space.rig = rigOf(source, tree, joints, bindMatrices);
  return space;
}

/** Rejects more joints than weights can index, or than the memory limit allows. */
export function checkJoints({ name, budget }: GltfSource, { length }: readonly number[]): void {
  if (length > MAX_JOINTS) {
    throw new InputError(
      `${name}: the file has ${length} joints, more than the maximum of ${MAX_JOINTS}; remove joints.`,
    );
  }
  spend(budget, length, "joints");
}

function placeSkin(
  source: GltfSource,
  tree: NodeTree,
  skin: number,
  indexOf: Map<number, number>,
  space: BindSpace,
): void {
  const { joints, inverseBindMatrices } = entry(source.json, "skins", skin);
  const inverses = readInverses(source, joints.length, inverseBindMatrices);
  const own = Int32Array.from(joints, (node) => indexOf.get(node)!);
  space.jointOf.set(skin, own);
  const { bindMatrices } = space.rig;
  const shared = own.findIndex((joint) => bindMatrices[joint] !== undefined);
  const shownBy = source.json.nodes!.findIndex((n) => n.skin === skin && n.mesh !== undefined);
  const toWorld = inverses.map((inverse, i) => product(tree.worlds[joints[i]], inverse));
  const toCharacter =
    shared >= 0
      ? product(bindMatrices[own[shared]], inverses[shared])
      : commonMatrix(
          toWorld,
          Math.max(nearestJoints(tree, joints).indexOf(-1), 0),
          tree.worlds[shownBy],
        );
  space.toCharacter.set(skin, toCharacter);
  let flat = 0;
  for (let i = 0; i < own.length; i++) {
    if (bindMatrices[own[i]] !== undefined) continue;
    const bind = invertMat4(new Array<number>(16).fill(0), inverses[i]);
    if (!bind) flat++;
    bindMatrices[own[i]] = bind ? product(toCharacter, bind) : tree.worlds[joints[i]];
  }
  if (flat > 0) {
    space.oddities.push(
      `${flat} inverse bind matrices are singular; the rest pose is used instead.`,
    );
  }
  const moved = toWorld.filter((matrix) => !nearlyEqual(matrix, toCharacter)).length;
  if (moved > 0) {
    space.oddities.push(
      `The rest pose differs from the bind pose at ${moved} of ${joints.length} joints of skin ${skin}.`,
    );
  }
}

/** Products of larger values overflow float32. Translations are exempt. */
const LARGEST = 1e30;
const TRANSLATION = 12;

function readInverses(source: GltfSource, count: number, accessor: number | undefined): number[][] {
  if (accessor === undefined) return Array.from({ length: count }, identityMat4);
  const floats = readFloats(source, accessor);
  return Array.from({ length: count }, (_, i) => {
    const matrix = Array.from(floats.subarray(i * 16, i * 16 + 16));
    const fits = (value: number, at: number) =>
      at >= TRANSLATION && at < 15 ? Number.isFinite(value) : Math.abs(value) < LARGEST;
    if (matrix.every(fits)) return matrix;
    throw badExport(source.name, `inverse bind matrix ${i} has a value that is not finite`);
  });
}

/**
 * Picks the matrix from skin space to the world in the bind pose: the mesh's own if any joint confirms it;
 * else the root joint's if others confirm it; else the mesh's if its scale is plausible.
 */
function commonMatrix(matrices: number[][], root: number, mesh: number[] | undefined): number[] {
  const agree = (candidate: number[]) => matrices.filter((m) => nearlyEqual(m, candidate)).length;
  if (mesh && agree(mesh) > 0) return mesh;
  if (agree(matrices[root]) * 4 >= matrices.length) return matrices[root];
  const ratio = mesh ? determinantMat4(mesh) / determinantMat4(matrices[root]) : 0;
  return mesh && Math.abs(ratio - 1) < 0.05 ? mesh : matrices[root];
}

/** Returns the nearest ancestor joint of each joint, -1 at a root; each node is visited once. */
function nearestJoints({ parents }: NodeTree, joints: number[]): number[] {
  const isJoint = new Set(joints);
  const known = new Map<number, number>();
  return joints.map((joint) => {
    const path: number[] = [];
    let at = parents[joint];
    while (at >= 0 && !isJoint.has(at) && !known.has(at)) {
      path.push(at);
      at = parents[at];
    }
    const found = isJoint.has(at) ? at : (known.get(at) ?? -1);
    for (const node of path) known.set(node, found);
    return found;
  });
}

/** Builds a rig of nodes; the parent of each is its nearest ancestor among them. */
export function rigOf(
  source: GltfSource,
  tree: NodeTree,
  joints: number[],
  bindMatrices: number[][],
): Rig {
  const indexOf = new Map(joints.map((node, joint) => [node, joint]));
  const names = joints.map((node, j) => entry(source.json, "nodes", node).name ?? `joint_${j}`);
  const parents = Int32Array.from(nearestJoints(tree, joints), (parent) =>
    parent < 0 ? -1 : indexOf.get(parent)!,
  );
  const positions = Float32Array.from(bindMatrices.flatMap((m) => [m[12], m[13], m[14]]));
  const bad = positions.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw badExport(
      source.name,
      `the position of joint "${names[Math.floor(bad / 3)]}" is not finite`,
    );
  }
  const ends = nodeEnds(source, tree, joints, bindMatrices);
  const skeleton = { names, parents, positions, ...(ends && { ends }) };
  return { skeleton, bindMatrices, nodes: Int32Array.from(joints) };
}

/** Ends of leaf joints: nodes below them that mark an end (`Head_end`) and are no joints themselves. */
function nodeEnds(
  { json }: GltfSource,
  { worlds }: NodeTree,
  joints: number[],
  bindMatrices: number[][],
): Float32Array | undefined {
  const isJoint = new Set(joints);
  const ends = Float32Array.from(bindMatrices.flatMap((m) => [m[12], m[13], m[14]]));
  let hasAny = false;
  joints.forEach((node, joint) => {
    const { children = [] } = json.nodes![node];
    if (children.some((child) => isJoint.has(child))) return;
    const marker = children.find((child) => {
      const { name, mesh, camera } = json.nodes![child];
      return name !== undefined && isEndName(name) && mesh === undefined && camera === undefined;
    });
    const back = marker === undefined ? undefined : invertMat4(identityMat4(), worlds[node]);
    if (marker === undefined || !back) return;
    const local = transformPoint(back, worlds[marker].slice(12, 15));
    const end = transformPoint(bindMatrices[joint], local);
    if (!end.every(Number.isFinite)) return;
    ends.set(end, joint * 3);
    hasAny = true;
  });
  return hasAny ? ends : undefined;
}

/** A rig without joints. */
export function emptyRig(): Rig {
  const nothing = new Int32Array(0);
  const skeleton = { names: [], parents: nothing, positions: new Float32Array(0) };
  return { skeleton, bindMatrices: [], nodes: nothing };
}
