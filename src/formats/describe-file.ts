import { weldedMesh } from "../character/prepare-character.ts";
import { boundsOf } from "../math/aabb.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { deformingJoints } from "../skeleton/deforming-joints.ts";
import { checkWeights, influenceHistogram } from "../weights/check-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import type { GltfJson } from "./gltf/gltf-json.ts";
import { type Loss, type Losses, listLosses, lose } from "./losses.ts";
import type { OutputFormat } from "./registry.ts";

/** What there is to know about a character's file, as plain data. */
export interface FileDescription {
  name: string;
  format: string;
  meshes: number;
  vertices: number;
  /** Vertices at different places: seams counted once. */
  places: number;
  triangles: number;
  /** Triangles of fewer than three places, once seams are closed. */
  emptyTriangles: number;
  /** Pieces of the mesh that hang together, once seams are closed. */
  pieces: number;
  joints: number;
  roots: number;
  /** Where the joints are those of a control rig: its convention, and how many joints deform. */
  rig?: { convention: string; deforming: number };
  /** Box around the mesh in its bind pose, y up, in the units of the file; absent without a mesh. */
  box?: { min: number[]; max: number[] };
  /** Box around the joints; absent without joints. */
  jointBox?: { min: number[]; max: number[] };
  /** How many of each kind of thing it has besides mesh and skeleton. */
  besides: {
    materials: number;
    pictures: number;
    shapes: number;
    animations: number;
    cameras: number;
  };
  /** Weights the file came with: entry n counts the vertices with n influences. */
  influences?: number[];
  /** Rules those weights break, and whatever else is odd in the file; a sentence each. */
  oddities: string[];
}

/** Sums up a character's file. */
export function describeFile({
  character,
  format,
  parts,
  source,
  oddities,
}: CharacterFile): FileDescription {
  const { mesh, skeleton, weights, name } = character;
  const box = boundsOf(mesh.positions);
  const { count, triangles } = weldedMesh(mesh);
  const vertices = mesh.positions.length / 3;
  const joints = skeleton.parents.length;
  const summary: FileDescription = {
    name,
    format,
    meshes: new Set(parts.map((part) => part.mesh)).size,
    vertices,
    places: count,
    triangles: mesh.triangles.length / 3,
    emptyTriangles: mesh.triangles.length / 3 - triangles.length / 3,
    pieces: connectedComponents(vertexNeighbors(triangles, count)).count,
    joints,
    roots: skeleton.parents.filter((parent) => parent < 0).length,
    besides: contentsOf(source.json),
    oddities: [...oddities],
  };
  const { convention, deforming } = deformingJoints(skeleton);
  if (convention)
    summary.rig = { convention, deforming: deforming.filter((is) => is === 1).length };
  if (vertices > 0) summary.box = box;
  if (joints > 0) summary.jointBox = boundsOf(skeleton.positions);
  if (weights) {
    summary.influences = influenceHistogram(weights);
    const problems = checkWeights(weights, vertices, joints);
    summary.oddities.push(...problems.map(({ message }) => `Weights of the file: ${message}`));
  }
  return summary;
}

function contentsOf(json: GltfJson): FileDescription["besides"] {
  const { materials, images, animations, cameras, meshes } = json;
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  // All primitives of a mesh have the same shapes.
  const shapes = (meshes ?? []).map(({ primitives }) => count(primitives[0]?.targets));
  return {
    materials: count(materials),
    pictures: count(images),
    shapes: shapes.reduce((sum, each) => sum + each, 0),
    animations: count(animations),
    cameras: count(cameras),
  };
}

/**
 * What a file has that the output will not hold: nothing where it is edited in its own format, what the
 * reader does not take where it becomes glTF, all but joints and weights where it becomes RigNet's text.
 */
export function fileLosses(
  { source, character }: CharacterFile,
  format: OutputFormat | "txt",
): Loss[] {
  if (format === "fbx" || format === "dae") return [];
  const losses: Losses = new Map(source.lost);
  if (format === "txt") {
    const { meshes, materials, images, animations, cameras } = source.json;
    for (const [what, list] of Object.entries({ meshes, materials, images, animations, cameras })) {
      lose(losses, what, Array.isArray(list) ? list.length : 0);
    }
    lose(losses, "turns and sizes of joints", character.skeleton.names.length);
  }
  return listLosses(losses);
}

/** Losses for people: "area lights: 3, constraints: 1"; "nothing" where there are none. */
export function lossText(losses: Loss[]): string {
  if (losses.length === 0) return "nothing";
  return losses.map(({ what, count }) => `${what}: ${count}`).join(", ");
}

/** Losses as a note, for commands without a report; nothing where there are none. */
export function lossNotes(losses: Loss[]): string[] {
  return losses.length > 0
    ? [`The output does not hold all of the input: ${lossText(losses)}.`]
    : [];
}
