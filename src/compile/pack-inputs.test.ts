import { numpy as np } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { type FedTensor, floatTensor, hostTensor, scalarTensor } from "../onnx/runtime.ts";
import { createSession } from "../onnx/session.ts";
import { exportFunction } from "./export-function.ts";
import { startJax } from "./jax.ts";
import { packFeeds } from "./pack-inputs.ts";

beforeAll(startJax);

const request = {
  fn: ({ x, y, i, s }: Record<string, np.Array>) => ({
    sum: np.take(x!, i!, 0).mul(s!).add(y!),
  }),
  inputs: {
    x: { dtype: "float32", shape: ["V", 3] },
    y: { dtype: "float32", shape: ["B", 3] },
    i: { dtype: "int32", shape: ["B"] },
    s: { dtype: "float32", shape: [] },
  },
} as const;

function feedsOf(V: number, B: number): Record<string, FedTensor> {
  const random = createRandom(`${V} ${B}`);
  const floats = (length: number) => Float32Array.from({ length }, () => random() - 0.5);
  return {
    x: floatTensor(floats(V * 3), [V, 3]),
    y: floatTensor(floats(B * 3), [B, 3]),
    i: hostTensor(
      Int32Array.from({ length: B }, () => Math.floor(random() * V)),
      [B],
    ),
    s: scalarTensor(1.5),
  };
}

test("a graph computes the same with packed inputs, at any size", async () => {
  const groups = { batch: ["x", "y", "i"], numbers: ["s"] };
  const inputs = structuredClone(request.inputs) as never;
  const plain = exportFunction({ fn: request.fn, inputs });
  const packed = exportFunction({ fn: request.fn, inputs, packed: () => groups });
  const sessions = await Promise.all(
    [plain, packed].map(({ model }) => createSession(model, { provider: "cpu", threads: 1 })),
  );
  expect(sessions[1]!.inputNames).not.toContain("x");
  for (const [V, B] of [
    [4, 7],
    [30, 1],
  ] as const) {
    const feeds = feedsOf(V, B);
    const expected = await sessions[0]!.run(feeds);
    const got = await sessions[1]!.run(packFeeds(feeds, packed.packed));
    expect(got.sum!.shape).toEqual([B, 3]);
    expect(got.sum!.data).toEqual(expected.sum!.data);
  }
  for (const session of sessions) await session.dispose();
});

test("an incomplete group waits, so groups may be packed one after another", () => {
  const groups = { batch: ["x", "y"], scalars: ["s"] };
  const { x, y, s } = feedsOf(2, 3) as Record<string, FedTensor>;
  const first = packFeeds({ x: x!, y: y! }, groups);
  expect(Object.keys(first).sort()).toEqual(
    ["batch", ...["x", "y"].flatMap((n) => [`${n}.end`, `${n}.shape`, `${n}.start`])].sort(),
  );
  const second = packFeeds({ ...first, s: s! }, groups);
  expect(second.scalars!.data).toEqual(Float32Array.of(1.5));
  expect(second.batch).toBe(first.batch);
});

test("an integer that a float cannot hold is refused", () => {
  const i = hostTensor(Int32Array.of(3, 2 ** 24 + 1), [2]);
  expect(() => packFeeds({ i }, { batch: ["i"] })).toThrow('16777217 in "i" is too large');
});
