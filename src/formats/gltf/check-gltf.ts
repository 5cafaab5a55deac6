import { InputError } from "../../input-error.ts";
import { badExport, damaged } from "../losses.ts";
import { COMPONENTS, TYPE_SIZES } from "./accessors.ts";
import { entry, type GltfAccessor, type GltfJson, type GltfNode, meshoptOf } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";

const LISTS = [
  "nodes",
  "meshes",
  "skins",
  "accessors",
  "bufferViews",
  "buffers",
  "scenes",
  "animations",
  "images",
];

/** Rejects a JSON whose lists are not lists of objects (or of names), before anything reads them. */
export function checkLists(name: string, json: GltfJson): void {
  const check = (list: string, what: string, isOne: (value: unknown) => boolean) => {
    const value = json[list];
    if (value === undefined || (Array.isArray(value) && value.every(isOne))) return;
    throw damaged(name, `"${list}" is not a list of ${what}`);
  };
  for (const list of LISTS) check(list, "objects", isObject);
  for (const list of ["extensionsUsed", "extensionsRequired"]) check(list, "names", isText);
}

/**
 * Checks every index and range that reading and writing rely on, so that no later step meets an index out of
 * range, a cycle, or a claim larger than the file.
 */
export function checkGltf(source: GltfSource): void {
  const { name, json } = source;
  checkLists(name, json);
  checkViews(source);
  checkAccessors(source);
  checkMeshes(name, json);
  checkNodes(name, json);
  checkSkins(name, json);
  checkAnimations(name, json);
}

/** @param kind kind of the list's items, for the message */
function checkIndices(
  name: string,
  what: string,
  indices: unknown[],
  list: unknown[] | undefined,
  kind: string,
): void {
  const count = list?.length ?? 0;
  const bad = indices.findIndex((index) => !isCount(index) || index >= count);
  if (bad < 0) return;
  throw damaged(
    name,
    `${what} refers to ${kind} ${String(indices[bad])}, but the file has ${count}`,
  );
}

/** The list of an index that may be absent. */
function optional(index: unknown): unknown[] {
  return index === undefined ? [] : [index];
}

function checkViews({ name, json, buffers }: GltfSource): void {
  for (const [index, view] of (json.bufferViews ?? []).entries()) {
    checkIndices(name, `buffer view ${index}`, [view.buffer], json.buffers, "buffer");
    const start = view.byteOffset ?? 0;
    if (meshoptOf(view)) continue;
    const size = isCount(start) && isCount(view.byteLength) ? start + view.byteLength : Infinity;
    if (size > buffers[view.buffer].length) {
      throw new InputError(
        `${name}: buffer view ${index} exceeds buffer ${view.buffer}; the file is truncated or damaged.`,
      );
    }
    if (view.byteStride !== undefined && !(isCount(view.byteStride) && view.byteStride > 0)) {
      throw damaged(name, `buffer view ${index} has a stride of ${view.byteStride}`);
    }
  }
}

function checkAccessors(source: GltfSource): void {
  const { name, json } = source;
  const held = source.buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  const packed = dracoAccessors(json);
  for (const [index, accessor] of (json.accessors ?? []).entries()) {
    const what = `accessor ${index}`;
    const size = TYPE_SIZES[accessor.type];
    const bytes = COMPONENTS[accessor.componentType]?.bytes;
    if (!size || !bytes || !isCount(accessor.count)) {
      throw damaged(name, `${what} has an unknown type or count`);
    }
    if (accessor.bufferView !== undefined) {
      checkIndices(name, what, [accessor.bufferView], json.bufferViews, "buffer view");
      const view = entry(json, "bufferViews", accessor.bufferView);
      const stride = view.byteStride ?? size * bytes;
      const start = accessor.byteOffset ?? 0;
      const end =
        accessor.count === 0 ? start : start + (accessor.count - 1) * stride + size * bytes;
      if (!isCount(start) || end > view.byteLength)
        throw tooLarge(name, index, end, view.byteLength);
    } else if (accessor.count > held && !packed.has(index)) {
      // Zeros need no bytes, but a character with that many vertices would need at least one each.
      throw tooLarge(name, index, accessor.count * size * bytes, held);
    }
    if (accessor.sparse) checkSparse(name, json, accessor, index);
  }
}

function dracoAccessors(json: GltfJson): Set<number | undefined> {
  return new Set(
    (json.meshes ?? [])
      .flatMap(({ primitives }) => (Array.isArray(primitives) ? primitives : []))
      .filter((p) => p?.extensions?.KHR_draco_mesh_compression)
      .flatMap((p) => [p.indices, ...Object.values(p.attributes ?? {})]),
  );
}

function checkSparse(name: string, json: GltfJson, accessor: GltfAccessor, index: number): void {
  const what = `the sparse part of accessor ${index}`;
  const tooShort = damaged(name, `${what} exceeds its data`);
  const { count, indices, values } = accessor.sparse!;
  if (!isObject(indices) || !isObject(values)) throw tooShort;
  const views = [indices.bufferView, values.bufferView];
  checkIndices(name, what, views, json.bufferViews, "buffer view");
  const indexBytes = COMPONENTS[indices.componentType]?.bytes;
  const valueBytes = TYPE_SIZES[accessor.type] * COMPONENTS[accessor.componentType].bytes;
  if (!indexBytes || !isCount(count) || count > accessor.count) throw tooShort;
  for (const [part, size] of [
    [indices, indexBytes],
    [values, valueBytes],
  ] as const) {
    const offset = part.byteOffset ?? 0;
    const room = entry(json, "bufferViews", part.bufferView).byteLength;
    if (!isCount(offset) || offset + count * size > room) throw tooShort;
  }
}

function checkMeshes(name: string, json: GltfJson): void {
  for (const [m, mesh] of (json.meshes ?? []).entries()) {
    if (!Array.isArray(mesh.primitives) || !mesh.primitives.every(isObject)) {
      throw damaged(name, `mesh ${m} has no primitives`);
    }
    for (const [p, primitive] of mesh.primitives.entries()) {
      const what = `primitive ${p} of mesh ${m}`;
      checkList(name, what, "targets", primitive.targets);
      const sets = [primitive.attributes, ...(primitive.targets ?? [])];
      if (!sets.every(isObject)) throw damaged(name, `${what} has no attributes`);
      const used = [...sets.flatMap(Object.values), ...optional(primitive.indices)];
      checkIndices(name, what, used, json.accessors, "accessor");
    }
  }
}

function checkNodes(name: string, json: GltfJson): void {
  const nodes = json.nodes ?? [];
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [n, node] of nodes.entries()) {
    checkIndices(name, `node ${n}`, optional(node.mesh), json.meshes, "mesh");
    checkIndices(name, `node ${n}`, optional(node.skin), json.skins, "skin");
    checkList(name, `node ${n}`, "children", node.children);
    checkNumbers(name, n, node);
    checkIndices(name, `node ${n}`, node.children ?? [], nodes, "node");
    for (const child of node.children ?? []) {
      if (parents[child] >= 0 || child === n) throw cyclic(name, child);
      parents[child] = n;
    }
  }
  checkIndices(name, "the file", optional(json.scene), json.scenes, "scene");
  for (const scene of json.scenes ?? []) {
    checkList(name, "a scene", "nodes", scene.nodes);
    checkIndices(name, "a scene", scene.nodes ?? [], nodes, "node");
  }
  // Each node has at most one parent here, so a node that no root reaches is part of a cycle.
  const reached = nodes.map((_, n) => n).filter((n) => parents[n] < 0);
  for (let at = 0; at < reached.length; at++) {
    for (const child of nodes[reached[at]].children ?? []) reached.push(child);
  }
  if (reached.length < nodes.length) {
    const found = new Set(reached);
    throw cyclic(
      name,
      nodes.findIndex((_, n) => !found.has(n)),
    );
  }
}

function checkAnimations(name: string, json: GltfJson): void {
  for (const [a, { samplers, channels }] of (json.animations ?? []).entries()) {
    const what = `animation ${a}`;
    const isValid =
      [samplers, channels].every((list) => Array.isArray(list) && list.every(isObject)) &&
      channels.every(({ target }) => isObject(target));
    if (!isValid) throw damaged(name, `${what} has no samplers or channels`);
    const keys = samplers.flatMap(({ input, output }) => [input, output]);
    checkIndices(name, what, keys, json.accessors, "accessor");
    for (const { sampler, target } of channels) {
      checkIndices(name, what, [sampler], samplers, "sampler");
      checkIndices(name, what, optional(target.node), json.nodes, "node");
    }
  }
}

function checkSkins(name: string, json: GltfJson): void {
  for (const [s, skin] of (json.skins ?? []).entries()) {
    if (!Array.isArray(skin.joints)) throw damaged(name, `skin ${s} has no joints`);
    checkIndices(name, `skin ${s}`, skin.joints, json.nodes, "node");
    if (skin.inverseBindMatrices === undefined) continue;
    checkIndices(name, `skin ${s}`, [skin.inverseBindMatrices], json.accessors, "accessor");
    const accessor = entry(json, "accessors", skin.inverseBindMatrices);
    if (accessor.type !== "MAT4" || accessor.count < skin.joints.length) {
      const counts = `${skin.joints.length} joints but ${accessor.count} inverse bind matrices`;
      throw damaged(name, `skin ${s} has ${counts}`);
    }
  }
}

function checkList(name: string, what: string, key: string, value: unknown): void {
  if (value === undefined || Array.isArray(value)) return;
  throw damaged(name, `"${key}" of ${what} is not a list`);
}

const SIZES = { matrix: 16, translation: 3, rotation: 4, scale: 3 };

function checkNumbers(name: string, index: number, node: GltfNode): void {
  for (const [key, count] of Object.entries(SIZES)) {
    const value = node[key];
    if (value === undefined) continue;
    if (Array.isArray(value) && value.length === count && value.every(Number.isFinite)) continue;
    throw badExport(name, `"${key}" of node ${index} is not ${count} numbers`);
  }
  if (node.name !== undefined && !isText(node.name)) {
    throw damaged(name, `the name of node ${index} is not a string`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function tooLarge(name: string, index: number, wanted: number, found: number): InputError {
  return new InputError(
    `${name}: accessor ${index} needs ${wanted} bytes, but the file has ${found}; it is truncated or damaged.`,
  );
}

function cyclic(name: string, node: number): InputError {
  return new InputError(
    `${name}: node ${node} is its own ancestor or has two parents; the hierarchy must be a tree, export it again.`,
  );
}
