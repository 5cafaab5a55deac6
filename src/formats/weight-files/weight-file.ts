import { fillEmpty } from "../../finish/fill-empty.ts";
import { identityMat4, transformPoint } from "../../math/mat4.ts";
import { emptyWeights, type SkinWeights, takeWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { entry } from "../gltf/gltf-json.ts";
import { fileSpace, vertexOfPoints } from "../rows.ts";

/** The weights of one mesh, point by point. */
export interface WeightMesh {
  name: string;
  /** P×3, in the space and units of the scene that the file belongs to; absent if the file has none. */
  points?: Float32Array | undefined;
  /** F×3 points; absent if the file has none. */
  triangles?: Uint32Array | undefined;
  /** P rows; joints are indices into the names of the file. */
  weights: SkinWeights;
}

/** Weights without a scene. */
export interface WeightFile {
  /** Names of the joints. */
  joints: string[];
  /** J×3, in the same space as the points; absent if the file has none. */
  positions?: Float32Array | undefined;
  meshes: WeightMesh[];
}

/** The points of one mesh of a character, in the order of its file. */
export interface FilePoints {
  mesh: number;
  name: string;
  /** P, the vertex of the character at each point; -1 for a point that no triangle uses. */
  vertices: Int32Array;
}

/** Lists the meshes of a character with their points: of polygons in FBX, DAE and OBJ, else vertices. */
export function filePoints(file: CharacterFile): FilePoints[] {
  const { source, parts } = file;
  return [...new Set(parts.map(({ mesh }) => mesh))].map((mesh) => {
    const own = parts.filter((part) => part.mesh === mesh);
    const shown = own[0].nodes.map((node) => entry(source.json, "nodes", node).name);
    const name = shown[0] ?? entry(source.json, "meshes", mesh).name ?? `mesh ${mesh}`;
    const count = source.points?.get(mesh)?.count;
    if (count === undefined) {
      const vertices = own.flatMap(({ first, count }) =>
        Array.from({ length: count }, (_, v) => first + v),
      );
      return { mesh, name, vertices: Int32Array.from(vertices) };
    }
    const vertexOf = vertexOfPoints(file, mesh);
    const vertices = Int32Array.from({ length: count }, (_, point) => vertexOf.get(point) ?? -1);
    return { mesh, name, vertices };
  });
}

/**
 * Extracts the weights of a character, with points and joints in the world and units of its file. A vertex without
 * weight follows its nearest bone.
 */
export function weightsOfFile(
  file: CharacterFile,
  given: SkinWeights = emptyWeights(file.character.mesh.positions.length / 3, 1),
): WeightFile {
  const { mesh, skeleton } = file.character;
  const { weights } = fillEmpty(given, file.character);
  const { source } = file;
  // FBX and DAE have their own axes and units.
  const world = source.fbx || source.dae ? fileSpace(source) : identityMat4();
  const place = (list: Float32Array, index: number) =>
    index < 0 ? [0, 0, 0] : transformPoint(world, list.subarray(index * 3, index * 3 + 3));
  return {
    joints: skeleton.names,
    positions: Float32Array.from(skeleton.names.flatMap((_, j) => place(skeleton.positions, j))),
    meshes: filePoints(file).map(({ name, vertices }) => {
      const pointOf = new Map(Array.from(vertices, (vertex, point) => [vertex, point]));
      return {
        name,
        points: Float32Array.from(Array.from(vertices).flatMap((v) => place(mesh.positions, v))),
        triangles: trianglesOf(mesh, pointOf, vertices),
        // A point that nothing uses has no row of its own.
        weights: takeWeights(
          weights,
          vertices.map((vertex) => Math.max(vertex, 0)),
        ),
      };
    }),
  };
}

/** Triangles of a mesh by its points; vertices of a seam share one by position. */
function trianglesOf(
  { positions, triangles }: CharacterFile["character"]["mesh"],
  pointOf: Map<number, number>,
  vertices: Int32Array,
): Uint32Array {
  const key = (vertex: number) => positions.subarray(vertex * 3, vertex * 3 + 3).join();
  const byPlace = new Map(Array.from(vertices, (vertex, point) => [key(vertex), point]));
  const own: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)].map(
      (vertex) => pointOf.get(vertex) ?? byPlace.get(key(vertex)) ?? -1,
    );
    if (!corners.includes(-1)) own.push(...corners);
  }
  return Uint32Array.from(own);
}
