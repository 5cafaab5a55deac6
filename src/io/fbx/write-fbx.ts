import { InputError } from "../../input-error.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { readRow } from "../../weights/weight-row.ts";
import type { CharacterFile } from "../character-file.ts";
import { fileSpace, partPlace } from "../file-space.ts";
import { product } from "../matrices.ts";
import { rigidJoints } from "../new-joints.ts";
import { vertexOfPoints } from "../point-rows.ts";
import { otherFormat } from "../refusals.ts";
import { addFbxBones } from "./add-fbx-bones.ts";
import { type ClusterWeights, editFbxSkins, type GeometryWeights } from "./edit-fbx-skins.ts";
import { type FbxOrigin, OLDEST_WRITTEN } from "./fbx-origin.ts";
import { parseFbxText } from "./parse-fbx-text.ts";
import { joinRawFbx, type RawFbx, splitRawFbx } from "./raw-fbx.ts";
import { rawFromText } from "./raw-from-text.ts";
import { applyObjects, type RawObjects, rawObjects } from "./raw-objects.ts";

/**
 * Puts weights into the FBX a character was read from: clusters, and skins where there were none, with their
 * connections; every other byte of the file stays as it is. A text FBX becomes a binary one; a skeleton from
 * another file is added.
 *
 * @param weights V of the character, limited as they are to be written
 */
export function writeFbx(file: CharacterFile, weights: SkinWeights): Uint8Array {
  const { name, fbx } = file.source;
  if (!fbx) throw otherFormat(name, "an .fbx");
  const raw = rawOf(name, fbx);
  const draft = rawObjects(name, raw);
  const { models, binds, areNew } = bones(file, fbx, draft);
  const edits = new Map<string, GeometryWeights>();
  for (const part of file.parts) {
    const origin = fbx.meshes.get(part.mesh);
    if (!origin || edits.has(origin.geometry)) continue;
    const clusters = clustersOf(weights, vertexOfPoints(file, part.mesh), models);
    const bind = areNew ? product(fileSpace(file.source), partPlace(file, part)) : origin.bind;
    edits.set(origin.geometry, { ...origin, bind, clusters });
  }
  editFbxSkins(draft, { edits: [...edits.values()], binds, areNew });
  return joinRawFbx(applyObjects(raw, draft));
}

function rawOf(name: string, { bytes, isText, version }: FbxOrigin): RawFbx {
  if (version < OLDEST_WRITTEN) {
    throw new InputError(
      `${name}: it is ${isText ? "a text" : "an"} FBX of version ${version / 1000}, which cannot be written as FBX; write a .glb, or save it as FBX 7 first.`,
    );
  }
  return isText
    ? rawFromText(parseFbxText(name, new TextDecoder().decode(bytes)))
    : splitRawFbx(name, bytes);
}

/** The model of each joint, and where it stands in the bind pose; joints from elsewhere are added. */
function bones({ rig, source }: CharacterFile, fbx: FbxOrigin, draft: RawObjects) {
  const own = Array.from(rig.nodes, (node) => fbx.models.get(node));
  const models = own.filter((model) => model !== undefined);
  if (models.length === own.length) return { models, binds: fbx.binds, areNew: false };
  const worlds = rigidJoints(rig, fileSpace(source));
  const added = addFbxBones(draft, rig.skeleton, worlds);
  return { models: added, binds: new Map(added.map((id, j) => [id, worlds[j]])), areNew: true };
}

/** What each bone moves, by control points. */
function clustersOf(
  weights: SkinWeights,
  vertexOf: Map<number, number>,
  models: string[],
): Map<string, ClusterWeights> {
  const lists = new Map<string, { points: number[]; weights: number[] }>();
  for (const [point, vertex] of vertexOf) {
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const list = lists.get(models[joint]) ?? { points: [], weights: [] };
      lists.set(models[joint], list);
      list.points.push(point);
      list.weights.push(values[i]);
    });
  }
  return new Map(
    [...lists].map(([model, list]) => [
      model,
      { points: Int32Array.from(list.points), weights: Float64Array.from(list.weights) },
    ]),
  );
}
