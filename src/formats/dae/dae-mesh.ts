import { STRIDE, type Steps } from "../../event-loop.ts";
import { type Budget, spend } from "../budget.ts";
import { badVertex, damaged } from "../losses.ts";
import { MAX_SETS, type SceneMesh, type SceneShape } from "../scene/scene.ts";
import { childOf, childrenNamed, linearColors } from "../scene/values.ts";
import {
  type DaeDocument,
  inputsOf,
  numbersIn,
  readNames,
  readSource,
  refer,
} from "./dae-document.ts";
import type { XmlElement } from "./xml.ts";

const PRIMITIVES = new Set(["triangles", "polylist", "polygons", "tristrips", "trifans"]);

/** Upper limit of inputs per corner; no valid file has more. */
const WIDEST = 256;

/** A mesh and the material symbol of each slot. */
export interface DaeMesh {
  mesh: SceneMesh;
  symbols: string[];
  /** Whether polygons were skipped because the file has fewer corners than it declares. */
  isShort: boolean;
}

function noCorners() {
  return {
    points: [] as number[],
    normals: [] as number[],
    uvSets: [] as number[][],
    colors: [] as number[][],
    sizes: [] as number[],
    slots: [] as number[],
    isShort: false,
  };
}

/** Reads a COLLADA geometry in steps; returns undefined if it is not a mesh. */
export function* daeMeshSteps(
  document: DaeDocument,
  geometry: XmlElement,
): Steps<DaeMesh | undefined> {
  const element = childOf(geometry, "mesh");
  if (!element) return undefined;
  const shared = inputsOf(childOf(element, "vertices"));
  const points = readDaePoints(document, element);
  const out = noCorners();
  const symbols: string[] = [];
  for (const primitive of element.children) {
    if (!PRIMITIVES.has(primitive.name)) continue;
    symbols.push(primitive.attributes.material ?? "");
    yield* primitiveSteps(document, primitive, shared, out, symbols.length - 1);
  }
  yield;
  const name = geometry.attributes.name ?? geometry.attributes.id ?? "mesh";
  const bad = out.points.find((point) => !(point >= 0 && point * 3 < points.length));
  if (bad !== undefined) throw badVertex(document.file, name, bad, points.length / 3);
  const count = out.points.length;
  const mesh: SceneMesh = {
    name,
    points,
    corners: Int32Array.from(out.points),
    sizes: Int32Array.from(out.sizes),
    normals:
      out.normals.length === count * 3 && count > 0 ? Float32Array.from(out.normals) : undefined,
    uvSets: out.uvSets.map((uvs) =>
      Float32Array.from({ length: count * 2 }, (_, i) => uvs[i] ?? 0),
    ),
    colors: out.colors.map((colors) =>
      linearColors(Float32Array.from({ length: count * 4 }, (_, i) => colors[i] ?? 1)),
    ),
    polygonMaterials: Int32Array.from(out.slots),
    materials: [],
  };
  return { mesh, symbols, isShort: out.isShort };
}

/** The points of a `mesh` element, C×3. */
function readDaePoints(document: DaeDocument, element: XmlElement | undefined): Float32Array {
  const shared = inputsOf(childOf(element, "vertices"));
  const { values, stride } = readSource(document, shared.get("POSITION")?.source);
  return Float32Array.from({ length: Math.floor(values.length / stride) * 3 }, (_, i) =>
    i % 3 < stride ? values[Math.floor(i / 3) * stride + (i % 3)] : 0,
  );
}

function* primitiveSteps(
  document: DaeDocument,
  primitive: XmlElement,
  shared: ReturnType<typeof inputsOf>,
  out: ReturnType<typeof noCorners>,
  slot: number,
): Steps<void> {
  const inputs = childrenNamed(primitive, "input");
  const vertex = inputsOf(primitive).get("VERTEX")?.offset ?? 0;
  // Sets of the polygons, or else of the points.
  const sets = (semantic: string, max = MAX_SETS) => {
    const own = inputs.filter(({ attributes }) => attributes.semantic === semantic);
    const common = own.length === 0 ? shared.get(semantic) : undefined;
    if (common) return [{ ...readSource(document, common.source), offset: vertex }];
    return own
      .sort((a, b) => Number(a.attributes.set ?? 0) - Number(b.attributes.set ?? 0))
      .slice(0, max)
      .map(({ attributes }) => ({
        ...readSource(document, attributes.source),
        offset: Number(attributes.offset ?? 0),
      }));
  };
  const [normals] = sets("NORMAL", 1);
  const [uvSets, colors] = [sets("TEXCOORD"), sets("COLOR")];
  const offsets = inputs.map(({ attributes }) => Number(attributes.offset ?? 0));
  if (!offsets.every((offset) => Number.isInteger(offset) && offset >= 0 && offset < WIDEST)) {
    throw damaged(document.file, "the inputs of a polygon list have no proper offsets");
  }
  const width = 1 + Math.max(0, ...offsets);
  const polygons = polygonsOf(document, primitive, width);
  yield;
  if (polygons.length === 0 && childOf(primitive, "p")) out.isShort = true;
  for (const { indices, sizes } of polygons) {
    for (const size of sizes) {
      out.sizes.push(size);
      out.slots.push(slot);
    }
    for (let at = 0; at + width <= indices.length; at += width) {
      if (at % (width * STRIDE) === 0) yield;
      out.points.push(indices[at + vertex]);
      if (normals) {
        const row = indices[at + normals.offset] * normals.stride;
        for (let c = 0; c < 3; c++) out.normals.push(normals.values[row + c] ?? 0);
      }
      const corner = out.points.length - 1;
      uvSets.forEach((uvs, set) => {
        const row = indices[at + uvs.offset] * uvs.stride;
        out.uvSets[set] ??= [];
        out.uvSets[set][corner * 2] = uvs.values[row] ?? 0;
        out.uvSets[set][corner * 2 + 1] = 1 - (uvs.values[row + 1] ?? 0);
      });
      colors.forEach((color, set) => {
        const row = indices[at + color.offset] * color.stride;
        out.colors[set] ??= [];
        for (let c = 0; c < 4; c++) {
          // Three numbers if there is no alpha.
          const value = c < color.stride ? color.values[row + c] : 1;
          out.colors[set][corner * 4 + c] = value ?? 1;
        }
      });
    }
  }
}

/** Returns the polygons of a primitive as runs of index tuples. */
function polygonsOf(document: DaeDocument, primitive: XmlElement, width: number) {
  const lists = childrenNamed(primitive, "p").map((list) => numbersIn(document, list));
  if (primitive.name === "triangles") {
    return lists.map((p) => {
      const count = Math.floor(p.length / width / 3);
      return { indices: p.slice(0, count * 3 * width), sizes: new Array<number>(count).fill(3) };
    });
  }
  if (primitive.name === "polylist") {
    const sizes = numbersIn(document, childOf(primitive, "vcount"));
    const total = sizes.reduce((sum, size) => sum + size, 0) * width;
    const indices = lists[0] ?? [];
    const isComplete =
      indices.length >= total && sizes.every((size) => size >= 0 && size % 1 === 0);
    return isComplete ? [{ indices: indices.slice(0, total), sizes }] : [];
  }
  if (primitive.name === "polygons") {
    return lists.map((indices) => ({ indices, sizes: [Math.floor(indices.length / width)] }));
  }
  return lists.map((p) => unroll(p, width, primitive.name === "trifans"));
}

function unroll(p: number[], width: number, isFan: boolean) {
  const tuple = (i: number) => p.slice(i * width, (i + 1) * width);
  const count = Math.max(Math.floor(p.length / width) - 2, 0);
  const indices: number[] = [];
  for (let t = 0; t < count; t++) {
    const order = isFan ? [0, t + 1, t + 2] : t % 2 === 1 ? [t, t + 2, t + 1] : [t, t + 1, t + 2];
    indices.push(...order.flatMap(tuple));
  }
  return { indices, sizes: new Array<number>(count).fill(3) };
}

/** Reads the shapes of a morph controller over a mesh of `points`, C×3. */
export function readDaeMorph(
  document: DaeDocument,
  morph: XmlElement,
  points: Float32Array,
  budget?: Budget,
): SceneShape[] {
  const inputs = inputsOf(childOf(morph, "targets"));
  const { names } = readNames(document, inputs.get("MORPH_TARGET")?.source);
  const { values: weights } = readSource(document, inputs.get("MORPH_WEIGHT")?.source);
  const isRelative = morph.attributes.method === "RELATIVE";
  return names.map((id, index) => {
    const geometry = refer(document, id);
    const name = geometry?.attributes.name ?? id;
    spend(budget, points.length / 3, "shapePoints");
    const deltas = new Float32Array(points.length);
    const target = readDaePoints(document, childOf(geometry, "mesh"));
    for (let i = 0; i < deltas.length && i < target.length; i++) {
      deltas[i] = isRelative ? target[i] : target[i] - points[i];
    }
    return { name, deltas, weight: weights[index] ?? 0 };
  });
}

/** Id of the source of a morph's weights, which animations drive. */
export function morphWeightsId(morph: XmlElement): string {
  const source = inputsOf(childOf(morph, "targets")).get("MORPH_WEIGHT")?.source ?? "";
  return source.replace(/^#/, "");
}
