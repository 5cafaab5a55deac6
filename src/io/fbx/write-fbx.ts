import { InputError } from "../../input-error.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { vertexOfPoints } from "../point-rows.ts";
import { type ClusterWeights, editFbxSkins, type GeometryWeights } from "./edit-fbx-skins.ts";
import type { FbxOrigin } from "./fbx-origin.ts";
import { isBinaryFbx } from "./parse-fbx-binary.ts";
import { joinRawFbx, splitRawFbx } from "./raw-fbx.ts";

/**
 * Puts weights into the FBX a character was read from: clusters, and skins where there were none, with their
 * connections; every other byte of the file stays as it is.
 *
 * @param weights V of the character, limited as they are to be written
 */
export function writeFbx(file: CharacterFile, weights: SkinWeights): Uint8Array {
  const { name, fbx } = file.source;
  if (!fbx) {
    throw new InputError(`${name}: an .fbx can only be made of an .fbx; write a .glb instead.`);
  }
  if (!isBinaryFbx(fbx.bytes)) {
    throw new InputError(
      `${name}: this FBX is text, and only binary ones can be written; write a .glb, or save it as binary first.`,
    );
  }
  const models = jointModels(file, fbx);
  const edits = new Map<string, GeometryWeights>();
  for (const mesh of new Set(file.parts.map((part) => part.mesh))) {
    const origin = fbx.meshes.get(mesh);
    if (!origin || edits.has(origin.geometry)) continue;
    const clusters = clustersOf(weights, vertexOfPoints(file, mesh), models);
    edits.set(origin.geometry, { ...origin, clusters });
  }
  const raw = splitRawFbx(name, fbx.bytes);
  return joinRawFbx(editFbxSkins(raw, [...edits.values()], fbx.binds));
}

/** The model of each joint; a skeleton from elsewhere has none. */
function jointModels({ rig, source }: CharacterFile, fbx: FbxOrigin): string[] {
  return Array.from(rig.nodes, (node) => {
    const model = fbx.models.get(node);
    if (model === undefined) {
      throw new InputError(
        `${source.name}: the skeleton is from another file, which an .fbx cannot take in; write a .glb instead.`,
      );
    }
    return model;
  });
}

/** What each bone moves, by control points. */
function clustersOf(
  { influences, joints, weights }: SkinWeights,
  vertexOf: Map<number, number>,
  models: string[],
): Map<string, ClusterWeights> {
  const lists = new Map<string, { points: number[]; weights: number[] }>();
  for (const [point, vertex] of vertexOf) {
    for (let slot = vertex * influences; slot < (vertex + 1) * influences; slot++) {
      if (!(weights[slot] > 0)) continue;
      const model = models[joints[slot]];
      const list = lists.get(model) ?? { points: [], weights: [] };
      lists.set(model, list);
      list.points.push(point);
      list.weights.push(weights[slot]);
    }
  }
  return new Map(
    [...lists].map(([model, list]) => [
      model,
      { points: Int32Array.from(list.points), weights: Float64Array.from(list.weights) },
    ]),
  );
}
