import { transformDirection, transformPoint } from "../../math/mat4.ts";
import { fromLinear } from "../../picture/color-maps.ts";
import { numbers, properties } from "./new-fbx.ts";
import type { NewSurface } from "./new-surface.ts";
import { type NewFbxValue, type RawFbxNode, rawNode } from "./raw-fbx.ts";
import { addObject, connect, type FbxEditor } from "./raw-objects.ts";

/** A surface with the points of an FBX, ready to be written. */
export interface NewGeometry {
  name: string;
  surface: NewSurface;
  /** The point of each vertex, and the first vertex of each point. */
  points: Int32Array;
  first: number[];
  /** From vertices to the points as they are stored. */
  matrix: number[];
}

/** Returns the name of a UV set. */
export function uvSetName(set: number): string {
  return set === 0 ? "UVMap" : `UVMap${set}`;
}

/** Adds a geometry with normals, UV sets, colors and material slots; returns its id. */
export function addGeometry(editor: FbxEditor, geometry: NewGeometry): bigint {
  const { name, surface, points, first, matrix } = geometry;
  const { positions, corners, normals, uvSets, colors } = surface;
  const vertices = new Float64Array(first.length * 3);
  first.forEach((vertex, point) => {
    const stored = positions.subarray(vertex * 3, vertex * 3 + 3);
    vertices.set(transformPoint(matrix, stored), point * 3);
  });
  // The last corner of a polygon is stored as its complement.
  const polygons = Int32Array.from(corners, (vertex, c) =>
    c % 3 === 2 ? ~points[vertex] : points[vertex],
  );
  const perCorner = Int32Array.from(corners);
  const layers: RawFbxNode[] = [];
  if (normals) layers.push(normalLayer(normals, corners, matrix));
  uvSets.forEach((uvs, set) => {
    const flipped = Float64Array.from(uvs, (value, i) => (i % 2 === 1 ? 1 - value : value));
    const values: [string, NewFbxValue][] = [
      ["UV", flipped],
      ["UVIndex", perCorner],
    ];
    layers.push(layer("LayerElementUV", set, uvSetName(set), "IndexToDirect", values));
  });
  colors.forEach((linear, set) => {
    const stored = Float64Array.from(linear, (value, i) =>
      i % 4 === 3 ? value : fromLinear(value) / 255,
    );
    const values: [string, NewFbxValue][] = [
      ["Colors", stored],
      ["ColorIndex", perCorner],
    ];
    layers.push(layer("LayerElementColor", set, `Col${set || ""}`, "IndexToDirect", values));
  });
  layers.push(
    rawNode(
      "LayerElementMaterial",
      [{ int: 0 }],
      ...layerHead("", "ByPolygon", "IndexToDirect"),
      rawNode("Materials", [surface.slots]),
    ),
  );
  return addObject(
    editor,
    "Geometry",
    [name, "Geometry", "Mesh"],
    properties(),
    rawNode("GeometryVersion", [{ int: 124 }]),
    rawNode("Vertices", [vertices]),
    rawNode("PolygonVertexIndex", [polygons]),
    ...layers,
    ...layerLists(layers),
  );
}

function layerHead(name: string, mapping: string, reference: string): RawFbxNode[] {
  return [
    rawNode("Version", [{ int: 101 }]),
    rawNode("Name", [name]),
    rawNode("MappingInformationType", [mapping]),
    rawNode("ReferenceInformationType", [reference]),
  ];
}

function layer(
  kind: string,
  set: number,
  name: string,
  reference: string,
  values: [string, NewFbxValue][],
): RawFbxNode {
  const lists = values.map(([label, list]) => rawNode(label, [list]));
  return rawNode(kind, [{ int: set }], ...layerHead(name, "ByPolygonVertex", reference), ...lists);
}

function normalLayer(normals: Float32Array, corners: Uint32Array, matrix: number[]): RawFbxNode {
  const out = new Float64Array(corners.length * 3);
  corners.forEach((vertex, corner) => {
    const [x, y, z] = transformDirection(matrix, normals.subarray(vertex * 3, vertex * 3 + 3));
    const size = Math.hypot(x, y, z) || 1;
    out.set([x / size, y / size, z / size], corner * 3);
  });
  return layer("LayerElementNormal", 0, "", "Direct", [["Normals", out]]);
}

/** Lists the layer elements: the first of each kind in layer 0, further sets in layers of their own. */
function layerLists(layers: RawFbxNode[]): RawFbxNode[] {
  const count = new Map<string, number>();
  const lists: RawFbxNode[][] = [];
  for (const { name } of layers) {
    const set = count.get(name) ?? 0;
    count.set(name, set + 1);
    lists[set] ??= [];
    const [type, index] = [rawNode("Type", [name]), rawNode("TypedIndex", [{ int: set }])];
    lists[set].push(rawNode("LayerElement", [], type, index));
  }
  return lists.map((elements, index) =>
    rawNode("Layer", [{ int: index }], rawNode("Version", [{ int: 100 }]), ...elements),
  );
}

/** A morph target: its name and its weight at rest. */
export interface NewShape {
  name: string;
  weight: number;
}

/** Adds the blend shapes of a geometry; returns the id of each one's channel. */
export function addShapes(
  editor: FbxEditor,
  owner: bigint,
  { name, surface, first, matrix }: NewGeometry,
  shapes: NewShape[],
): bigint[] {
  if (shapes.length === 0) return [];
  const version = (int: number) => rawNode("Version", [{ int }]);
  const deformer = addObject(editor, "Deformer", [name, "Deformer", "BlendShape"], version(100));
  connect(editor, deformer, owner);
  const all = rawNode("Indexes", [Int32Array.from(first.keys())]);
  const shared: SharedNodes = { all, stills: new Map() };
  return shapes.map((shape, s) => {
    const channel = addObject(
      editor,
      "Deformer",
      [shape.name, "SubDeformer", "BlendShapeChannel"],
      version(100),
      properties(numbers("DeformPercent", ["Number", "", "A"], shape.weight * 100)),
      rawNode("DeformPercent", [{ double: shape.weight * 100 }]),
      rawNode("FullWeights", [Float64Array.of(100)]),
    );
    connect(editor, channel, deformer);
    const target = addObject(
      editor,
      "Geometry",
      [shape.name, "Geometry", "Shape"],
      version(100),
      ...offsets(surface.shapes[s], first, matrix, shared),
    );
    connect(editor, target, channel);
    return channel;
  });
}

/** Nodes that shapes of a geometry share, by the number of their points. */
interface SharedNodes {
  /** The indices of all points. */
  all: RawFbxNode;
  /** Unchanged normals. */
  stills: Map<number, RawFbxNode>;
}

/** The points that a shape moves; at least one, because importers expect some. */
function offsets(
  deltas: Float32Array,
  first: number[],
  matrix: number[],
  { all, stills }: SharedNodes,
): RawFbxNode[] {
  const found: number[] = [];
  for (let point = 0; point < first.length; point++) {
    const at = first[point] * 3;
    if (deltas[at] !== 0 || deltas[at + 1] !== 0 || deltas[at + 2] !== 0) found.push(point);
  }
  const points = Int32Array.from(found.length > 0 ? found : [first.length - 1]);
  const moves = new Float64Array(points.length * 3);
  // As transformDirection does, without an array for each of millions of points.
  for (let i = 0; i < points.length; i++) {
    const at = first[points[i]] * 3;
    const [x, y, z] = [deltas[at], deltas[at + 1], deltas[at + 2]];
    for (let axis = 0; axis < 3; axis++) {
      moves[i * 3 + axis] = matrix[axis] * x + matrix[axis + 4] * y + matrix[axis + 8] * z;
    }
  }
  const still = stills.get(points.length) ?? rawNode("Normals", [new Float64Array(moves.length)]);
  stills.set(points.length, still);
  const indices = points.length === first.length ? all : rawNode("Indexes", [points]);
  return [indices, rawNode("Vertices", [moves]), still];
}
