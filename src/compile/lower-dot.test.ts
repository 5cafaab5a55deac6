import { grad, numpy as np } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { type Arrays, expectClose, SIZES, toJax } from "../../test/helpers/compare-with-jax.ts";
import { createRandom } from "../math/random.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import { floatTensor } from "../onnx/runtime.ts";
import { createSession } from "../onnx/session.ts";
import { exportFunction, type TensorSpec } from "./export-function.ts";
import { startJax } from "./jax.ts";

const PARTS = 8;

const inputs: Record<string, TensorSpec> = {
  x: { dtype: "float32", shape: ["V", 3, 5] },
  W: { dtype: "float32", shape: [5, 4] },
  b: { dtype: "float32", shape: [4] },
};

/** The gradients of a weight matrix and a bias: sums over all rows. */
function gradients({ x, W, b }: Arrays): Arrays {
  const loss = (weight: np.Array, bias: np.Array) =>
    np.sum(np.square(np.tanh(np.matmul(x!, weight).add(bias))));
  const [first, second] = grad(loss, { argnums: [0, 1] })(W!, b!) as np.Array[];
  return { dW: first!, db: second! };
}

beforeAll(startJax);

test("partial sums equal jax-js", async () => {
  const graph = exportFunction({
    fn: gradients as never,
    inputs,
    splitSums: { symbol: "V", parts: PARTS },
  });
  const plain = exportFunction({ fn: gradients as never, inputs });
  expect(graph.nodeCount).toBeGreaterThan(plain.nodeCount);
  const session = await createSession(graph.model, { threads: 1 });
  for (const { V } of SIZES) {
    const random = createRandom(V!);
    const floats = (...shape: number[]) => {
      const size = shape.reduce((product, length) => product * length);
      return floatTensor(
        Float32Array.from({ length: size }, () => 2 * random() - 1),
        shape,
      );
    };
    const data = { x: floats(V! * PARTS, 3, 5), W: floats(5, 4), b: floats(4) };
    const got = await session.run(data);
    const arrays = Object.entries(data).map(([name, tensor]) => [name, toJax(tensor)]);
    const want = gradients(Object.fromEntries(arrays));
    for (const name of ["dW", "db"]) expectClose(name, got[name]!, want[name]!);
  }
  await session.dispose();
});

test("products read transposed operands in place, and write only used values", () => {
  const graph = exportFunction({
    inputs: { ...inputs, x: { dtype: "float32", shape: ["V", 5] } },
    fn: gradients as never,
  });
  expect(readOnnx(graph.model).inputs.map((input) => input.name)).toEqual(["x", "W", "b"]);
  const text = new TextDecoder("latin1").decode(graph.model);
  expect(text).toContain("Gemm");
  expect(text).not.toContain("Transpose");
  expect(text).not.toContain("Expand");
});
