import type { Steps } from "../../event-loop.ts";
import { joinArrays } from "../../math/arrays.ts";
import { transformPoint } from "../../math/mat4.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { influenceHistogram } from "../../weights/check-weights.ts";
import { type SkinWeights, weightsFromSlots } from "../../weights/skin-weights.ts";
import { spend } from "../budget.ts";
import { badExport, damaged } from "../losses.ts";
import { pushTo } from "../scene/values.ts";
import { readFloats, readIntegers } from "./accessors.ts";
import { entry, type GltfMesh, type GltfPrimitive } from "./gltf-json.ts";
import type { GltfSource } from "./gltf-source.ts";

const TRIANGLES = 4;
const TRIANGLE_STRIP = 5;
const TRIANGLE_FAN = 6;

/** A mesh of the file and the nodes that show it. */
export interface MeshInstance {
  mesh: number;
  nodes: number[];
  skin: number;
  toCharacter: number[];
}

/** Merges the meshes of a file into one, in character space and in steps; `parts` maps its vertices to the file. */
export function* partSteps(
  source: GltfSource,
  instances: MeshInstance[],
): Steps<{ mesh: Mesh; parts: MeshPart[] }> {
  const parts: MeshPart[] = [];
  const positions: Float32Array[] = [];
  const triangles: Uint32Array[] = [];
  let first = 0;
  for (const instance of instances) {
    const mesh = entry(source.json, "meshes", instance.mesh);
    for (const primitives of sharedVertices(mesh)) {
      const { POSITION } = mesh.primitives[primitives[0]].attributes;
      const { count } = entry(source.json, "accessors", POSITION);
      spend(source.budget, count, "vertices");
      parts.push({ ...instance, primitives, first, count });
      positions.push(readPositions(source, mesh, primitives[0], instance));
      yield;
      for (const p of primitives) {
        const { indices } = mesh.primitives[p];
        const corners =
          indices === undefined ? count : entry(source.json, "accessors", indices).count;
        spend(source.budget, 24 * corners);
        triangles.push(readTriangles(source, instance.mesh, p, first, count));
        yield;
      }
      first += count;
    }
  }
  const mesh = {
    positions: joinArrays(Float32Array, positions),
    triangles: joinArrays(Uint32Array, triangles),
  };
  return { mesh, parts };
}

/** Groups the primitives of a mesh that share positions and weights. */
function sharedVertices(mesh: GltfMesh): number[][] {
  const groups = new Map<string, number[]>();
  mesh.primitives.forEach((primitive, p) => {
    if (primitive.attributes?.POSITION === undefined) return;
    const key = Object.entries(primitive.attributes)
      .filter(([semantic]) => /^(POSITION|JOINTS_\d+|WEIGHTS_\d+)$/.test(semantic))
      .sort()
      .join();
    pushTo(groups, key, p);
  });
  return [...groups.values()];
}

function readPositions(
  source: GltfSource,
  mesh: GltfMesh,
  primitive: number,
  { mesh: meshIndex, toCharacter: m }: MeshInstance,
): Float32Array {
  const accessor = mesh.primitives[primitive].attributes.POSITION;
  if (entry(source.json, "accessors", accessor).type !== "VEC3") {
    throw damaged(
      source.name,
      `the positions of mesh ${meshIndex} are not vectors of three numbers`,
    );
  }
  const local = readFloats(source, accessor);
  const out = new Float32Array(local.length);
  for (let at = 0; at < local.length; at += 3) {
    out.set(transformPoint(m, [local[at], local[at + 1], local[at + 2]]), at);
    if (!Number.isFinite(out[at] + out[at + 1] + out[at + 2])) {
      const where = `vertex ${at / 3} of mesh ${mesh.name ? `"${mesh.name}"` : meshIndex}`;
      throw badExport(source.name, `the position of ${where} is not finite`);
    }
  }
  return out;
}

/** Returns the corners of a primitive as triangles; `first` is added to each. */
export function readTriangles(
  source: GltfSource,
  mesh: number,
  p: number,
  first: number,
  count: number,
): Uint32Array {
  const primitive = entry(source.json, "meshes", mesh).primitives[p];
  const corners =
    primitive.indices === undefined
      ? Uint32Array.from({ length: count }, (_, i) => i)
      : readIntegers(source, primitive.indices);
  const bad = corners.findIndex((corner) => corner >= count);
  if (bad >= 0) {
    const problem = `a triangle of mesh ${mesh} uses vertex ${corners[bad]}, but there are ${count}`;
    throw damaged(source.name, problem);
  }
  return asTriangles(corners, primitive).map((corner) => corner + first);
}

function asTriangles(corners: Uint32Array, { mode = TRIANGLES }: GltfPrimitive): Uint32Array {
  if (mode === TRIANGLES) return corners.slice(0, corners.length - (corners.length % 3));
  if (mode !== TRIANGLE_STRIP && mode !== TRIANGLE_FAN) return new Uint32Array(0);
  const count = Math.max(corners.length - 2, 0);
  const out = new Uint32Array(count * 3);
  for (let t = 0; t < count; t++) {
    const isFlipped = mode === TRIANGLE_STRIP && t % 2 === 1;
    out[t * 3] = corners[mode === TRIANGLE_FAN ? 0 : t];
    out[t * 3 + 1] = corners[isFlipped ? t + 2 : t + 1];
    out[t * 3 + 2] = corners[isFlipped ? t + 1 : t + 2];
  }
  return out;
}

/** A range of a character's vertices: the primitives of one mesh that share their vertex data. */
export interface MeshPart {
  mesh: number;
  primitives: number[];
  /** The nodes that show the mesh with these weights. */
  nodes: number[];
  /** Index of the skin in the file, -1 if the mesh has none yet. */
  skin: number;
  /** From the file's vertices to character space, 16 numbers. */
  toCharacter: number[];
  /** First vertex in Character.mesh. */
  first: number;
  count: number;
}

/**
 * In steps: reads the weights of a file from all its JOINTS_n and WEIGHTS_n sets, as joints of the rig: duplicate
 * joints of a vertex merged, rows sorted and normalized. A vertex without weights has a row of zeros.
 *
 * @param jointOf by skin: the rig joint of each joint index of the skin
 * @returns undefined if no vertex has any weight
 */
export function* weightSteps(
  source: GltfSource,
  parts: MeshPart[],
  jointOf: Map<number, Int32Array>,
): Steps<SkinWeights | undefined> {
  const sets = parts.map((part) => readSets(source, part));
  yield;
  const slots = 4 * sets.reduce((max, own) => Math.max(max, own.length), 0);
  if (slots === 0) return undefined;
  const vertices = parts.reduce((sum, part) => sum + part.count, 0);
  spend(source.budget, vertices * slots * 16);
  const joints = new Int32Array(vertices * slots).fill(-1);
  const weights = new Float32Array(vertices * slots);
  for (const [p, part] of parts.entries()) {
    const toRig = jointOf.get(part.skin)!;
    for (const [n, set] of sets[p].entries()) {
      for (let i = 0; i < part.count * 4; i++) {
        const at = (part.first + Math.floor(i / 4)) * slots + n * 4 + (i % 4);
        if (!(set.weights[i] > 0)) continue;
        const joint = set.joints[i];
        if (joint >= toRig.length) {
          const vertex = `vertex ${Math.floor(i / 4)} of mesh ${part.mesh}`;
          const problem = `is weighted to joint ${joint}, but its skin has ${toRig.length}`;
          throw damaged(source.name, `${vertex} ${problem}`);
        }
        joints[at] = toRig[joint];
        weights[at] = set.weights[i];
      }
      yield;
    }
  }
  const rows = weightsFromSlots(joints, weights, slots);
  yield;
  return trimSlots(rows);
}

function trimSlots(weights: SkinWeights): SkinWeights | undefined {
  const { influences } = weights;
  const used = influenceHistogram(weights).findLastIndex((count) => count > 0);
  if (used < 1) return undefined;
  return {
    influences: used,
    joints: weights.joints.filter((_, slot) => slot % influences < used),
    weights: weights.weights.filter((_, slot) => slot % influences < used),
  };
}

interface WeightSet {
  joints: Uint32Array;
  weights: Float32Array;
}

function readSets(source: GltfSource, { mesh, primitives, count }: MeshPart): WeightSet[] {
  const primitive = entry(source.json, "meshes", mesh).primitives[primitives[0]];
  const sets: WeightSet[] = [];
  for (let n = 0; ; n++) {
    const joints = primitive.attributes[`JOINTS_${n}`];
    const weights = primitive.attributes[`WEIGHTS_${n}`];
    if (joints === undefined || weights === undefined) return sets;
    const accessors = [joints, weights].map((index) => entry(source.json, "accessors", index));
    if (accessors.some((accessor) => accessor.type !== "VEC4" || accessor.count !== count)) {
      throw damaged(source.name, `JOINTS_${n} or WEIGHTS_${n} is not one VEC4 per vertex`);
    }
    spend(source.budget, count * 32);
    sets.push({ joints: readIntegers(source, joints), weights: readFloats(source, weights) });
  }
}

/** Returns the parts of the meshes with weights that each node shows. */
export function partsByNode(parts: readonly MeshPart[]): Map<number, MeshPart[]> {
  const map = new Map<number, MeshPart[]>();
  for (const part of parts) for (const node of part.nodes) pushTo(map, node, part);
  return map;
}
