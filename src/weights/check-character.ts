import { InputError } from "../input-error.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { Character } from "./character.ts";

/** Joint indices are 16 bits, here and in glTF. */
export const MOST_JOINTS = 65535;

/**
 * Refuses a character no method could work on, with an `InputError` that says what is wrong:
 * no vertices or joints, too many joints, numbers that are not finite, indices out of range, a
 * hierarchy that runs in a circle.
 */
export function checkCharacter({ name, mesh, skeleton }: Character): void {
  const vertices = mesh.positions.length / 3;
  const joints = skeleton.parents.length;
  const fail = (problem: string) => {
    throw new InputError(`Character "${name}" ${problem}`);
  };
  if (vertices === 0) fail("has no vertices; check that the file holds a mesh.");
  if (joints === 0) fail("has no joints; give a skeleton from another file.");
  if (joints > MOST_JOINTS) fail(`has ${joints} joints; the most is ${MOST_JOINTS}.`);
  if (!Number.isInteger(vertices)) fail("has positions whose number is not a multiple of three.");
  if (skeleton.positions.length !== joints * 3 || skeleton.names.length !== joints) {
    fail("has joints without a position or a name.");
  }
  const badVertex = mesh.positions.findIndex((value) => !Number.isFinite(value));
  if (badVertex >= 0) fail(`has a position that is not a number at vertex ${index(badVertex)}.`);
  const badJoint = skeleton.positions.findIndex((value) => !Number.isFinite(value));
  if (badJoint >= 0) fail(`has a position that is not a number at joint ${index(badJoint)}.`);
  const wild = mesh.triangles.findIndex((vertex) => vertex >= vertices);
  if (wild >= 0) fail(`has a triangle with a vertex that does not exist, triangle ${index(wild)}.`);
  if (mesh.triangles.length % 3 !== 0) fail("has a last triangle of fewer than three corners.");
  const cyclic = findCycle(skeleton);
  if (cyclic >= 0) {
    fail(`has a hierarchy that runs in a circle at joint "${skeleton.names[cyclic]}".`);
  }
}

function index(component: number): number {
  return Math.floor(component / 3);
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
