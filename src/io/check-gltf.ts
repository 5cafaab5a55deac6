import { InputError } from "../input-error.ts";
import { componentBytes, typeSize } from "./accessor-types.ts";
import type { GltfAccessor, GltfJson } from "./gltf-json.ts";
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
];

/**
 * Holds every index and range that reading and writing rely on against what is there, so that
 * no later step meets a wild index, a cycle, or a claim larger than the file.
 */
export function checkGltf(source: GltfSource): void {
  const { name, json } = source;
  for (const list of LISTS) {
    const value = json[list];
    if (value === undefined) continue;
    if (!Array.isArray(value) || value.some((item) => typeof item !== "object" || item === null)) {
      throw new InputError(`${name}: "${list}" is not a list of objects; the file is damaged.`);
    }
  }
  checkViews(source);
  checkAccessors(source);
  checkMeshes(name, json);
  checkNodes(name, json);
  checkSkins(name, json);
}

function checkIndex(
  name: string,
  what: string,
  index: unknown,
  list: unknown[] | undefined,
  kind: string,
): void {
  const count = list?.length ?? 0;
  if (Number.isInteger(index) && (index as number) >= 0 && (index as number) < count) return;
  throw new InputError(
    `${name}: ${what} refers to ${kind} ${String(index)}, but the file has ${count}; the file is damaged.`,
  );
}

function checkViews({ name, json, buffers }: GltfSource): void {
  for (const [index, view] of (json.bufferViews ?? []).entries()) {
    checkIndex(name, `buffer view ${index}`, view.buffer, json.buffers, "buffer");
    const start = view.byteOffset ?? 0;
    const packed =
      view.extensions?.EXT_meshopt_compression ?? view.extensions?.KHR_meshopt_compression;
    if (packed) continue;
    if (
      !isCount(start) ||
      !isCount(view.byteLength) ||
      start + view.byteLength > buffers[view.buffer].length
    ) {
      throw new InputError(
        `${name}: buffer view ${index} reaches past the end of buffer ${view.buffer}; the file is cut off or damaged.`,
      );
    }
    if (view.byteStride !== undefined && !(isCount(view.byteStride) && view.byteStride > 0)) {
      throw new InputError(
        `${name}: buffer view ${index} has a stride of ${view.byteStride}; the file is damaged.`,
      );
    }
  }
}

function checkAccessors(source: GltfSource): void {
  const { name, json } = source;
  const held = source.buffers.reduce((sum, buffer) => sum + buffer.length, 0);
  for (const [index, accessor] of (json.accessors ?? []).entries()) {
    const what = `accessor ${index}`;
    const size = typeSize(accessor.type);
    const bytes = componentBytes(accessor.componentType);
    if (!size || !bytes || !isCount(accessor.count)) {
      throw new InputError(`${name}: ${what} has an unknown type or count; the file is damaged.`);
    }
    if (accessor.bufferView !== undefined) {
      checkIndex(name, what, accessor.bufferView, json.bufferViews, "buffer view");
      const view = json.bufferViews![accessor.bufferView];
      const stride = view.byteStride ?? size * bytes;
      const start = accessor.byteOffset ?? 0;
      const end =
        accessor.count === 0 ? start : start + (accessor.count - 1) * stride + size * bytes;
      if (!isCount(start) || end > view.byteLength)
        throw tooLarge(name, index, end, view.byteLength);
    } else if (accessor.count > held && !usedByDraco(json, index)) {
      // Zeros need no bytes, but a character of that many vertices would need at least one each.
      throw tooLarge(name, index, accessor.count * size * bytes, held);
    }
    if (accessor.sparse) checkSparse(name, json, accessor, index);
  }
}

function usedByDraco(json: GltfJson, accessor: number): boolean {
  return (json.meshes ?? []).some((mesh) =>
    (mesh.primitives ?? []).some(
      (p) =>
        p.extensions?.KHR_draco_mesh_compression &&
        (p.indices === accessor || Object.values(p.attributes ?? {}).includes(accessor)),
    ),
  );
}

function checkSparse(name: string, json: GltfJson, accessor: GltfAccessor, index: number): void {
  const { count, indices, values } = accessor.sparse!;
  const what = `the sparse part of accessor ${index}`;
  checkIndex(name, what, indices?.bufferView, json.bufferViews, "buffer view");
  checkIndex(name, what, values?.bufferView, json.bufferViews, "buffer view");
  const indexBytes = componentBytes(indices.componentType) ?? 4;
  const valueBytes = typeSize(accessor.type)! * componentBytes(accessor.componentType)!;
  const fits = (view: number, offset: number, size: number) =>
    isCount(count) && offset + count * size <= json.bufferViews![view].byteLength;
  if (
    count > accessor.count ||
    !fits(indices.bufferView, indices.byteOffset ?? 0, indexBytes) ||
    !fits(values.bufferView, values.byteOffset ?? 0, valueBytes)
  ) {
    throw new InputError(`${name}: ${what} reaches past its data; the file is damaged.`);
  }
}

function checkMeshes(name: string, json: GltfJson): void {
  for (const [m, mesh] of (json.meshes ?? []).entries()) {
    if (!Array.isArray(mesh.primitives)) {
      throw new InputError(`${name}: mesh ${m} has no primitives; the file is damaged.`);
    }
    for (const [p, primitive] of mesh.primitives.entries()) {
      const what = `primitive ${p} of mesh ${m}`;
      for (const set of [primitive.attributes ?? {}, ...(primitive.targets ?? [])]) {
        for (const accessor of Object.values(set))
          checkIndex(name, what, accessor, json.accessors, "accessor");
      }
      if (primitive.indices !== undefined) {
        checkIndex(name, what, primitive.indices, json.accessors, "accessor");
      }
    }
  }
}

function checkNodes(name: string, json: GltfJson): void {
  const nodes = json.nodes ?? [];
  const parents = new Int32Array(nodes.length).fill(-1);
  for (const [n, node] of nodes.entries()) {
    if (node.mesh !== undefined) checkIndex(name, `node ${n}`, node.mesh, json.meshes, "mesh");
    if (node.skin !== undefined) checkIndex(name, `node ${n}`, node.skin, json.skins, "skin");
    for (const child of node.children ?? []) {
      checkIndex(name, `node ${n}`, child, nodes, "node");
      if (parents[child] >= 0 || child === n) throw cyclic(name, child);
      parents[child] = n;
    }
  }
  for (const scene of json.scenes ?? []) {
    for (const root of scene.nodes ?? []) checkIndex(name, "a scene", root, nodes, "node");
  }
  // Each node has one parent now, so only a chain that never ends can be a cycle.
  for (let start = 0; start < nodes.length; start++) {
    let steps = 0;
    for (let at = start; at >= 0; at = parents[at]) {
      if (++steps > nodes.length) throw cyclic(name, start);
    }
  }
}

function checkSkins(name: string, json: GltfJson): void {
  for (const [s, skin] of (json.skins ?? []).entries()) {
    if (!Array.isArray(skin.joints))
      throw new InputError(`${name}: skin ${s} has no joints; the file is damaged.`);
    for (const joint of skin.joints) checkIndex(name, `skin ${s}`, joint, json.nodes, "node");
    if (skin.inverseBindMatrices === undefined) continue;
    checkIndex(name, `skin ${s}`, skin.inverseBindMatrices, json.accessors, "accessor");
    const accessor = json.accessors![skin.inverseBindMatrices];
    if (accessor.type !== "MAT4" || accessor.count < skin.joints.length) {
      throw new InputError(
        `${name}: skin ${s} has ${skin.joints.length} joints but ${accessor.count} inverse bind matrices; the file is damaged.`,
      );
    }
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function tooLarge(name: string, index: number, wanted: number, found: number): InputError {
  return new InputError(
    `${name}: accessor ${index} claims ${wanted} bytes where the file has ${found}; it is cut off or damaged.`,
  );
}

function cyclic(name: string, node: number): InputError {
  return new InputError(
    `${name}: node ${node} is its own ancestor or has two parents; the hierarchy must be a tree, export it again.`,
  );
}
