import { grad } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { floats, indices, valuesOf } from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { createRandom, normal } from "../math/random.ts";
import { logWeights, skinLoss, smoothing, type Target } from "./loss.ts";
import { logSoftmax, type Tensor } from "./ops.ts";

beforeAll(startJax);

const [V, B, K, S] = [14, 6, 3, 4];

/** A closed ring of vertices, each connected to two on either side, with random candidates and weights. */
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

/** w^T L w over V×B weights, with the Laplacian of the mesh's edges as an explicit matrix. */
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
    // Each edge occurs from both ends.
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

test("a perfect prediction has zero loss, and empty slots are exactly 0", async () => {
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

/** Three bones in a chain and one next to it, displacements by each candidate, and the hierarchy of candidates. */
function posed(seed: number) {
  const made = scene(seed);
  const random = createRandom(`${seed}/posed`);
  const moves = Array.from({ length: V * K * 3 }, () => 0.1 * normal(random));
  const parents = [-1, 0, 1, 0, 3, 3];
  const isBelow = (upper: number, bone: number): boolean => {
    for (let at = bone; at >= 0; at = parents[at]) if (at === upper) return true;
    return false;
  };
  const subtree = made.bones.flatMap((own) =>
    own.flatMap((upper) => own.map((bone) => Number(isBelow(upper, bone)))),
  );
  const target: Target = {
    ...made.target,
    moves: floats(moves, [V, K, 3]),
    subtree: floats(subtree, [V, K, K]),
  };
  return { ...made, moves, subtree, target };
}

test.each([6, 7])("motion and tree terms equal loops (seed %i)", async (seed) => {
  const { weights, labels, vertexWeight, target, moves, subtree } = posed(seed);
  const logp = floats(weights.flat().map(Math.log), [V, K]);
  const plain = { divergence: 0, l1: 0, smooth: 0 };
  const value = async (config: Parameters<typeof skinLoss>[2]): Promise<number> =>
    (await valuesOf(skinLoss(logp, target, config)))[0];
  let motion = 0;
  let tree = 0;
  weights.forEach((row, v) => {
    const way = [0, 0, 0];
    for (let k = 0; k < K; k++) {
      for (let axis = 0; axis < 3; axis++) {
        way[axis] += (row[k] - labels[v][k]) * moves[(v * K + k) * 3 + axis];
      }
      let below = 0;
      for (let l = 0; l < K; l++) below += subtree[(v * K + k) * K + l] * (row[l] - labels[v][l]);
      tree += vertexWeight[v] * Math.abs(below);
    }
    motion += vertexWeight[v] * Math.sqrt(way[0] ** 2 + way[1] ** 2 + way[2] ** 2 + 1e-6);
  });
  expect(await value({ ...plain, motion: 2 })).toBeCloseTo(2 * motion, 4);
  expect(await value({ ...plain, tree: 0.5 })).toBeCloseTo(0.5 * tree, 4);
  expect(await value({ ...plain, motion: 1, tree: 1 })).toBeCloseTo(motion + tree, 4);
});

test("gradients of motion and tree terms equal finite differences", async () => {
  const { target } = posed(8);
  const random = createRandom(8);
  const scores = Float32Array.from({ length: V * K }, () => normal(random));
  const config = { divergence: 0.7, l1: 0.4, smooth: 0.02, motion: 5, tree: 0.3 };
  const lossOf = (x: Tensor): Tensor => skinLoss(logSoftmax(x, -1), target, config);
  const gradient = await valuesOf(grad(lossOf)(floats([...scores], [V, K])));
  const step = 1e-2;
  const at = async (i: number, by: number): Promise<number> => {
    const moved = [...scores];
    moved[i] += by;
    return (await valuesOf(lossOf(floats(moved, [V, K]))))[0];
  };
  for (let i = 0; i < scores.length; i += 5) {
    const slope = ((await at(i, step)) - (await at(i, -step))) / (2 * step);
    expect(Math.abs(gradient[i] - slope)).toBeLessThan(5e-3 + 0.02 * Math.abs(slope));
  }
});
