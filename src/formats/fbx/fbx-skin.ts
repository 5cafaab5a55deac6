import {
  identityMat4,
  inverseOf,
  nearlyEqual,
  product,
  transformDirection,
} from "../../math/mat4.ts";
import { type Budget, spend } from "../budget.ts";
import { reportLoss } from "../losses.ts";
import type { SceneShape, SceneSkin } from "../scene/scene.ts";
import {
  belowOf,
  type FbxDocument,
  type FbxNode,
  type FbxObject,
  numberOf,
  numbersOf,
} from "./fbx-node.ts";

/** The weights of one bone in a mesh. */
export interface FbxCluster {
  bone: FbxObject;
  /** Bone to world in the bind pose. */
  link: number[];
  /** Mesh to bone in the bind pose. */
  inverseBind: number[];
  points: ArrayLike<number>;
  weights: ArrayLike<number>;
}

/** Reads the clusters of a geometry's skins; `meshWorld` is used if their transforms contradict each other. */
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
  // Transform should map the mesh to the bone, so that link × Transform is the mesh in the bind pose for
  // every bone; some exporters store something else there.
  const meshes = found.map(({ link, inverseBind }) => product(link, inverseBind));
  if (meshes.some((mesh) => !nearlyEqual(mesh, meshes[0]))) {
    for (const cluster of found) cluster.inverseBind = product(inverseOf(cluster.link), meshWorld);
  }
  return found;
}

/** Mesh to world in the bind pose; undefined without clusters. */
export function meshBind(clusters: FbxCluster[]): number[] | undefined {
  return clusters.length > 0 ? product(clusters[0].link, clusters[0].inverseBind) : undefined;
}

/**
 * Builds the skin of a mesh over all joints of the file.
 *
 * @param joints by model id: its index in `nodes`
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
      // Indices out of range have no list.
      if (weights[i] > 0) influences[points[i]]?.push([joint, weights[i]]);
    }
  }
  return { joints: nodes, inverseBinds, influences };
}

function matrixOf(node: FbxNode, name: string): number[] | undefined {
  const numbers = Array.from(numbersOf(node, name));
  const isUsable = numbers.length === 16 && numbers.every((value) => Math.abs(value) < LARGEST);
  return isUsable ? numbers : undefined;
}

/** Products of larger values overflow the floats of a glTF. */
const LARGEST = 1e15;

/** A blend shape channel: most have one shape, some blend through several. */
export interface ShapeChannel {
  id: string;
  /** Value at rest, in percent. */
  percent: number;
  /** The percentages at which its shapes are fully applied, ascending. */
  fulls: number[];
}

/** Reads the blend shapes of a geometry, channel by channel. */
export function readShapes(
  document: FbxDocument,
  geometry: FbxObject,
  pointCount: number,
  matrix: number[],
  budget?: Budget,
): { shapes: SceneShape[]; channels: ShapeChannel[] } {
  const shapes: SceneShape[] = [];
  const channels: ShapeChannel[] = [];
  for (const deformer of belowOf(document, geometry, "Deformer", "BlendShape")) {
    for (const slider of belowOf(document, deformer, "Deformer", "BlendShapeChannel")) {
      const own = belowOf(document, slider, "Geometry", "Shape");
      const channel = readChannel(slider, own.length);
      channels.push(channel);
      const weights = channelWeights(channel, channel.percent);
      own.forEach((shape, index) => {
        const name = own.length > 1 ? shape.name || slider.name : slider.name || shape.name;
        spend(budget, pointCount, "shapePoints");
        const deltas = readDeltas(shape, pointCount, matrix);
        shapes.push({ name, deltas, weight: weights[index] });
        if (hasNumbers(numbersOf(shape.node, "Normals")))
          reportLoss(document.losses, "blend shape normals");
      });
    }
  }
  return { shapes, channels };
}

/** Whether any number is not 0. */
function hasNumbers(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return true;
  return false;
}

function readChannel(slider: FbxObject, count: number): ShapeChannel {
  const stated = numbersOf(slider.node, "DeformPercent")[0];
  const percent = numberOf(slider.node, "DeformPercent", Number.isFinite(stated) ? stated : 0);
  const listed = Array.from(numbersOf(slider.node, "FullWeights"));
  const isRising =
    listed.length === count && listed.every((full, i) => full > (i > 0 ? listed[i - 1] : 0));
  const even = Array.from({ length: count }, (_, i) => (100 * (i + 1)) / count);
  return { id: slider.id, percent, fulls: isRising ? listed : even };
}

/** Returns the weight of each shape of a channel at `percent`. */
export function channelWeights({ fulls }: ShapeChannel, percent: number): number[] {
  const weights = fulls.map(() => 0);
  const next = fulls.findIndex((full) => percent <= full);
  const at = next < 0 ? fulls.length - 1 : next;
  if (at <= 0) {
    if (fulls.length > 0) weights[0] = percent / fulls[0];
    return weights;
  }
  const t = (percent - fulls[at - 1]) / (fulls[at] - fulls[at - 1]);
  weights[at] = t;
  weights[at - 1] = Math.max(1 - t, 0);
  return weights;
}

/** Reads the offsets of a shape, C×3. */
function readDeltas({ node }: FbxObject, pointCount: number, matrix: number[]): Float32Array {
  const points = numbersOf(node, "Indexes");
  const moves = numbersOf(node, "Vertices");
  const deltas = new Float32Array(pointCount * 3);
  for (let i = 0; i < points.length; i++) {
    if (!(points[i] >= 0 && points[i] < pointCount)) continue;
    const move = [moves[i * 3], moves[i * 3 + 1], moves[i * 3 + 2]];
    deltas.set(transformDirection(matrix, move), points[i] * 3);
  }
  return deltas;
}
