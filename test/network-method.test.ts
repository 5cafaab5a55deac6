/** The method `network` from a character to its weights, with a small untrained network. */
import { beforeAll, expect, test } from "vitest";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { startJax } from "../src/compile/jax.ts";
import { InputError } from "../src/input-error.ts";
import { createRandom } from "../src/math/random.ts";
import { loadMethod } from "../src/methods/methods.ts";
import { parameterSpecs } from "../src/network/network.ts";
import { initialParameters } from "../src/network/parameters.ts";
import { writeOnnx } from "../src/onnx/onnx-writer.ts";
import { skin } from "../src/skin.ts";
import { exportModel } from "../src/train/step/export-model.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { exampleCharacter } from "./helpers/example-character.ts";
import { smallConfig } from "./helpers/example-config.ts";

let model: Uint8Array;

beforeAll(async () => {
  await startJax();
  const config = smallConfig("default");
  model = await exportModel(config, initialParameters(parameterSpecs(config), 11));
});

async function weightsOf(character: Character): Promise<SkinWeights> {
  const { weights } = await skin(character, { model, threads: 1, maxInfluences: 4, prune: 0 });
  return weights;
}

/** V×J weights. */
function dense({ influences, joints, weights }: SkinWeights, count: number): number[][] {
  const rows = Array.from({ length: weights.length / influences }, () => Array(count).fill(0));
  weights.forEach((weight, i) => {
    if (weight > 0) rows[Math.floor(i / influences)][joints[i]] = weight;
  });
  return rows;
}

/** The character with its vertices in the given order; triangles keep their positions in space. */
function withVertices(character: Character, order: Int32Array, triangles: Uint32Array): Character {
  const { positions } = character.mesh;
  const moved = new Float32Array(order.length * 3);
  order.forEach((from, v) => {
    moved.set(positions.subarray(from * 3, from * 3 + 3), v * 3);
  });
  const { name, skeleton } = character;
  return { name, skeleton, mesh: { positions: moved, triangles } };
}

test("duplicated vertices receive the same weights, so that seams stay closed", async () => {
  const whole = exampleCharacter();
  const corners = Int32Array.from(whole.mesh.triangles);
  // Separate triangles: each vertex occurs as often as it has triangles.
  const soup = withVertices(
    whole,
    corners,
    Uint32Array.from(corners, (_, i) => i),
  );
  const joints = whole.skeleton.parents.length;
  const expected = dense(await weightsOf(whole), joints);
  dense(await weightsOf(soup), joints).forEach((row, corner) => {
    expect(row).toBeAllClose(expected[corners[corner]], 1e-4);
  });
});

test("the order of vertices does not affect any step from voxels to weights", async () => {
  const whole = exampleCharacter();
  const random = createRandom(3);
  const order = Int32Array.from({ length: whole.mesh.positions.length / 3 }, (_, v) => v);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  const place = new Uint32Array(order.length);
  order.forEach((from, v) => {
    place[from] = v;
  });
  const mixed = withVertices(
    whole,
    order,
    whole.mesh.triangles.map((v) => place[v]),
  );
  const joints = whole.skeleton.parents.length;
  const expected = dense(await weightsOf(whole), joints);
  dense(await weightsOf(mixed), joints).forEach((row, v) => {
    expect(row).toBeAllClose(expected[order[v]], 1e-4);
  });
});

test.each([1, 2, 3])(
  "%i joints, fewer than the network's candidates, receive complete weights",
  async (joints) => {
    const { mesh, skeleton } = exampleCharacter();
    const few = {
      names: skeleton.names.slice(0, joints),
      parents: skeleton.parents.slice(0, joints),
      positions: skeleton.positions.slice(0, joints * 3),
    };
    const weights = await weightsOf({ name: "few", mesh, skeleton: few });
    expect(weights).toBeSkinWeights(mesh.positions.length / 3, joints);
    if (joints === 1)
      expect([...weights.weights].every((w, i) => w === (i % weights.influences ? 0 : 1))).toBe(
        true,
      );
  },
);

test.each([
  ["one vertex without a triangle", [0.1, 0.2, 0.3], []],
  ["loose vertices", [0, 0, 0, 0.5, 1, 0, 0.2, 0.1, 0], []],
  ["one triangle", [0, 0, 0, 0.5, 1, 0, 0.2, 0.1, 0], [0, 1, 2]],
])("%s: still valid weights", async (name, positions, triangles) => {
  const { skeleton } = exampleCharacter();
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const weights = await weightsOf({ name, mesh, skeleton });
  expect(weights).toBeSkinWeights(positions.length / 3, skeleton.parents.length);
});

test("an opened model is reused for later characters", async () => {
  const bytes = model.slice();
  const character = exampleCharacter();
  const first = await skin(character, { model: bytes, threads: 1 });
  // Opened models are cached by their array: the content is not read again.
  bytes.fill(0);
  const second = await skin(character, { model: bytes, threads: 1 });
  expect(second.weights).toEqual(first.weights);
});

test("an invalid model, or that of another program, is refused in a sentence", async () => {
  const character = exampleCharacter();
  await expect(skin(character, { model: Uint8Array.of(1, 2, 3) })).rejects.toThrow(InputError);
  const foreign = writeOnnx({
    nodes: [{ op: "Identity", inputs: ["a"], outputs: ["b"], attributes: {} }],
    initializers: [],
    inputs: [{ name: "a", type: "float32", shape: [1] }],
    outputs: [{ name: "b", type: "float32", shape: [1] }],
    metadata: {},
  });
  await expect(skin(character, { model: foreign })).rejects.toThrow(InputError);
  await expect(skin(character, { method: "network" })).rejects.toThrow("trained model");
});

test("paths inside the body reach no loose part, yet the network assigns every vertex a joint", async () => {
  const config = smallConfig("rignet");
  const bytes = await exportModel(config, initialParameters(parameterSpecs(config), 3));
  const { name, skeleton, mesh } = exampleCharacter();
  // A tetrahedron next to the body.
  const corners = [2, 0, 0, 2.2, 0, 0, 2, 0.2, 0, 2, 0, 0.2];
  const first = mesh.positions.length / 3;
  const faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].map((corner) => first + corner);
  const positions = Float32Array.of(...mesh.positions, ...corners);
  const triangles = Uint32Array.of(...mesh.triangles, ...faces);
  const prepared = prepareCharacter({ name, skeleton, mesh: { positions, triangles } });
  const solve = await loadMethod("network");
  const solved = await solve(prepared, { model: bytes, threads: 1 });
  const { influences, weights } = solved.weights;
  for (let v = 0; v < weights.length; v += influences) {
    const sum = weights.subarray(v, v + influences).reduce((total, weight) => total + weight, 0);
    expect(sum).toBeCloseTo(1, 4);
  }
});
