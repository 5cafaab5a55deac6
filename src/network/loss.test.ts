import { beforeAll, expect, test } from "vitest";
import { floats, indices, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom, normal } from "../math/random.ts";
import { logWeights, skinLoss, smoothing, type Target } from "./loss.ts";

beforeAll(startJax);

const [V, B, K, S] = [14, 6, 3, 4];

/** A closed ring of vertices, each joined to two on either side, with random candidates and weights. */
function scene(seed: number) {
  const random = createRandom(seed);
  const bones = Array.from({ length: V }, () =>
    Array.from({ length: B }, (_, b) => b)
      .sort(() => random() - 0.5)
      .slice(0, K),
  );
  const near = bones.map((_, v) => [1, 2, V - 1, V - 2].map((step) => (v + step) % V));
  const distribution = (): number[] => {
    const raw = Array.from({ length: K }, () => Math.exp(2 * normal(random)));
    return raw.map((value) => value / raw.reduce((a, b) => a + b, 0));
  };
  const weights = bones.map(distribution);
  const labels = bones.map(() => (random() < 0.3 ? [1, 0, 0] : distribution()));
  const vertexWeight = bones.map(() => random());
  const rows: number[] = [];
  const valid: number[] = [];
  bones.forEach((own, v) => {
    for (const other of near[v]) {
      for (const bone of own) {
        const slot = bones[other].indexOf(bone);
        rows.push(slot < 0 ? 0 : other * K + slot);
        valid.push(slot < 0 ? 0 : 1);
      }
    }
  });
  const target: Target = {
    labels: floats(labels.flat(), [V, K]),
    vertexWeight: floats(vertexWeight, [V]),
    smoothRows: indices(rows, [V, S, K]),
    smoothValid: floats(valid, [V, S, K]),
  };
  return { bones, near, weights, labels, vertexWeight, target };
}

/** w^T L w over V×B weights, with the Laplacian of the mesh's edges written out as a matrix. */
function denseSmoothing({ bones, near, weights }: ReturnType<typeof scene>): number {
  const W = bones.map((own, v) =>
    Array.from({ length: B }, (_, b) => weights[v][own.indexOf(b)] ?? 0),
  );
  const L = near.map((list, v) =>
    near.map((_, u) => (u === v ? list.length : list.includes(u) ? -1 : 0)),
  );
  let total = 0;
  for (let b = 0; b < B; b++) {
    for (let v = 0; v < V; v++) {
      for (let u = 0; u < V; u++) total += W[v][b] * L[v][u] * W[u][b];
    }
  }
  return total;
}

test.each([1, 2, 3])(
  "smoothing is the Laplacian's energy over real bones (seed %i)",
  async (seed) => {
    const made = scene(seed);
    const perVertex = await valuesOf(smoothing(floats(made.weights.flat(), [V, K]), made.target));
    const sum = perVertex.reduce((a, b) => a + b, 0);
    // Each edge is met from both ends.
    expect(sum).toBeCloseTo(denseSmoothing(made), 3);
  },
);

test.each([4, 5])(
  "the loss is KL(artist || predicted) + L1 + smoothing (seed %i)",
  async (seed) => {
    const made = scene(seed);
    const { weights, labels, vertexWeight, target } = made;
    const logp = floats(weights.flat().map(Math.log), [V, K]);
    const value = async (config: Parameters<typeof skinLoss>[2]): Promise<number> =>
      (await valuesOf(skinLoss(logp, target, config)))[0];
    const total = (term: (v: number) => number): number =>
      weights.reduce((sum, _, v) => sum + vertexWeight[v] * term(v), 0);
    const divergence = total((v) =>
      labels[v].reduce((sum, q, k) => sum + (q > 0 ? q * Math.log(q / weights[v][k]) : 0), 0),
    );
    const l1 = total((v) => labels[v].reduce((sum, q, k) => sum + Math.abs(q - weights[v][k]), 0));
    const perVertex = await valuesOf(smoothing(floats(weights.flat(), [V, K]), target));
    expect(await value({ divergence: 1, l1: 0, smooth: 0 })).toBeCloseTo(divergence, 3);
    expect(await value({ divergence: 0, l1: 1, smooth: 0 })).toBeCloseTo(l1, 3);
    expect(await value({ divergence: 0.5, l1: 0.25, smooth: 0.4 })).toBeCloseTo(
      0.5 * divergence + 0.25 * l1 + 0.4 * total((v) => perVertex[v]),
      3,
    );
  },
);

test("a perfect prediction costs nothing, and empty slots get exactly nothing", async () => {
  const scores = floats([1, 2, 3, 5, -4, 9], [2, 3]);
  const logp = logWeights(scores, floats([1, 1, 0, 1, 0, 0], [2, 3]));
  const weights = (await valuesOf(logp)).map(Math.exp);
  const e = Math.exp(1);
  expect(weights).toBeAllClose([1 / (1 + e), e / (1 + e), 0, 1, 0, 0], 1e-6);
  expect([weights[2], weights[4], weights[5]]).toEqual([0, 0, 0]);
  const target = {
    labels: floats(weights, [2, 3]),
    vertexWeight: floats([0.5, 0.5], [2]),
    smoothRows: indices(Array(6).fill(0), [2, 1, 3]),
    smoothValid: floats(Array(6).fill(0), [2, 1, 3]),
  };
  const loss = skinLoss(logp, target, { divergence: 1, l1: 1, smooth: 0 });
  expect((await valuesOf(loss))[0]).toBeCloseTo(0, 5);
});
