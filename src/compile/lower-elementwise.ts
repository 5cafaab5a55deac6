import type { OnnxAttribute, OnnxType } from "../onnx/onnx-writer.ts";
import { type GraphBuilder, sameShape } from "./graph-builder.ts";
import { compactTensor } from "./lower-view.ts";
import { expandView, sameLayout, type Tensor, type View, viewOf } from "./view.ts";

/**
 * Applies an ONNX operation element by element, with broadcasting.
 *
 * Repeated dimensions stay repeated: an operation on a row that is repeated V times runs once on the row.
 * Operands that walk their tensors alike are combined as stored, in whatever order that is.
 */
export function lowerElementwise(
  builder: GraphBuilder,
  op: string,
  operands: View[],
  result: { shape: number[]; dtype: OnnxType },
  attributes: Record<string, OnnxAttribute> = {},
): View {
  const views = operands.map((view) => expandView(view, result.shape));
  const stored = views.filter((view) => view.axes.length > 0);
  const first = stored[0];
  if (first && stored.every((view) => sameLayout(view, first))) {
    const shape = commonShape(stored);
    const inputs = views.map((view) =>
      view.axes.length > 0
        ? builder.reshape(view.source as Tensor, shape)
        : compactTensor(builder, view),
    );
    const dtype = result.dtype;
    return { ...first, source: builder.node(op, inputs, { shape, dtype }, attributes), dtype };
  }
  const inputs = views.map((view) => compactTensor(builder, view));
  const rank = Math.max(0, ...inputs.map((input) => input.shape.length));
  const shape = Array.from({ length: rank }, (_, i) =>
    Math.max(...inputs.map((input) => input.shape[i - rank + input.shape.length] ?? 1)),
  );
  const tensor = builder.node(op, inputs, { shape, dtype: result.dtype }, attributes);
  return expandView(viewOf(tensor), result.shape);
}

function commonShape(views: View[]): number[] {
  const shapes = views.map((view) => (view.source as Tensor).shape);
  const common = shapes.every((shape) => sameShape(shape, shapes[0]));
  return common ? shapes[0] : views[0].axes.map((axis) => axis.size);
}
