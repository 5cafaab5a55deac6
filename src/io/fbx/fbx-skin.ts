import { identityMat4 } from "../../math/mat4.ts";
import { inverseOf, nearlyEqual, product } from "../matrices.ts";
import type { SceneSkin } from "../scene.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { type FbxNode, numbersOf } from "./fbx-node.ts";

/** One bone's share in a mesh. */
export interface FbxCluster {
  bone: FbxObject;
  /** Bone to world in the bind pose. */
  link: number[];
  /** Mesh to bone in the bind pose. */
  inverseBind: number[];
  points: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** The clusters of a geometry's skins; `meshWorld` stands in where the file contradicts itself. */
export function readClusters(
  document: FbxDocument,
  geometry: FbxObject,
  meshWorld: number[],
): FbxCluster[] {
  const found: FbxCluster[] = [];
  for (const skin of belowOf(document, geometry, "Deformer", "Skin")) {
    for (const cluster of belowOf(document, skin, "Deformer", "Cluster")) {
      const bone = belowOf(document, cluster, "Model")[0];
      const link = matrixOf(cluster.node, "TransformLink");
      if (!bone || !link) continue;
      found.push({
        bone,
        link,
        inverseBind: matrixOf(cluster.node, "Transform") ?? identityMat4(),
        points: numbersOf(cluster.node, "Indexes"),
        weights: numbersOf(cluster.node, "Weights"),
      });
    }
  }
  // Transform should carry the mesh to the bone, so that link × Transform is the mesh in the bind
  // pose whatever the bone; some exporters store something else there.
  const meshes = found.map(({ link, inverseBind }) => product(link, inverseBind));
  if (meshes.some((mesh) => !nearlyEqual(mesh, meshes[0]))) {
    for (const cluster of found) cluster.inverseBind = product(inverseOf(cluster.link), meshWorld);
  }
  return found;
}

/** Mesh to world in the bind pose; nothing for a mesh without clusters. */
export function meshBind(clusters: FbxCluster[]): number[] | undefined {
  return clusters.length > 0 ? product(clusters[0].link, clusters[0].inverseBind) : undefined;
}

/**
 * Builds the skin of a mesh over all joints of the file.
 *
 * @param joints by model id: its place in `nodes`
 * @param binds per joint: bone to world in the bind pose
 */
export function fbxSkin(
  clusters: FbxCluster[],
  pointCount: number,
  joints: Map<string, number>,
  nodes: number[],
  binds: number[][],
): SceneSkin {
  const meshToWorld = meshBind(clusters) ?? identityMat4();
  const inverseBinds = binds.map((bind) => product(inverseOf(bind), meshToWorld));
  const influences: [number, number][][] = Array.from({ length: pointCount }, () => []);
  for (const { bone, inverseBind, points, weights } of clusters) {
    const joint = joints.get(bone.id)!;
    inverseBinds[joint] = inverseBind;
    for (let i = 0; i < points.length; i++) {
      // A point that is not there, be it beyond the last or below zero, has no list.
      if (weights[i] > 0) influences[points[i]]?.push([joint, weights[i]]);
    }
  }
  return { joints: nodes, inverseBinds, influences };
}

function matrixOf(node: FbxNode, name: string): number[] | undefined {
  const numbers = Array.from(numbersOf(node, name));
  return numbers.length === 16 && numbers.every(Number.isFinite) ? numbers : undefined;
}
