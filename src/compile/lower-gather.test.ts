import { grad, numpy as np } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { type Arrays, expectClose, toJax } from "../../test/helpers/compare-with-jax.ts";
import { createRandom } from "../math/random.ts";
import { floatTensor, type HostTensor, hostTensor } from "../onnx/runtime.ts";
import { createSession } from "../onnx/session.ts";
import { exportFunction, type TensorSpec } from "./export-function.ts";
import { startJax } from "./jax.ts";
import { reverseList } from "./reverse-list.ts";

const float = (...shape: (number | string)[]): TensorSpec => ({ dtype: "float32", shape });

const inputs: Record<string, TensorSpec> = {
  table: float("B", 3),
  i: { dtype: "int32", shape: ["V", 4] },
  valid: float("V", 4),
};

/** Gradient of a masked sum over gathered rows. */
function gradient({ table, i, valid }: Arrays): Arrays {
  const loss = (rows: np.Array) => {
    const near = np.take(rows, i!, 0).mul(valid!.reshape([...valid!.shape, 1]));
    return np.sum(np.square(np.sum(near, 1)));
  };
  return { gradient: grad(loss)(table!) };
}

beforeAll(startJax);

test("masked slots may be omitted from the reverse list", async () => {
  const graph = exportFunction({ fn: gradient as never, inputs });
  expect(graph.reverseLists).toEqual([{ name: "i.reverse", of: "i", rows: "B" }]);
  const session = await createSession(graph.model, { threads: 1 });
  for (const [V, B] of [
    [30, 4],
    [5, 9],
  ] as const) {
    const random = createRandom(V);
    const indices = Int32Array.from({ length: V * 4 }, () => Math.floor(random() * B));
    const kept = Uint8Array.from({ length: V * 4 }, () => Number(random() < 0.4));
    const rows = Float32Array.from({ length: B * 3 }, () => 2 * random() - 1);
    const data: Record<string, HostTensor> = {
      table: floatTensor(rows, [B, 3]),
      i: hostTensor(indices, [V, 4]),
      valid: floatTensor(Float32Array.from(kept), [V, 4]),
    };
    const whole = reverseList(indices, B);
    const short = reverseList(indices, B, kept);
    expect(short.degree).toBeLessThan(whole.degree);
    const list = hostTensor(short.data, [B, short.degree]);
    const got = await session.run({ ...data, "i.reverse": list });
    const want = gradient(
      Object.fromEntries(Object.entries(data).map(([name, tensor]) => [name, toJax(tensor)])),
    );
    expectClose("gradient", got.gradient!, want.gradient!);
  }
  await session.dispose();
});

test("several gathers by one index share its reverse list", () => {
  const graph = exportFunction({
    inputs: { ...inputs, other: float("B", 2, 5) },
    fn: ({ table, other, i }) => {
      const loss = (a: np.Array, b: np.Array) =>
        np.sum(np.take(a, i!.ref, 0)).add(np.sum(np.square(np.take(b, i!.reshape([-1]), 0))));
      const [first, second] = grad(loss, { argnums: [0, 1] })(table!, other!) as np.Array[];
      return { first: first!, second: second! };
    },
  });
  expect(graph.reverseLists.map((list) => list.name)).toEqual(["i.reverse"]);
  expect(graph.inputs.filter((input) => input.name.endsWith(".reverse"))).toEqual([
    { name: "i.reverse", spec: { dtype: "int32", shape: ["B", "i.reverse"] } },
  ]);
});

test("one index into tables of different heights is refused", () => {
  const fn = ({ table, i, valid }: Arrays): Arrays => {
    const loss = (a: np.Array, b: np.Array) =>
      np.sum(np.take(a, i!.ref, 0)).add(np.sum(np.square(np.take(b, i!, 0))));
    const [first, second] = grad(loss, { argnums: [0, 1] })(table!, valid!) as np.Array[];
    return { first: first!, second: second! };
  };
  expect(() => exportFunction({ fn: fn as never, inputs })).toThrow("tables of different heights");
});
