import type { OnnxNode } from "../onnx/onnx-writer.ts";

/**
 * Lets a matrix product add its bias, or another product of its size, itself: one pass over memory less.
 *
 * @param nodes in order of computation
 * @param shapes of all tensors, at the traced sizes
 * @param kept names that must stay, such as the graph's outputs
 */
export function fuseGemmAdd(
  nodes: OnnxNode[],
  shapes: ReadonlyMap<string, readonly number[]>,
  kept: ReadonlySet<string>,
): OnnxNode[] {
  const uses = new Map<string, number>();
  for (const node of nodes) {
    for (const input of node.inputs) uses.set(input, (uses.get(input) ?? 0) + 1);
  }
  const products = new Map<string, OnnxNode>();
  const gone = new Set<OnnxNode>();
  const fused = nodes.map((node) => {
    const [output] = node.outputs as [string];
    if (node.op === "Gemm") products.set(output, node);
    if (node.op !== "Add") return node;
    const [a, b] = node.inputs as [string, string];
    for (const [name, bias] of [
      [a, b],
      [b, a],
    ] as const) {
      const product = products.get(name);
      if (!product || product.inputs.length > 2 || kept.has(name) || uses.get(name) !== 1) continue;
      if (!fits(shapes.get(bias), shapes.get(name)!)) continue;
      gone.add(product);
      const inputs = [...product.inputs, bias];
      return { ...product, inputs, outputs: node.outputs };
    }
    return node;
  });
  return fused.filter((node) => !gone.has(node));
}

/** True if a bias repeats up to the product's shape, and not the other way round. */
function fits(bias: readonly number[] | undefined, product: readonly number[]): boolean {
  if (!bias || bias.length > product.length) return false;
  return bias.every((size, i) => size === 1 || size === product[product.length - bias.length + i]);
}
