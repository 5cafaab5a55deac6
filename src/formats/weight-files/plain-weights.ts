import { csvCell } from "../../csv-cell.ts";
import { InputError } from "../../input-error.ts";
import { readRow, rowCount } from "../../weights/skin-weights.ts";
import type { Budget } from "../budget.ts";
import { floatText } from "../scene/values.ts";
import {
  createRowBuilder,
  pointsOf,
  type RowBuilder,
  type WeightFile,
  type WeightMesh,
} from "./weight-file.ts";

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

const HEAD = ["mesh", "vertex", "x", "y", "z", "joint", "weight"];

/** Writes weights as a table, a row per mesh, vertex and joint. */
export function formatCsvWeights({ joints, meshes }: WeightFile): string {
  const lines = [HEAD.join()];
  for (const { name, points, weights } of meshes) {
    for (let p = 0; p < rowCount(weights); p++) {
      const place = points
        ? Array.from(points.subarray(p * 3, p * 3 + 3), floatText)
        : ["", "", ""];
      const { joints: row, values } = readRow(weights, p);
      row.forEach((joint, i) => {
        lines.push(
          [csvCell(name), p, ...place, csvCell(joints[joint]), floatText(values[i])].join(),
        );
      });
    }
  }
  return `${lines.join("\n")}\n`;
}

/** Reads a table of weights; columns are found by their names, and only vertex, joint and weight are needed. */
export function parseCsvWeights(budget: Budget, text: string): WeightFile {
  const rows = rowsOf(text);
  const { value: head = [] } = rows.next();
  const column = Object.fromEntries(HEAD.map((name) => [name, head.indexOf(name)]));
  for (const name of ["vertex", "joint", "weight"]) {
    if (column[name] < 0) {
      throw new InputError(`${budget.name}: the table has no column "${name}".`);
    }
  }
  const indexOf = new Map<string, number>();
  const meshes = new Map<string, CsvMesh>();
  for (const row of rows) {
    const name = plainText(row[column.mesh] ?? "");
    const joint = plainText(row[column.joint] ?? "");
    const mesh = meshes.get(name) ?? { rows: createRowBuilder(budget), points: new Map() };
    meshes.set(name, mesh);
    if (!indexOf.has(joint)) indexOf.set(joint, indexOf.size);
    const vertex = Number(row[column.vertex] || Number.NaN);
    mesh.rows.add(vertex, indexOf.get(joint)!, Number(row[column.weight] || Number.NaN));
    const place = [column.x, column.y, column.z].map((at) => Number(row[at] || Number.NaN));
    if (place.every(Number.isFinite)) mesh.points.set(vertex, place);
  }
  return { joints: [...indexOf.keys()], meshes: [...meshes].map(meshOf) };
}

/** A mesh while it is read. */
interface CsvMesh {
  rows: RowBuilder;
  points: Map<number, number[]>;
}

function meshOf([name, { rows, points: found }]: [string, CsvMesh]): WeightMesh {
  const weights = rows.build();
  if (found.size !== rowCount(weights)) return { name, weights };
  const points = new Float32Array(3 * found.size);
  for (const [vertex, place] of found) points.set(place, 3 * vertex);
  return { name, weights, points };
}

/** Removes the mark that keeps a cell from being a formula. */
function plainText(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r])/, "");
}

/** Yields the rows of a table that are not empty. Cells may be quoted, and then hold commas and line ends. */
function* rowsOf(text: string): Generator<string[], undefined> {
  let row: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at + 1) : ["", at];
    const rest = endOfCell(text, end);
    row.push(cell + text.slice(end, rest));
    at = rest + 1;
    if (text[rest] === ",") continue;
    if (row.length > 1 || row[0].trim() !== "") yield row;
    row = [];
  }
}

/** Returns a quoted cell from after its first quote, and where it ends. */
function quotedCell(text: string, start: number): [string, number] {
  for (let from = start; ; ) {
    const quote = text.indexOf('"', from);
    if (quote >= 0 && text[quote + 1] === '"') {
      from = quote + 2;
      continue;
    }
    const end = quote < 0 ? text.length : quote;
    return [text.slice(start, end).replaceAll('""', '"'), Math.min(end + 1, text.length)];
  }
}

function endOfCell(text: string, start: number): number {
  const mark = /[,\r\n]|$/g;
  mark.lastIndex = start;
  return mark.exec(text)!.index;
}
