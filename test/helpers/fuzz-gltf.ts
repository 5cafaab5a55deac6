import type { Random } from "../../src/math/random.ts";
import { below, manyOf, pick } from "./fuzz-values.ts";

// biome-ignore lint/suspicious/noExplicitAny: the fuzzer damages files in every possible way
type Json = any;

/** A change to the JSON of a glTF; `size` is the number of bytes of its binary chunk. */
type Change = (json: Json, random: Random, size: number) => void;

/** Properties that hold an index, with the list they point into. */
const INDEX_LISTS: Record<string, string> = {
  mesh: "meshes",
  skin: "skins",
  skeleton: "nodes",
  node: "nodes",
  indices: "accessors",
  POSITION: "accessors",
  NORMAL: "accessors",
  JOINTS_0: "accessors",
  WEIGHTS_0: "accessors",
  inverseBindMatrices: "accessors",
  input: "accessors",
  output: "accessors",
  sampler: "samplers",
  bufferView: "bufferViews",
  buffer: "buffers",
  material: "materials",
  source: "images",
  index: "textures",
};

const SIZES = ["count", "byteLength", "byteOffset", "byteStride"];
const COUNTS = [-1, 0, 1, 2, 3, 65536, 1e6, 2 ** 31 - 1, 2 ** 32, 1e9, 1e15, 2 ** 53, -1e9, 0.5];
const TYPES = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4", "toString", "VEC5"];
const COMPONENTS = [5120, 5121, 5122, 5123, 5125, 5126, 5124, 0];
const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
const FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", undefined];

/** Every object of a JSON document, including arrays. */
function objectsOf(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsOf)];
}

const entry = (json: Json, list: string, random: Random): Json | undefined =>
  json[list]?.length > 0 ? pick(random, json[list]) : undefined;
const indexIn = (json: Json, list: string, random: Random): number =>
  below(random, json[list]?.length ?? 1);
const copyOf = (value: Json): Json => JSON.parse(JSON.stringify(value));

/** Points an index at another entry of its list, at the end of it, or out of range. */
const swapIndex: Change = (json, random) => {
  const holders = objectsOf(json).filter((o) => Object.keys(o).some((key) => key in INDEX_LISTS));
  if (holders.length === 0) return;
  const holder = pick(random, holders);
  const key = pick(
    random,
    Object.keys(holder).filter((name) => name in INDEX_LISTS),
  );
  const count = json[INDEX_LISTS[key]]?.length ?? 1;
  holder[key] = random() < 0.8 ? below(random, count) : pick(random, [count, -1, 1e9, 0.5]);
};

const changeSize: Change = (json, random) => {
  const holders = objectsOf(json).filter((o) => SIZES.some((key) => key in o));
  if (holders.length === 0) return;
  pick(random, holders)[pick(random, SIZES)] = pick(random, COUNTS);
};

/** An accessor without a view is all zeros, however long. */
const emptyAccessor: Change = (json, random) => {
  const accessor = entry(json, "accessors", random);
  if (!accessor) return;
  delete accessor.bufferView;
  accessor.count = pick(random, [...COUNTS, 1e4, 1e5, 3e5]);
};

const retypeAccessor: Change = (json, random) => {
  const accessor = entry(json, "accessors", random);
  if (!accessor) return;
  if (random() < 0.5) accessor.type = pick(random, TYPES);
  else accessor.componentType = pick(random, COMPONENTS);
  if (random() < 0.3) accessor.normalized = random() < 0.5;
};

const addSparse: Change = (json, random) => {
  const accessor = entry(json, "accessors", random);
  if (!accessor) return;
  if (random() < 0.5) delete accessor.bufferView;
  if (random() < 0.3) accessor.count = pick(random, COUNTS);
  accessor.sparse = {
    count: random() < 0.6 ? 1 + below(random, 8) : pick(random, COUNTS),
    indices: {
      bufferView: indexIn(json, "bufferViews", random),
      componentType: pick(random, COMPONENTS),
      ...(random() < 0.3 ? { byteOffset: pick(random, COUNTS) } : {}),
    },
    values: { bufferView: indexIn(json, "bufferViews", random) },
  };
};

const addTargets: Change = (json, random) => {
  const mesh = entry(json, "meshes", random);
  const primitive = mesh?.primitives && pick<Json>(random, mesh.primitives);
  if (!primitive) return;
  const count = manyOf(random);
  const accessor = () =>
    random() < 0.6 ? (primitive.attributes?.POSITION ?? 0) : indexIn(json, "accessors", random);
  primitive.targets = Array.from({ length: count }, () => ({ POSITION: accessor() }));
  if (random() < 0.3) mesh.weights = new Array(pick(random, [0, 1, count, 50_000])).fill(1);
};

const cycle: Change = (json, random) => {
  const node = entry(json, "nodes", random);
  if (!node) return;
  const child = indexIn(json, "nodes", random);
  node.children = [...(Array.isArray(node.children) ? node.children : []), child];
  if (random() < 0.3) node.children.push(...new Array(manyOf(random)).fill(child));
};

/** A chain of nodes, each below the previous one, or a fan. */
const growNodes: Change = (json, random) => {
  if (!Array.isArray(json.nodes) || json.nodes.length === 0) return;
  const [first, count, isLine] = [json.nodes.length, manyOf(random), random() < 0.5];
  for (let i = 0; i < count; i++) {
    json.nodes.push(isLine && i + 1 < count ? { children: [first + i + 1] } : {});
  }
  const below_ = isLine ? [first] : Array.from({ length: count }, (_, i) => first + i);
  const parent = pick<Json>(random, json.nodes.slice(0, first));
  parent.children = [...(Array.isArray(parent.children) ? parent.children : []), ...below_];
  const skin = random() < 0.5 && entry(json, "skins", random);
  if (skin && Array.isArray(skin.joints)) {
    skin.joints.push(...Array.from({ length: count }, (_, i) => first + i));
    if (random() < 0.8) delete skin.inverseBindMatrices;
  }
};

/** The same mesh in many visible nodes. */
const growInstances: Change = (json, random) => {
  if (!Array.isArray(json.nodes)) return;
  const like = json.nodes.find((node: Json) => node?.mesh !== undefined);
  const scene = json.scenes?.[0];
  if (!like || !Array.isArray(scene?.nodes)) return;
  for (let n = manyOf(random); n > 0; n--) scene.nodes.push(json.nodes.push({ ...like }) - 1);
};

/** Repeats one entry of any list of the file. */
const repeatEntry: Change = (json, random) => {
  const lists = objectsOf(json).filter((o) => Array.isArray(o) && o.length > 0);
  if (lists.length === 0) return;
  const list = pick(random, lists);
  const like = pick<Json>(random, list);
  for (let n = manyOf(random); n > 0; n--) list.push(like);
};

const duplicateNames: Change = (json, random) => {
  const name = pick(random, ["same", "", "__proto__", "constructor", "x".repeat(5000), "a\0b", 7]);
  const list = pick(random, ["nodes", "meshes", "materials", "animations"]);
  for (const each of json[list] ?? []) if (each) each.name = name;
};

const duplicateJoints: Change = (json, random) => {
  const skin = entry(json, "skins", random);
  if (!Array.isArray(skin?.joints)) return;
  skin.joints = skin.joints.map(() => pick(random, skin.joints));
  if (random() < 0.3) skin.skeleton = indexIn(json, "nodes", random);
};

const addDraco: Change = (json, random) => {
  const primitive = entry(json, "meshes", random)?.primitives?.[0];
  if (!primitive) return;
  primitive.extensions = {
    KHR_draco_mesh_compression: {
      bufferView: indexIn(json, "bufferViews", random),
      attributes: { POSITION: pick(random, [0, 1, -1, 1e9]), JOINTS_0: 1, WEIGHTS_0: 2 },
    },
  };
};

const addMeshopt: Change = (json, random, size) => {
  const view = entry(json, "bufferViews", random);
  if (!view) return;
  const byteStride = pick(random, [1, 2, 4, 8, 12, 16, 256, 0, -4, 1e9]);
  const count = random() < 0.5 ? 1 + below(random, 5000) : pick(random, COUNTS);
  if (random() < 0.7) view.byteLength = count * byteStride;
  view.extensions = {
    EXT_meshopt_compression: {
      buffer: 0,
      byteOffset: below(random, size),
      byteLength: random() < 0.7 ? below(random, size) : pick(random, COUNTS),
      byteStride,
      count,
      mode: pick(random, MODES),
      filter: pick(random, FILTERS),
    },
  };
};

const changeMode: Change = (json, random) => {
  const primitive = entry(json, "meshes", random)?.primitives?.[0];
  if (primitive) primitive.mode = below(random, 9) - 1;
};

/** Many primitives with different attributes, so that they share no vertices. */
const growPrimitives: Change = (json, random) => {
  const mesh = entry(json, "meshes", random);
  if (!Array.isArray(mesh?.primitives) || mesh.primitives.length === 0) return;
  const like = mesh.primitives[0];
  for (let n = manyOf(random, 4000); n > 0; n--) {
    const own = copyOf(like);
    own.attributes = { ...own.attributes, [`JOINTS_${n}`]: indexIn(json, "accessors", random) };
    mesh.primitives.push(own);
  }
};

const growAnimation: Change = (json, random) => {
  const clip = entry(json, "animations", random);
  if (!clip) return;
  const count = manyOf(random);
  clip.channels = Array.from({ length: count }, () => ({
    sampler: below(random, clip.samplers?.length ?? 1),
    target: {
      node: indexIn(json, "nodes", random),
      path: pick(random, ["rotation", "translation", "scale", "weights", "x"]),
    },
  }));
};

const changeTransform: Change = (json, random) => {
  const node = entry(json, "nodes", random);
  if (!node) return;
  const value = pick(random, [0, 1e38, -1, 1e-38, 1e308, null, "1"]);
  const key = pick(random, ["scale", "rotation", "translation", "matrix"]);
  node[key] = new Array({ matrix: 16, rotation: 4 }[key as string] ?? 3).fill(value);
};

const addInstancing: Change = (json, random) => {
  const node = json.nodes?.find((each: Json) => each?.mesh !== undefined);
  if (!node) return;
  node.extensions = {
    EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: indexIn(json, "accessors", random) } },
  };
};

const CHANGES: readonly Change[] = [
  swapIndex,
  swapIndex,
  swapIndex,
  changeSize,
  changeSize,
  emptyAccessor,
  retypeAccessor,
  addSparse,
  addSparse,
  addTargets,
  cycle,
  growNodes,
  growInstances,
  repeatEntry,
  repeatEntry,
  duplicateNames,
  duplicateJoints,
  addDraco,
  addMeshopt,
  changeMode,
  growPrimitives,
  growAnimation,
  changeTransform,
  addInstancing,
];

/** Changes the structure of a glTF's JSON in one to three ways. */
export function changeGltf(text: string, random: Random, size: number): string {
  let out = text;
  for (let n = 1 + below(random, 3); n > 0 && out.length < 2e6; n--) {
    const json = JSON.parse(out);
    pick(random, CHANGES)(json, random, size);
    out = JSON.stringify(json);
  }
  return out;
}
