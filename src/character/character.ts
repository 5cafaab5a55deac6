import { InputError } from "../input-error.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/**
 * A mesh and its skeleton in one bind-pose space, y up, with the weights its file had, if any.
 *
 * @example
 * const copy: Character = { name: "twin", mesh: character.mesh, skeleton: character.skeleton };
 * await skin(copy);
 */
export interface Character {
  name: string;
  mesh: Mesh;
  skeleton: Skeleton;
  /** Weights painted by an artist or another tool; per vertex of `mesh`. */
  weights?: SkinWeights;
}

/**
 * A character in the space of all methods: welded, longest side 1, floor at y = 0, centered in x and z.
 *
 * `character.weights`, if present, are the artist's, averaged over welded vertices.
 */
export interface PreparedCharacter {
  character: Character;
  /** V of the original, the welded vertex of each vertex. */
  welded: Int32Array;
  /** original = prepared / scale + offset. */
  scale: number;
  offset: [number, number, number];
}

/** Joint indices have 16 bits, here and in glTF. */
export const MAX_JOINTS = 65535;

/**
 * Throws an `InputError` for a character that no method can process: no vertices or joints, too many joints,
 * numbers that are not finite, indices out of range, weights that do not fit, a cyclic hierarchy.
 */
export function checkCharacter(character: Character): void {
  checkShape(character);
  const { name, mesh, skeleton, weights } = character;
  const vertices = mesh.positions.length / 3;
  const joints = skeleton.parents.length;
  const fail = (problem: string) => {
    throw new InputError(`Character "${name}" ${problem}`);
  };
  if (vertices === 0) fail("has no vertices; check that the file has a mesh.");
  if (joints === 0) fail("has no joints; use a skeleton from another file.");
  if (joints > MAX_JOINTS) fail(`has ${joints} joints; the maximum is ${MAX_JOINTS}.`);
  if (!Number.isInteger(vertices)) fail("has a number of coordinates that is not a multiple of 3.");
  if (skeleton.positions.length !== joints * 3 || skeleton.names.length !== joints) {
    fail("has joints without a position or a name.");
  }
  const { ends } = skeleton;
  if (ends && !(ends.length === joints * 3 && ends.every(Number.isFinite))) {
    fail("has bone ends that are not three numbers for each joint.");
  }
  const badVertex = mesh.positions.findIndex((value) => !Number.isFinite(value));
  if (badVertex >= 0) fail(`has a position that is not a number at vertex ${index(badVertex)}.`);
  const badJoint = skeleton.positions.findIndex((value) => !Number.isFinite(value));
  if (badJoint >= 0) fail(`has a position that is not a number at joint ${index(badJoint)}.`);
  const isVertex = (vertex: number) => vertex >= 0 && vertex < vertices && vertex % 1 === 0;
  const bad = mesh.triangles.findIndex((vertex) => !isVertex(vertex));
  if (bad >= 0) fail(`has a vertex index out of range in triangle ${index(bad)}.`);
  if (mesh.triangles.length % 3 !== 0) fail("has a last triangle of fewer than three corners.");
  const cyclic = findCycle(skeleton);
  if (cyclic >= 0) fail(`has a cyclic hierarchy at joint "${skeleton.names[cyclic]}".`);
  if (weights) checkGivenWeights(weights, vertices, joints, fail);
}

/** Rejects a value that is not a character, before its fields are read. */
function checkShape(character: Character): void {
  const { mesh, skeleton, weights } = (character ?? {}) as Partial<Character>;
  const arrays = [
    mesh?.positions,
    mesh?.triangles,
    skeleton?.parents,
    skeleton?.positions,
    ...(skeleton?.ends ? [skeleton.ends] : []),
    ...(weights ? [weights.joints, weights.weights] : []),
  ];
  if (arrays.every(ArrayBuffer.isView) && Array.isArray(skeleton?.names)) return;
  throw new InputError(
    "A character needs a mesh with positions and triangles, and a skeleton with names, parents and positions, as typed arrays.",
  );
}

function checkGivenWeights(
  { influences, joints, weights }: SkinWeights,
  vertices: number,
  jointCount: number,
  fail: (problem: string) => void,
): void {
  const isValid = Number.isInteger(influences) && influences >= 1;
  if (!isValid || joints.length !== vertices * influences || weights.length !== joints.length) {
    fail(`has weights that are not ${influences} for each of its ${vertices} vertices.`);
  }
  const bad = weights.findIndex((weight) => !(weight >= 0 && weight < Infinity));
  if (bad >= 0) fail(`has an invalid weight at vertex ${index(bad, influences)}.`);
  const out = weights.findIndex((weight, slot) => weight > 0 && joints[slot] >= jointCount);
  if (out >= 0)
    fail(`has vertex ${index(out, influences)} on joint ${joints[out]} of ${jointCount}.`);
}

function index(component: number, width = 3): number {
  return Math.floor(component / width);
}

/** Returns a joint whose ancestors do not lead to a root, or -1. */
function findCycle({ parents }: Skeleton): number {
  const UNKNOWN = 0;
  const ON_PATH = 1;
  const FINE = 2;
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    let joint = start;
    while (joint >= 0 && state[joint] === UNKNOWN) {
      state[joint] = ON_PATH;
      joint = parents[joint];
    }
    if (joint >= parents.length || (joint >= 0 && state[joint] === ON_PATH)) return start;
    for (joint = start; joint >= 0 && state[joint] === ON_PATH; joint = parents[joint]) {
      state[joint] = FINE;
    }
  }
  return -1;
}
