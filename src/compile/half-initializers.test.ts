import { numpy as np } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { createRandom, normal } from "../math/random.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import { floatTensor } from "../onnx/runtime.ts";
import { createSession } from "../onnx/session.ts";
import { exportFunction } from "./export-function.ts";
import { startJax } from "./jax.ts";

beforeAll(startJax);

test("a model stored in half precision is half as large, nearly the same, and is read back by name", async () => {
  const random = createRandom(3);
  const W = { shape: [40, 30], data: Float32Array.from({ length: 1200 }, () => normal(random)) };
  const request = {
    fn: ({ x, W: weight }: Record<string, np.Array>) => ({ y: np.matmul(x!, weight!) }),
    inputs: { x: { dtype: "float32" as const, shape: ["V", 40] } },
    initializers: { W },
  };
  const [full, half] = [exportFunction(request), exportFunction({ ...request, half: true })];
  expect(half.model.length).toBeLessThan(full.model.length * 0.6);
  const stored = readOnnx(half.model).parameters;
  expect(Object.keys(stored)).toEqual(["W"]);
  stored.W!.data.forEach((value, i) => {
    expect(Math.abs(value - W.data[i]!)).toBeLessThanOrEqual(Math.abs(W.data[i]!) / 2048 + 3e-8);
  });
  const x = floatTensor(
    Float32Array.from({ length: 200 }, () => normal(random)),
    [5, 40],
  );
  const results = await Promise.all(
    [full, half].map(async ({ model }) => {
      const session = await createSession(model, { provider: "cpu", threads: 1 });
      const { y } = await session.run({ x });
      await session.dispose();
      return y!.data as Float32Array;
    }),
  );
  const size = Math.hypot(...results[0]!);
  const difference = Math.hypot(...results[0]!.map((value, i) => value - results[1]![i]!));
  expect(difference).toBeGreaterThan(0);
  expect(difference / size).toBeLessThan(1e-3);
});
