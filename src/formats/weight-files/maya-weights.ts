import { InputError } from "../../input-error.ts";
import { readRow, rowCount } from "../../weights/skin-weights.ts";
import { type Budget, spend } from "../budget.ts";
import { escapeXml, parseXml, type XmlElement } from "../dae/xml.ts";
import { childrenNamed, floatText } from "../scene/values.ts";
import {
  createRowBuilder,
  type RowBuilder,
  type WeightFile,
  type WeightMesh,
} from "./weight-file.ts";

/**
 * Writes the XML of Maya's `deformerWeights` command: a shape with its points per mesh, and a list of weights per
 * shape and joint. Maya matches points by index or by position.
 */
export function formatMayaWeights({ joints, meshes }: WeightFile): string {
  const lines = ['<?xml version="1.0"?>', "<deformerWeight>"];
  const identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  lines.push(`  <headerInfo fileName="heterskin.xml" worldMatrix="${identity}"/>`);
  meshes.forEach((mesh, group) => {
    const shape = shapeName(mesh);
    const size = rowCount(mesh.weights);
    const counts = `size="${size}" max="${size - 1}"`;
    lines.push(`  <shape name="${shape}" group="${group}" stride="3" ${counts}>`);
    for (let p = 0; mesh.points && p < size; p++) {
      const point = Array.from(mesh.points.subarray(p * 3, p * 3 + 3), floatText).join(" ");
      lines.push(`    <point index="${p}" value=" ${point}"/>`);
    }
    lines.push("  </shape>");
  });
  meshes.forEach((mesh, index) => {
    const lists = joints.map((): string[] => []);
    for (let p = 0; p < rowCount(mesh.weights); p++) {
      const { joints: row, values } = readRow(mesh.weights, p);
      row.forEach((joint, i) => {
        lists[joint].push(`    <point index="${p}" value="${floatText(values[i])}"/>`);
      });
    }
    lists.forEach((points, joint) => {
      const owner = `deformer="skinCluster${index + 1}" source="${escapeXml(joints[joint])}"`;
      const place = `shape="${shapeName(mesh)}" layer="${joint}" defaultValue="0.000"`;
      const counts = `size="${points.length}" max="${rowCount(mesh.weights) - 1}"`;
      lines.push(`  <weights ${owner} ${place} ${counts}>`, ...points, "  </weights>");
    });
  });
  return `${lines.join("\n")}\n</deformerWeight>\n`;
}

/** Maya names the shape of a mesh after its node. */
function shapeName({ name }: WeightMesh): string {
  return escapeXml(`${name}Shape`);
}

/** Reads the XML of Maya's `deformerWeights` command. */
export function parseMayaWeights(budget: Budget, bytes: Uint8Array): WeightFile {
  const root = parseXml(budget.name, bytes, budget);
  const [content] = childrenNamed(root, "deformerWeight");
  if (!content) {
    throw new InputError(
      `${budget.name}: this XML is not of Maya's deformerWeights; export the weights again.`,
    );
  }
  const shapes = new Map(
    childrenNamed(content, "shape").map((shape) => [shape.attributes.name ?? "", shape]),
  );
  const indexOf = new Map<string, number>();
  const meshes = new Map<string, MayaMesh>();
  for (const list of childrenNamed(content, "weights")) {
    const { source = "", shape = "" } = list.attributes;
    if (!indexOf.has(source)) indexOf.set(source, indexOf.size);
    const mesh = meshes.get(shape) ?? { rows: createRowBuilder(budget), size: 0 };
    meshes.set(shape, mesh);
    addList(budget, mesh, list, indexOf.get(source)!);
  }
  return {
    joints: [...indexOf.keys()],
    meshes: [...meshes].map(([shape, { rows, size }]): WeightMesh => {
      const points = readPoints(shapes.get(shape));
      const count = Math.max(size, (points?.length ?? 0) / 3);
      return { name: shape.replace(/Shape(\d*)$/, "$1"), points, weights: rows.build(count) };
    }),
  };
}

/** A mesh while it is read. */
interface MayaMesh {
  rows: RowBuilder;
  /** Points that the lists so far claim. */
  size: number;
}

/** Adds the weights of one joint. */
function addList(budget: Budget, mesh: MayaMesh, list: XmlElement, joint: number): void {
  const { defaultValue, max } = list.attributes;
  mesh.size = Math.max(mesh.size, Number(max ?? -1) + 1 || 0);
  const stated = new Set<number>();
  for (const { attributes } of childrenNamed(list, "point")) {
    const point = Number(attributes.index);
    stated.add(point);
    mesh.rows.add(point, joint, Number(attributes.value));
  }
  // Points that are not listed have the default, which is nearly always 0.
  const rest = Number(defaultValue ?? 0);
  if (!(rest > 0)) return;
  spend(budget, mesh.size, "vertices");
  for (let p = 0; p < mesh.size; p++) if (!stated.has(p)) mesh.rows.add(p, joint, rest);
}

function readPoints(shape: XmlElement | undefined): Float32Array | undefined {
  const listed = childrenNamed(shape, "point").map(({ attributes }) => ({
    index: Number(attributes.index),
    place: (attributes.value ?? "").trim().split(/\s+/).map(Number),
  }));
  const isWhole = listed.every(
    ({ index, place }) =>
      Number.isInteger(index) &&
      index >= 0 &&
      index < listed.length &&
      place.length === 3 &&
      place.every(Number.isFinite),
  );
  if (listed.length === 0 || !isWhole) return undefined;
  const points = new Float32Array(listed.length * 3);
  for (const { index, place } of listed) points.set(place, index * 3);
  return points;
}
