import { toHalf } from "../math/half-float.ts";
import { HALF_ENDING } from "../onnx/onnx-reader.ts";
import {
  ONNX_TYPE,
  type OnnxGraph,
  type OnnxInitializer,
  type OnnxNode,
} from "../onnx/onnx-writer.ts";

/**
 * Stores parameters in half precision: half the file, while all arithmetic stays as it was.
 *
 * The graph turns them back when it is loaded; ONNX Runtime does that once.
 */
export function halveInitializers<Graph extends Pick<OnnxGraph, "nodes" | "initializers">>(
  graph: Graph,
  names: ReadonlySet<string>,
): Graph {
  const casts: OnnxNode[] = [];
  const initializers = graph.initializers.map((initializer): OnnxInitializer => {
    const { name, data } = initializer;
    if (!names.has(name) || !(data instanceof Float32Array)) return initializer;
    const half = `${name}${HALF_ENDING}`;
    const attributes = { to: ONNX_TYPE.float32 };
    casts.push({ op: "Cast", inputs: [half], outputs: [name], attributes });
    return { ...initializer, name: half, data: toHalf(data) };
  });
  return { ...graph, initializers, nodes: [...casts, ...graph.nodes] };
}
