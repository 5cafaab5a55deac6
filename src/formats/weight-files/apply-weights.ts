import { InputError } from "../../input-error.ts";
import { boundsOf, longestSide } from "../../math/aabb.ts";
import { joinArrays } from "../../math/arrays.ts";
import { weld } from "../../mesh/weld.ts";
import { hasWeight, readRow, rowCount, type SkinWeights } from "../../weights/skin-weights.ts";
import { keepRows, limitInfluences } from "../../weights/weight-locks.ts";
import { createBudget } from "../budget.ts";
import type { CharacterFile } from "../character-file.ts";
import {
  createRowBuilder,
  filePoints,
  type WeightFile,
  type WeightMesh,
  weightsOfFile,
} from "./weight-file.ts";

/** Points at the same position, as a fraction of the mesh's longest side. */
const SAME_POSITION = 1e-4;

/** Units that programs exchange: centimeters, and meters. */
const UNITS = [0.01, 1, 100];

/** Weights of a file on the joints and vertices of a character. */
export interface AppliedWeights {
  /** V rows; a vertex without a match keeps its weights, or has a row of zeros. */
  weights: SkinWeights;
  /** Vertices that received weights, and those of them that were found by position. */
  matched: number;
  byPosition: number;
  /** Vertices without a match that keep their weights. */
  kept: number;
  notes: string[];
}

/**
 * Puts weights of a file on a character. Joints are matched by name, without namespaces and paths if need be;
 * vertices by index if the meshes have as many and the positions in the file agree, else by position.
 */
export function applyWeights(file: CharacterFile, given: WeightFile, name: string): AppliedWeights {
  const { skeleton, mesh } = file.character;
  const jointOf = matchJoints(given.joints, skeleton.names);
  if (jointOf.every((joint) => joint < 0)) {
    throw new InputError({
      where: name,
      what: `no joint of this file is in the target; its first is "${given.joints[0]}"`,
      remedy: { advice: "use the character that the weights belong to" },
    });
  }
  const builder = createRowBuilder(createBudget(name, Number.POSITIVE_INFINITY));
  let [matched, byPosition] = [0, 0];
  const current = weightsOfFile(file);
  const parts = filePoints(file);
  const own = file.character.weights;
  // Vertices that may take the row of another at their position: those of a seam, and those without weights.
  const open = new Uint8Array(mesh.positions.length / 3).map((_, v) =>
    own && hasWeight(own, v) ? 0 : 1,
  );
  const labels = new Set(parts.map(({ name: label }) => label));
  for (const [index, { mesh: number, name: label, vertices }] of parts.entries()) {
    const source = chooseMesh(given.meshes, label, vertices.length, labels);
    for (const { mesh: shown, first, count } of file.parts) {
      if (source && shown === number) open.fill(1, first, first + count);
    }
    const target = current.meshes[index].points!;
    const { points, isByIndex } = source ? matchPoints(source, target) : NOTHING;
    for (const [point, vertex] of vertices.entries()) {
      const from = isByIndex ? point : (points?.[point] ?? -1);
      if (!source || vertex < 0 || from < 0) continue;
      const { joints, values } = readRow(source.weights, from);
      joints.forEach((joint, i) => {
        if (jointOf[joint] >= 0) builder.add(vertex, jointOf[joint], values[i]);
      });
      matched++;
      if (!isByIndex) byPosition++;
    }
  }
  if (matched === 0) {
    throw new InputError({
      where: name,
      what: "neither the number nor the positions of its vertices are those of the target",
      remedy: { advice: "transfer from a character with these weights instead" },
    });
  }
  const rows = onSeams(file, builder.build(mesh.positions.length / 3), open);
  const notes = notesOf(given, jointOf);
  if (!own) return { weights: rows, matched, byPosition, kept: 0, notes };
  let kept = 0;
  for (let vertex = 0; vertex < rowCount(rows); vertex++) {
    if (!hasWeight(rows, vertex) && hasWeight(own, vertex)) kept++;
  }
  const widest = Math.max(rows.influences, own.influences);
  return {
    weights: keepRows(limitInfluences(own, widest), rows),
    matched,
    byPosition,
    kept,
    notes,
  };
}

const NOTHING = { points: undefined, isByIndex: false };

/** A name without path and namespace. */
const plain = (name: string) => name.replace(/^.*[|:]/, "");

/** By joint of the file: the joint of the character, or -1. */
function matchJoints(names: string[], targets: string[]): number[] {
  const exact = new Map(targets.map((name, joint) => [name, joint]));
  const loose = new Map(targets.map((name, joint) => [plain(name), joint]));
  return names.map((name) => exact.get(name) ?? loose.get(plain(name)) ?? -1);
}

function notesOf({ joints, meshes }: WeightFile, jointOf: number[]): string[] {
  const used = new Set(meshes.flatMap(({ weights }) => [...weights.joints]));
  const missing = joints.filter((_, joint) => jointOf[joint] < 0 && used.has(joint));
  if (missing.length === 0) return [];
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return [
    `The target has no joint ${missing.slice(0, 5).join(", ")}${more}; their weight is ignored.`,
  ];
}

/**
 * Returns the mesh of the file that belongs to a mesh of the target: the one of its name, or one whose name no
 * mesh of the target has.
 *
 * @param labels names of all meshes of the target
 */
function chooseMesh(
  meshes: WeightMesh[],
  name: string,
  count: number,
  labels: ReadonlySet<string>,
): WeightMesh | undefined {
  const named = meshes.find((mesh) => mesh.name === name || plain(mesh.name) === name);
  if (named) return named;
  const free = meshes.filter((mesh) => !labels.has(mesh.name) && !labels.has(plain(mesh.name)));
  if (meshes.length === 1) return free[0];
  return free.find(({ weights }) => rowCount(weights) === count);
}

/** By point of the target: the point of the source at its position, or -1; none are needed if the indices agree. */
function matchPoints({ points, weights }: WeightMesh, target: Float32Array) {
  const isAsLong = rowCount(weights) * 3 === target.length;
  if (!points) return { points: undefined, isByIndex: isAsLong };
  const size = longestSide(boundsOf(target));
  const ratio = size / Math.max(longestSide(boundsOf(points)), 1e-30);
  const far = (unit: number) => Math.abs(Math.log(ratio / unit));
  const unit = [...UNITS].sort((a, b) => far(a) - far(b))[0];
  const source = points.map((value) => value * unit);
  const near = SAME_POSITION * size;
  const isByIndex =
    isAsLong && source.every((value, i) => Math.abs(value - target[i]) <= 10 * near);
  if (isByIndex) return { points: undefined, isByIndex };
  const { welded } = weld(joinArrays(Float32Array, [source, target]), near);
  const count = source.length / 3;
  const firstOf = new Map<number, number>();
  for (let p = count - 1; p >= 0; p--) firstOf.set(welded[p], p);
  const found = Int32Array.from(
    { length: target.length / 3 },
    (_, p) => firstOf.get(welded[count + p]) ?? -1,
  );
  // Another pose, or an edited mesh with the same points: indices are the better guess.
  const share = found.filter((p) => p >= 0).length / found.length;
  return isAsLong && share < 0.5
    ? { points: undefined, isByIndex: true }
    : { points: found, isByIndex };
}

/** Copies rows to the open vertices of a seam that have none: a file has one row per point. */
function onSeams(
  { character: { mesh } }: CharacterFile,
  rows: SkinWeights,
  open: Uint8Array,
): SkinWeights {
  const { welded } = weld(mesh.positions, 0);
  const { influences } = rows;
  const first = new Map<number, number>();
  const start = (vertex: number) => vertex * influences;
  welded.forEach((group, vertex) => {
    if (hasWeight(rows, vertex) && !first.has(group)) first.set(group, vertex);
  });
  welded.forEach((group, vertex) => {
    const from = first.get(group);
    if (hasWeight(rows, vertex) || from === undefined || open[vertex] === 0) return;
    rows.joints.copyWithin(start(vertex), start(from), start(from) + influences);
    rows.weights.copyWithin(start(vertex), start(from), start(from) + influences);
  });
  return rows;
}
