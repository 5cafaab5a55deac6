import { InputError } from "../input-error.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { Character } from "./character.ts";

/** Joint indices are 16 bits, here and in glTF. */
export const MAX_JOINTS = 65535;

/**
 * Refuses a character no method could work on, with an `InputError` that says what is wrong:
 * no vertices or joints, too many joints, numbers that are not finite, indices out of range, weights
 * that do not fit, a hierarchy that runs in a circle.
 */
export function checkCharacter(character: Character): void {
  checkShape(character);
  const { name, mesh, skeleton, weights } = character;
  const vertices = mesh.positions.length / 3;
  const joints = skeleton.parents.length;
  const fail = (problem: string) => {
    throw new InputError(`Character "${name}" ${problem}`);
  };
  if (vertices === 0) fail("has no vertices; check that the file holds a mesh.");
  if (joints === 0) fail("has no joints; give a skeleton from another file.");
  if (joints > MAX_JOINTS) fail(`has ${joints} joints; the most is ${MAX_JOINTS}.`);
  if (!Number.isInteger(vertices)) fail("has positions whose number is not a multiple of three.");
  if (skeleton.positions.length !== joints * 3 || skeleton.names.length !== joints) {
    fail("has joints without a position or a name.");
  }
  const badVertex = mesh.positions.findIndex((value) => !Number.isFinite(value));
  if (badVertex >= 0) fail(`has a position that is not a number at vertex ${index(badVertex)}.`);
  const badJoint = skeleton.positions.findIndex((value) => !Number.isFinite(value));
  if (badJoint >= 0) fail(`has a position that is not a number at joint ${index(badJoint)}.`);
  const isVertex = (vertex: number) => vertex >= 0 && vertex < vertices && vertex % 1 === 0;
  const wild = mesh.triangles.findIndex((vertex) => !isVertex(vertex));
  if (wild >= 0) fail(`has a triangle with a vertex that does not exist, triangle ${index(wild)}.`);
  if (mesh.triangles.length % 3 !== 0) fail("has a last triangle of fewer than three corners.");
  const cyclic = findCycle(skeleton);
  if (cyclic >= 0) {
    fail(`has a hierarchy that runs in a circle at joint "${skeleton.names[cyclic]}".`);
  }
  if (weights) checkGivenWeights(weights, vertices, joints, fail);
}

/** Refuses what is not a character at all, before anything looks into it. */
function checkShape(character: Character): void {
  const { mesh, skeleton, weights } = (character ?? {}) as Partial<Character>;
  const arrays = [
    mesh?.positions,
    mesh?.triangles,
    skeleton?.parents,
    skeleton?.positions,
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
  const isWhole = Number.isInteger(influences) && influences >= 1;
  if (!isWhole || joints.length !== vertices * influences || weights.length !== joints.length) {
    fail(`has weights that are not ${influences} for each of its ${vertices} vertices.`);
  }
  const bad = weights.findIndex((weight) => !(weight >= 0 && weight < Infinity));
  if (bad >= 0) fail(`has a weight that is no number from 0 at vertex ${index(bad, influences)}.`);
  const wild = weights.findIndex((weight, slot) => weight > 0 && joints[slot] >= jointCount);
  if (wild >= 0) {
    fail(`has vertex ${index(wild, influences)} on joint ${joints[wild]} of ${jointCount}.`);
  }
}

function index(component: number, width = 3): number {
  return Math.floor(component / width);
}

/** A joint that has no way up to a root, or -1. */
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
