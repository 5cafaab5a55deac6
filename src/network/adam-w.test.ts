import { beforeAll, expect, test } from "vitest";
import { floats, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom, normal } from "../math/random.ts";
import { adamW, type OptimizerState } from "./adam-w.ts";
import { BETA1, BETA2 } from "./step-state.ts";

beforeAll(startJax);

test.each([
  ["long gradients are clipped", 3],
  ["short ones are not", 0.01],
])("six steps equal a plain loop: %s", async (_, size) => {
  const random = createRandom(size * 100);
  const N = 12;
  const start = Float32Array.from({ length: N }, () => normal(random));
  const decay = start.map((_, i) => (i % 3 === 0 ? 0 : 1));
  const [rate, weightDecay, averageRate] = [0.01, 0.1, 0.25];
  const want = { p: [...start], m: Array(N).fill(0), v: Array(N).fill(0), a: [...start] };
  let state: OptimizerState = {
    parameters: floats(start, [N]),
    first: floats(new Float32Array(N), [N]),
    second: floats(new Float32Array(N), [N]),
    average: floats(start, [N]),
  };
  for (let t = 1; t <= 6; t++) {
    const gradient = Float32Array.from({ length: N }, () => size * normal(random));
    const { norm, ...next } = adamW(state, floats(gradient, [N]), floats(decay, [N]), {
      learningRate: floats([rate], []),
      firstCorrection: floats([1 / (1 - BETA1 ** t)], []),
      secondCorrection: floats([1 / (1 - BETA2 ** t)], []),
      averageRate: floats([averageRate], []),
      weightDecay: floats([weightDecay], []),
    });
    state = next;
    const length = Math.hypot(...gradient);
    expect((await valuesOf(norm))[0]).toBeCloseTo(length, 4);
    gradient.forEach((raw, i) => {
      const g = raw * Math.min(1, 1 / length);
      want.m[i] = 0.9 * want.m[i] + 0.1 * g;
      want.v[i] = 0.99 * want.v[i] + 0.01 * g * g;
      const step = want.m[i] / (1 - 0.9 ** t) / (Math.sqrt(want.v[i] / (1 - 0.99 ** t)) + 1e-8);
      want.p[i] -= rate * (step + weightDecay * decay[i] * want.p[i]);
      want.a[i] += averageRate * (want.p[i] - want.a[i]);
    });
  }
  expect(await valuesOf(state.parameters)).toBeAllClose(want.p, 1e-5);
  expect(await valuesOf(state.first)).toBeAllClose(want.m, 1e-6);
  expect(await valuesOf(state.second)).toBeAllClose(want.v, 1e-6);
  expect(await valuesOf(state.average)).toBeAllClose(want.a, 1e-5);
});
