import type { Steps } from "../../event-loop.ts";
import { joinArrays } from "../../math/arrays.ts";
import { transformPoint } from "../../math/mat4.ts";
import type { Mesh } from "../../mesh/mesh.ts";
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
