import { beforeAll, expect, test } from "vitest";
import {
  denseRows,
  drawingScope,
  expectRows,
  floats,
  randomRows,
  segmentTensors,
} from "../../test/helpers/graph-arrays.ts";
import { startJax } from "../compile/jax.ts";
import { buildSegments } from "../graph/segments.ts";
import { createRandom } from "../math/random.ts";
import { boneToVertex, vertexToBone } from "./convolutions.ts";

beforeAll(startJax);

const [V, B, K, FV, FB, OUT] = [40, 5, 3, 4, 6, 7];

/** Vertices with up to K candidate bones in order; no vertex has bone 4, and vertex 7 has no candidates. */
function scene(seed: number) {
  const random = createRandom(seed);
  const candidates = Array.from({ length: V }, (_, v) => {
    const bones = [0, 1, 2, 3].sort(() => random() - 0.5);
    return v === 7 ? [] : bones.slice(0, 1 + Math.floor(random() * K));
  });
  const slots = candidates.flatMap((list) => Array.from({ length: K }, (_, k) => list[k] ?? -1));
  const segments = buildSegments(Int32Array.from(slots), B);
  return {
    candidates,
    vertices: randomRows(random, V, FV),
    bones: randomRows(random, B, FB),
    scope: drawingScope(random),
    bonePairs: segmentTensors(segments, [V, K]),
    pairValid: floats(
      slots.map((bone) => (bone < 0 ? 0 : 1)),
      [V, K],
    ),
  };
}

test.each([1, 2, 3])("bone to vertex follows equation 5 (seed %i)", async (seed) => {
  const { candidates, vertices, bones, scope, bonePairs, pairValid } = scene(seed);
  const out = boneToVertex(
    scope,
    "x",
    floats(vertices.flat(), [V, FV]),
    floats(bones.flat(), [B, FB]),
    bonePairs,
    pairValid,
    OUT,
  );
  const joined = vertices.map((own, v) => [
    ...own,
    ...Array.from({ length: K }, (_, k) => bones[candidates[v][k]] ?? Array(FB).fill(0)).flat(),
  ]);
  await expectRows(out, denseRows(joined, scope.arrays["x.b2v.W"], scope.arrays["x.b2v.b"]));
});

test.each([4, 5, 6])("vertex to bone follows equation 4 (seed %i)", async (seed) => {
  const { candidates, vertices, bones, scope, bonePairs, pairValid } = scene(seed);
  const out = vertexToBone(
    scope,
    "x",
    floats(vertices.flat(), [V, FV]),
    floats(bones.flat(), [B, FB]),
    bonePairs,
    pairValid,
    OUT,
  );
  const joined = bones.map((own, b) => {
    const seen = vertices.filter((_, v) => candidates[v].includes(b));
    const columns = own.length > 0 ? vertices[0].map((_, f) => seen.map((row) => row[f])) : [];
    const mean = columns.map((list) => list.reduce((a, c) => a + c, 0) / Math.max(1, list.length));
    const variance = columns.map(
      (list, f) => list.reduce((a, c) => a + (c - mean[f]) ** 2, 0) / Math.max(1, list.length),
    );
    const highest = columns.map((list) => (list.length > 0 ? Math.max(...list) : 0));
    return [...own, ...highest, ...mean, ...variance.map((value) => 0.1 * value)];
  });
  expect(joined[4].slice(FB)).toEqual(Array(3 * FV).fill(0));
  await expectRows(out, denseRows(joined, scope.arrays["x.v2b.W"], scope.arrays["x.v2b.b"]));
});
