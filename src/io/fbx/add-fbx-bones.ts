import type { Skeleton } from "../../skeleton/skeleton.ts";
import { localJoints } from "../new-joints.ts";
import type { RawFbxNode } from "./raw-fbx.ts";
import { connect, type RawObjects, takeId } from "./raw-objects.ts";
import { rawNode } from "./raw-values.ts";

const DEGREES = 180 / Math.PI;

/**
 * Adds the joints of another file's skeleton to an FBX, as limbs below its root.
 *
 * @param worlds to the FBX's world, one per joint, without scale
 * @returns ids of the new models
 */
export function addFbxBones(draft: RawObjects, skeleton: Skeleton, worlds: number[][]): string[] {
  const { names, parents } = skeleton;
  const locals = localJoints(parents, worlds);
  const ids = names.map(() => takeId(draft));
  names.forEach((name, joint) => {
    const attribute = takeId(draft);
    draft.added.push(limb(ids[joint], name, locals[joint]), limbAttribute(attribute, name));
    connect(draft, attribute, ids[joint]);
    connect(draft, ids[joint], parents[joint] < 0 ? 0n : ids[parents[joint]]);
  });
  return ids.map(String);
}

function limb(id: bigint, name: string, matrix: number[]): RawFbxNode {
  const vector = (label: string, values: number[]) =>
    rawNode("P", [label, label, "", "A", ...values.map((double) => ({ double }))]);
  const properties = [
    rawNode("P", ["InheritType", "enum", "", "", { int: 1 }]),
    vector("Lcl Translation", matrix.slice(12, 15)),
    vector("Lcl Rotation", eulerOf(matrix)),
    vector("Lcl Scaling", [1, 1, 1]),
  ];
  return rawNode(
    "Model",
    [id, `${name}\0\x01Model`, "LimbNode"],
    rawNode("Version", [{ int: 232 }]),
    rawNode("Properties70", [], ...properties),
    rawNode("Shading", [{ flag: true }]),
    rawNode("Culling", ["CullingOff"]),
  );
}

function limbAttribute(id: bigint, name: string): RawFbxNode {
  const size = rawNode("P", ["Size", "double", "Number", "", { double: 1 }]);
  return rawNode(
    "NodeAttribute",
    [id, `${name}\0\x01NodeAttribute`, "LimbNode"],
    rawNode("Properties70", [], size),
    rawNode("TypeFlags", ["Skeleton"]),
  );
}

/** Degrees about x, then y, then z, of a matrix without scale. */
function eulerOf(m: number[]): number[] {
  const y = Math.asin(Math.min(Math.max(-m[2], -1), 1));
  // Straight up or down, x and z turn about the same line: all of it is given to x.
  const isLocked = Math.abs(m[2]) > 1 - 1e-9;
  const x = isLocked ? Math.atan2(Math.sign(-m[2]) * m[4], m[5]) : Math.atan2(m[6], m[10]);
  const z = isLocked ? 0 : Math.atan2(m[1], m[0]);
  return [x, y, z].map((angle) => angle * DEGREES);
}
