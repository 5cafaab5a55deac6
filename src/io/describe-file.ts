import { influenceHistogram } from "../weights/influence-histogram.ts";
import type { CharacterFile } from "./character-file.ts";

/** One mesh of a file. */
export interface MeshDescription {
  name: string;
  vertices: number;
  triangles: number;
  /** Whether the character is made of it; others are attachments or scenery. */
  isBound: boolean;
}

/** What a file holds, for people and for `inspect --json`. */
export interface FileDescription {
  name: string;
  format: string;
  meshes: MeshDescription[];
  /** Of the character. */
  vertices: number;
  /** Of the character. */
  triangles: number;
  joints: number;
  /** Joints with any weight. */
  weightedJoints: number;
  /** Joints without parent. */
  roots: number;
  skins: number;
  animations: number;
  materials: number;
  textures: number;
  morphTargets: number;
  extensions: string[];
  /** Entry n counts the vertices with n influences; empty without weights. */
  influences: number[];
  /** Least and largest corner of the character in its bind space, y up. */
  box: { min: number[]; max: number[] };
  /** From the vertices of each part to the bind space, 16 numbers each. */
  bindSpaces: number[][];
  /** What is odd in the file, a sentence each. */
  oddities: string[];
}

/** Describes a file that was read. */
export function describeFile(file: CharacterFile): FileDescription {
  const { character, source, parts } = file;
  const { json } = source;
  const { weights, skeleton, mesh } = character;
  const primitives = (json.meshes ?? []).flatMap((m) => m.primitives);
  const bindSpaces = new Map(
    parts.map((part) => [part.toCharacter.map((v) => v.toPrecision(5)).join(), part.toCharacter]),
  );
  return {
    name: character.name,
    format: file.format,
    meshes: describeMeshes(file),
    vertices: mesh.positions.length / 3,
    triangles: mesh.triangles.length / 3,
    joints: skeleton.names.length,
    weightedJoints: weights
      ? new Set(weights.joints.filter((_, i) => weights.weights[i] > 0)).size
      : 0,
    roots: skeleton.parents.reduce((count, parent) => count + (parent < 0 ? 1 : 0), 0),
    skins: json.skins?.length ?? 0,
    animations: json.animations?.length ?? 0,
    materials: json.materials?.length ?? 0,
    textures: json.images?.length ?? 0,
    morphTargets: primitives.reduce((most, p) => Math.max(most, p.targets?.length ?? 0), 0),
    extensions: json.extensionsUsed ?? [],
    influences: weights ? influenceHistogram(weights) : [],
    box: boxOf(mesh.positions),
    bindSpaces: [...bindSpaces.values()],
    oddities: [...file.oddities, ...findOddities(file)],
  };
}

function describeMeshes({ source, parts }: CharacterFile): MeshDescription[] {
  const { json } = source;
  return (json.meshes ?? []).map((mesh, index) => {
    const accessors = new Set(
      mesh.primitives.map((p) => p.attributes.POSITION).filter((a) => a !== undefined),
    );
    const corners = mesh.primitives.reduce((sum, { indices, attributes, mode = 4 }) => {
      const accessor = json.accessors?.[indices ?? attributes.POSITION];
      return mode === 4 && accessor ? sum + accessor.count : sum;
    }, 0);
    return {
      name: mesh.name ?? `mesh ${index}`,
      vertices: [...accessors].reduce((sum, a) => sum + json.accessors![a].count, 0),
      triangles: Math.floor(corners / 3),
      isBound: parts.some((part) => part.mesh === index),
    };
  });
}

function boxOf(positions: Float32Array): { min: number[]; max: number[] } {
  if (positions.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    min[i % 3] = Math.min(min[i % 3], value);
    max[i % 3] = Math.max(max[i % 3], value);
  });
  return { min, max };
}

function findOddities(file: CharacterFile): string[] {
  const { character, source, parts } = file;
  const { mesh, skeleton, weights } = character;
  const found: string[] = [];
  const say = (count: number, one: string, many: string) => {
    if (count > 0) found.push(count === 1 ? one : many.replace("#", String(count)));
  };
  const bound = new Set(parts.map((part) => part.mesh));
  const others = (source.json.meshes ?? []).filter((_, index) => !bound.has(index)).length;
  say(
    others,
    "One mesh has no skin and is left as it is.",
    "# meshes have no skin and are left as they are.",
  );
  const repeated = skeleton.names.length - new Set(skeleton.names).size;
  say(repeated, "One joint has the name of another.", "# joints have the name of another.");
  const flat = countFlat(mesh.positions, mesh.triangles);
  say(flat, "One triangle has no area.", "# triangles have no area.");
  const loose = mesh.positions.length / 3 - new Set(mesh.triangles).size;
  say(loose, "One vertex belongs to no triangle.", "# vertices belong to no triangle.");
  if (weights) {
    const bare = influenceHistogram(weights)[0];
    say(bare, "One vertex has no weight.", "# vertices have no weight.");
  }
  if (mesh.positions.length === 0) return found;
  const { min, max } = boxOf(mesh.positions);
  const size = Math.max(...max.map((value, axis) => value - min[axis]));
  const far = countFar(skeleton.positions, min, max, size / 2);
  say(far, "One joint is far outside the mesh.", "# joints are far outside the mesh.");
  return found;
}

function countFlat(positions: Float32Array, triangles: Uint32Array): number {
  let count = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) =>
      positions.subarray(triangles[t + k] * 3, triangles[t + k] * 3 + 3),
    );
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const area = Math.hypot(
      u[1] * v[2] - u[2] * v[1],
      u[2] * v[0] - u[0] * v[2],
      u[0] * v[1] - u[1] * v[0],
    );
    if (area === 0) count++;
  }
  return count;
}

function countFar(joints: Float32Array, min: number[], max: number[], margin: number): number {
  let count = 0;
  for (let j = 0; j < joints.length; j += 3) {
    if (
      [0, 1, 2].some(
        (axis) => joints[j + axis] < min[axis] - margin || joints[j + axis] > max[axis] + margin,
      )
    )
      count++;
  }
  return count;
}
