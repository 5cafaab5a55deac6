import { InputError } from "../../input-error.ts";
import { readRow, rowCount } from "../../weights/skin-weights.ts";
import type { Budget } from "../budget.ts";
import { createRowBuilder, pointsOf, type WeightFile, type WeightMesh } from "./weight-file.ts";

/** Weights as plain JSON. */
interface PlainFile {
  format: "heterskin-weights";
  version: 1;
  joints: string[];
  meshes: {
    name: string;
    /** x, y, z of each point, in the world and units of the scene. */
    points?: number[];
    /** By point: joint, weight, joint, weight...; joints are indices into `joints`. */
    weights: number[][];
  }[];
}

/** Writes weights as JSON: the names of the joints, and by mesh the points and a row of joints and weights each. */
export function formatPlainWeights({ joints, meshes }: WeightFile): string {
  const exact = (value: number) => Number(value.toPrecision(9));
  const file: PlainFile = {
    format: "heterskin-weights",
    version: 1,
    joints,
    meshes: meshes.map(({ name, points, weights }) => ({
      name,
      ...(points && { points: Array.from(points, exact) }),
      weights: Array.from({ length: rowCount(weights) }, (_, p) => {
        const { joints: row, values } = readRow(weights, p);
        return row.flatMap((joint, i) => [joint, exact(values[i])]);
      }),
    })),
  };
  return `${JSON.stringify(file)}\n`;
}

/** Reads weights from the JSON that {@link formatPlainWeights} writes. */
export function parsePlainWeights(budget: Budget, json: unknown): WeightFile {
  const { joints, meshes } = (json ?? {}) as Partial<PlainFile>;
  const isList = Array.isArray(joints) && joints.every((joint) => typeof joint === "string");
  if (!isList || !Array.isArray(meshes)) {
    throw new InputError(
      `${budget.name}: this JSON has no lists "joints" and "meshes" of weights.`,
    );
  }
  return { joints, meshes: meshes.map((mesh) => parseMesh(budget, mesh, joints.length)) };
}

function parseMesh(
  budget: Budget,
  mesh: Partial<PlainFile["meshes"][number]> | null,
  joints: number,
): WeightMesh {
  const { points, weights } = mesh ?? {};
  const name = String(mesh?.name ?? "");
  if (!Array.isArray(weights)) {
    throw new InputError(`${budget.name}: the mesh "${name}" has no weights.`);
  }
  const rows = createRowBuilder(budget);
  weights.forEach((row: unknown, point) => {
    const list: unknown[] = Array.isArray(row) ? row : [];
    for (let i = 0; i + 1 < list.length; i += 2) {
      const joint = Number(list[i]);
      if (!(Number.isInteger(joint) && joint >= 0 && joint < joints)) {
        throw new InputError(
          `${budget.name}: vertex ${point} of "${name}" has a joint ${list[i]}.`,
        );
      }
      rows.add(point, joint, Number(list[i + 1] ?? Number.NaN));
    }
  });
  return {
    name,
    points: pointsOf(points, weights.length),
    weights: rows.build(weights.length),
  };
}
