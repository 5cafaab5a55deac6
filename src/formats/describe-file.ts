import { weldedMesh } from "../character/prepare-character.ts";
import { boundsOf } from "../math/aabb.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { deformingJoints } from "../skeleton/deforming-joints.ts";
import { checkWeights, influenceHistogram } from "../weights/check-weights.ts";
import type { CharacterFile } from "./character-file.ts";
import { lossesAsNew } from "./fbx/new-losses.ts";
import type { GltfJson } from "./gltf/gltf-json.ts";
import { isEditedIn } from "./gltf/gltf-source.ts";
import { liftSkinnedNodes } from "./gltf/place-skins.ts";
import { type Loss, type Losses, listLosses, reportLoss } from "./losses.ts";
import { isUsd, type OutputFormat } from "./registry.ts";
import { isWeightFormat, type WeightFormat } from "./weight-files/weight-formats.ts";
import type { WriteCharacterOptions } from "./write-character.ts";

/** A summary of a character's file, as plain data. */
export interface FileDescription {
  name: string;
  format: string;
  meshes: number;
  vertices: number;
  /** Distinct vertex positions: seams are counted once. */
  positions: number;
  triangles: number;
  /** Triangles with fewer than three distinct positions, once seams are closed. */
  emptyTriangles: number;
  /** Connected components of the mesh, once seams are closed. */
  pieces: number;
  joints: number;
  roots: number;
  /** For a control rig: its convention, and the number of deforming joints. */
  rig?: { convention: string; deforming: number };
  /** Box around the mesh in its bind pose, y up, in the units of the file; absent without a mesh. */
  box?: { min: number[]; max: number[] };
  /** Box around the joints; absent without joints. */
  jointBox?: { min: number[]; max: number[] };
  /** Number of other items in the file, by kind. */
  contents: {
    materials: number;
    images: number;
    shapes: number;
    animations: number;
    cameras: number;
  };
  /** Weights of the file: entry n counts the vertices with n influences. */
  influences?: number[];
  /** Warnings about those weights and the file; a sentence each. */
  oddities: string[];
}

/** Summarizes a character's file. */
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
    positions: count,
    triangles: mesh.triangles.length / 3,
    emptyTriangles: mesh.triangles.length / 3 - triangles.length / 3,
    pieces: connectedComponents(vertexNeighbors(triangles, count)).count,
    joints,
    roots: skeleton.parents.filter((parent) => parent < 0).length,
    contents: contentsOf(source.json),
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

function contentsOf(json: GltfJson): FileDescription["contents"] {
  const { materials, images, animations, cameras, meshes } = json;
  const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  // All primitives of a mesh have the same number of morph targets.
  const shapes = (meshes ?? []).map(({ primitives }) => count(primitives[0]?.targets));
  return {
    materials: count(materials),
    images: count(images),
    shapes: shapes.reduce((sum, each) => sum + each, 0),
    animations: count(animations),
    cameras: count(cameras),
  };
}

/**
 * Lists what a file has that the output does not carry over: nothing if it is edited in its own format, what
 * the reader ignores if it becomes glTF, what FBX or USD cannot hold as well if it becomes one, all but joints and
 * weights if it becomes RigNet's text, nothing if only the weights are wanted. Skinned meshes that move to the top of their scene count as well.
 */
export function fileLosses(
  file: CharacterFile,
  format: OutputFormat | "txt" | WeightFormat,
  options: Pick<WriteCharacterOptions, "motions" | "liftMeshes"> = {},
): Loss[] {
  const { source, character } = file;
  if (isEditedIn(file, format, options) || isWeightFormat(format)) return [];
  const losses: Losses = new Map(source.losses);
  if (format === "fbx" || isUsd(format)) {
    const more = lossesAsNew(source, format === "fbx" ? format : "usd");
    for (const [what, count] of more) reportLoss(losses, what, count);
  }
  if (format === "txt") {
    const { meshes, materials, images, animations, cameras } = source.json;
    for (const [what, list] of Object.entries({ meshes, materials, images, animations, cameras })) {
      reportLoss(losses, what, Array.isArray(list) ? list.length : 0);
    }
    reportLoss(losses, "joint rotations and scales", character.skeleton.names.length);
  }
  if (options.liftMeshes && ["glb", "gltf", "vrm"].includes(format)) {
    const moved = new Set(file.parts.flatMap(({ nodes }) => nodes));
    const json = structuredClone(source.json);
    reportLoss(
      losses,
      "positions of skinned meshes in the node tree",
      liftSkinnedNodes(json, moved),
    );
  }
  return listLosses(losses);
}

/** Losses as text: "area lights: 3, constraints: 1", or "nothing". */
export function lossText(losses: Loss[]): string {
  if (losses.length === 0) return "nothing";
  return losses.map(({ what, count }) => `${what}: ${count}`).join(", ");
}

/** Losses as a sentence, for commands without a report; empty if there are none. */
export function lossNotes(losses: Loss[]): string[] {
  return losses.length > 0
    ? [`The output does not carry over all of the input: ${lossText(losses)}.`]
    : [];
}
