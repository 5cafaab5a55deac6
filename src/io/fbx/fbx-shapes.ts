import { transformDirection } from "../../math/mat4.ts";
import { lose } from "../losses.ts";
import type { SceneShape } from "../scene.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { numberOf, numbersOf } from "./fbx-node.ts";

/** A slider of blend shapes: most have one shape, some run through several. */
export interface ShapeChannel {
  id: string;
  /** Where the slider rests, in percent. */
  percent: number;
  /** The percent at which each of its shapes is fully applied, rising. */
  fulls: number[];
}

/** Blend shapes of a geometry, channel by channel. */
export function readShapes(
  document: FbxDocument,
  geometry: FbxObject,
  pointCount: number,
  matrix: number[],
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
        const deltas = readDeltas(shape, pointCount, matrix);
        shapes.push({ name, deltas, weight: weights[index] });
        const turns = Array.from(numbersOf(shape.node, "Normals")).some((value) => value !== 0);
        if (turns) lose(document.lost, "normals of shapes");
      });
    }
  }
  return { shapes, channels };
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

/** How far each shape of a channel is applied where its slider stands at `percent`. */
export function channelWeights({ fulls }: ShapeChannel, percent: number): number[] {
  const weights = fulls.map(() => 0);
  const next = fulls.findIndex((full) => percent <= full);
  const at = next < 0 ? fulls.length - 1 : next;
  if (at <= 0) {
    if (fulls.length > 0) weights[0] = percent / fulls[0];
    return weights;
  }
  const share = (percent - fulls[at - 1]) / (fulls[at] - fulls[at - 1]);
  weights[at] = share;
  weights[at - 1] = Math.max(1 - share, 0);
  return weights;
}

/** C×3. */
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
