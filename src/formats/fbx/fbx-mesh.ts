import { transformDirection, transformPoint } from "../../math/mat4.ts";
import { badVertex } from "../losses.ts";
import { MAX_SETS, type SceneMesh } from "../scene/scene.ts";
import { childOf, childrenNamed, linearColors } from "../scene/values.ts";
import { type FbxDocument, type FbxNode, numbersOf, textOf } from "./fbx-node.ts";

/**
 * Reads the polygons of an FBX geometry.
 *
 * @param matrix the geometric transform of its model, applied to points and normals
 * @returns the mesh, and whether its last polygon is unterminated
 */
export function readFbxMesh(
  { file }: FbxDocument,
  name: string,
  node: FbxNode,
  matrix: number[],
): SceneMesh & { isOpen: boolean } {
  const raw = numbersOf(node, "Vertices");
  const points = new Float32Array(raw.length - (raw.length % 3));
  for (let at = 0; at < points.length; at += 3) {
    points.set(transformPoint(matrix, [raw[at], raw[at + 1], raw[at + 2]]), at);
  }
  const { corners, sizes, isOpen } = readPolygons(file, name, node, points.length / 3);
  const mesh: SceneMesh & { isOpen: boolean } = {
    name,
    points,
    corners,
    sizes,
    materials: [],
    isOpen,
  };
  const [facing] = layersOf(node, "LayerElementNormal");
  const normals = readLayer(facing, "Normals", "NormalsIndex", 3, mesh);
  if (normals) {
    for (let at = 0; at < normals.length; at += 3) {
      normals.set(transformDirection(matrix, normals.subarray(at, at + 3)), at);
    }
    mesh.normals = normals;
  }
  mesh.uvSets = readSets(node, "LayerElementUV", (layer) => {
    const uvs = readLayer(layer, "UV", "UVIndex", 2, mesh);
    for (let at = 1; uvs && at < uvs.length; at += 2) uvs[at] = 1 - uvs[at];
    return uvs;
  });
  mesh.colors = readSets(node, "LayerElementColor", (layer) => {
    const colors = readLayer(layer, "Colors", "ColorIndex", 4, mesh);
    return colors && linearColors(colors);
  });
  const layer = childOf(node, "LayerElementMaterial");
  const slots = numbersOf(layer, "Materials");
  const mapping = textOf(layer, "MappingInformationType");
  if (mapping === "AllSame" && slots[0] > 0) {
    mesh.polygonMaterials = new Int32Array(sizes.length).fill(slots[0]);
  }
  if (mapping === "ByPolygon" && slots.length >= sizes.length) {
    mesh.polygonMaterials = Int32Array.from(sizes, (_, p) => Math.max(slots[p], 0));
  }
  return mesh;
}

/** Reads polygon corners; the last corner of each polygon is stored as its complement. */
function readPolygons(file: string, name: string, node: FbxNode, count: number) {
  const indices = numbersOf(node, "PolygonVertexIndex");
  const corners = new Int32Array(indices.length);
  const sizes: number[] = [];
  let start = 0;
  for (let i = 0; i < indices.length; i++) {
    const isLast = indices[i] < 0;
    // Not `~`, which wraps an index beyond 32 bits to any value.
    const corner = isLast ? -1 - indices[i] : indices[i];
    if (!(corner >= 0 && corner < count)) throw badVertex(file, name, indices[i], count);
    corners[i] = corner;
    if (!isLast) continue;
    sizes.push(i + 1 - start);
    start = i + 1;
  }
  return {
    corners: corners.subarray(0, start),
    sizes: Int32Array.from(sizes),
    isOpen: start < indices.length,
  };
}

/** Counts the UV and color sets beyond the supported number. */
export function spareSets(node: FbxNode): number {
  return ["LayerElementUV", "LayerElementColor"].reduce(
    (sum, name) => sum + Math.max(0, layersOf(node, name).length - MAX_SETS),
    0,
  );
}

function readSets(node: FbxNode, name: string, read: (layer: FbxNode) => Float32Array | undefined) {
  return layersOf(node, name)
    .slice(0, MAX_SETS)
    .map(read)
    .filter((set) => set !== undefined);
}

/** Returns the names of the UV sets, in order. */
export function uvSetNames(node: FbxNode): string[] {
  return layersOf(node, "LayerElementUV").map((layer) => textOf(layer, "Name"));
}

function layersOf(node: FbxNode, name: string): FbxNode[] {
  const index = ({ values }: FbxNode) => (typeof values[0] === "number" ? values[0] : 0);
  return childrenNamed(node, name).sort((a, b) => index(a) - index(b));
}

/** Expands a layer stored per corner, point or polygon, indexed or not, to one value per corner. */
function readLayer(
  layer: FbxNode | undefined,
  valuesName: string,
  indexName: string,
  size: number,
  { corners, sizes }: SceneMesh,
): Float32Array | undefined {
  const values = numbersOf(layer, valuesName);
  if (values.length === 0) return undefined;
  const mapping = textOf(layer, "MappingInformationType");
  const isIndexed = textOf(layer, "ReferenceInformationType") !== "Direct";
  const indices = isIndexed ? numbersOf(layer, indexName) : [];
  const out = new Float32Array(corners.length * size);
  let corner = 0;
  for (let polygon = 0; polygon < sizes.length; polygon++) {
    for (let i = 0; i < sizes[polygon]; i++, corner++) {
      const item =
        mapping === "ByPolygon" ? polygon : /^ByVert/.test(mapping) ? corners[corner] : corner;
      const row = mapping === "AllSame" ? 0 : indices.length > 0 ? indices[item] : item;
      for (let c = 0; c < size; c++) {
        const value = values[row * size + c];
        out[corner * size + c] = Number.isFinite(value) ? value : 0;
      }
    }
  }
  return out;
}
