import { expect, test } from "vitest";
import { exampleCharacter } from "../../../test/helpers/example-character.ts";
import { exampleSample } from "../../../test/helpers/example-sample.ts";
import { createPairGeometry, pairGeometry } from "../../graph/pair-geometry.ts";
import { createRandom } from "../../math/random.ts";
import { forwardKinematics, randomPose } from "../../skeleton/pose.ts";
import { linearBlend } from "../../weights/deform.ts";
import type { Sample } from "../sample.ts";
import { AUGMENT_DEFAULTS, augment, NO_AUGMENT } from "./augment.ts";
import { hideNames } from "./change-helpers.ts";
import { jitter, mirror, rotateSample, stretch, verticalRotation } from "./deform-sample.ts";
import { poseCharacter } from "./move.ts";
import { thinJoints } from "./thin.ts";

test("mirroring twice restores the sample; once keeps triangles facing along the normals", () => {
  const sample = exampleSample();
  const once = mirror(sample);
  expect(once.input.mesh.positions[0]).toBe(-sample.input.mesh.positions[0]);
  expect(mirror(once)).toEqual(sample);
  expect(facing(once)).toBeCloseTo(facing(sample), 5);
});

test("rotating there and back restores the sample", () => {
  const sample = exampleSample();
  const back = rotateSample(rotateSample(sample, verticalRotation(0.7)), verticalRotation(-0.7));
  expectClose(back.input.mesh.positions, sample.input.mesh.positions, 1e-5);
  expectClose(back.input.distances.distances, sample.input.distances.distances, 1e-5);
  expectClose(back.input.normals, sample.input.normals, 1e-5);
});

test("a rotated sample keeps distances in proportion to its geometry", () => {
  expectEuclidean(rotateSample(exampleSample(), verticalRotation(0.7)), 1e-5);
});

test("stretching scales straight distances exactly when uniform, nearly when not", () => {
  const sample = exampleSample();
  expectClose(
    stretch(sample, [2, 2, 2]).input.distances.distances,
    sample.input.distances.distances,
    1e-5,
  );
  // The closest point of a bone moves under a non-uniform stretch; the error is of second order.
  expectEuclidean(stretch(sample, [1.1, 0.95, 1]), 0.01);
  const size = spans(stretch(sample, [0.5, 1, 1.3]).input.mesh.positions);
  expect(Math.max(...size)).toBeCloseTo(1, 5);
});

test("noise on distances keeps rows in order and labels with their bones", () => {
  const sample = exampleSample();
  const noisy = jitter(sample, createRandom(3), 0.5);
  const k = sample.input.distances.k;
  let moved = 0;
  for (let i = 0; i < noisy.labels.length; i++) {
    const row = Math.floor(i / k) * k;
    const { bones, distances } = noisy.input.distances;
    if (i > row) expect(distances[i]).toBeGreaterThanOrEqual(distances[i - 1]);
    const before = sample.input.distances.bones.indexOf(bones[i], row);
    expect(before).toBeLessThan(row + k);
    expect(noisy.labels[i]).toBe(sample.labels[before]);
    expect(noisy.input.prior[i]).toBe(sample.input.prior[before]);
    if (before !== i) moved++;
  }
  expect(moved).toBeGreaterThan(0);
});

test("a posed character keeps its weights and moves like linear blend skinning", () => {
  const character = exampleCharacter();
  const posed = poseCharacter(character, createRandom(5));
  const { skeleton, mesh, weights } = character;
  const pose = randomPose(skeleton, createRandom(5), { probability: 0.5, degrees: 20 });
  const matrices = forwardKinematics(skeleton, pose);
  expect(posed.weights).toBe(weights);
  expect(posed.mesh.positions).toEqual(linearBlend(mesh.positions, weights, matrices));
  expect(posed.mesh.positions).not.toEqual(mesh.positions);
  // A vertex at a joint that follows only this joint moves with it.
  const atJoint = linearBlend(
    skeleton.positions,
    {
      influences: 1,
      joints: Uint16Array.from(skeleton.names.keys()),
      weights: new Float32Array(skeleton.names.length).fill(1),
    },
    matrices,
  );
  expectClose(posed.skeleton.positions, atJoint, 1e-6);
});

test("thinning keeps weight sums and a valid hierarchy", () => {
  const character = exampleCharacter("chain", 16, 9);
  for (const seed of [1, 2, 3, 4]) {
    const thin = thinJoints(character, createRandom(seed), 0.5);
    const J = thin.skeleton.names.length;
    expect(J, `seed ${seed}`).toBeLessThan(character.skeleton.names.length);
    const { influences, joints, weights } = thin.weights;
    for (let v = 0; v * influences < weights.length; v++) {
      const row = weights.subarray(v * influences, (v + 1) * influences);
      expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
    }
    expect(Math.max(...joints)).toBeLessThan(J);
    thin.skeleton.names.forEach((name, joint) => {
      const was = character.skeleton.names.indexOf(name);
      let ancestor = character.skeleton.parents[was];
      while (ancestor >= 0 && !thin.skeleton.names.includes(character.skeleton.names[ancestor])) {
        ancestor = character.skeleton.parents[ancestor];
      }
      const parent = thin.skeleton.parents[joint];
      expect(parent < 0 ? undefined : thin.skeleton.names[parent]).toBe(
        ancestor < 0 ? undefined : character.skeleton.names[ancestor],
      );
    });
  }
});

test("names are hidden with the given probability", () => {
  const sample = exampleSample();
  expect(hideNames(sample, createRandom(1), { all: 1, each: 0 }).input.skeleton.names).toEqual(
    sample.input.skeleton.names.map(() => ""),
  );
  expect(hideNames(sample, createRandom(1), { all: 0, each: 0 })).toEqual(sample);
});

test("without switches nothing changes; a seed determines the sample", () => {
  const sample = exampleSample();
  expect(augment(sample, NO_AUGMENT, "a")).toBe(sample);
  const one = augment(sample, AUGMENT_DEFAULTS, "a");
  expect(augment(sample, AUGMENT_DEFAULTS, "a")).toEqual(one);
  expect(augment(sample, AUGMENT_DEFAULTS, "b")).not.toEqual(one);
});

/** Mean of cos(angle between a triangle and the normal of its first vertex). */
function facing({ input: { mesh, normals } }: Sample): number {
  let sum = 0;
  for (let f = 0; f < mesh.triangles.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => mesh.triangles[f + i] * 3);
    const u = [0, 1, 2].map((i) => mesh.positions[b + i] - mesh.positions[a + i]);
    const v = [0, 1, 2].map((i) => mesh.positions[c + i] - mesh.positions[a + i]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(n[0], n[1], n[2]);
    for (let i = 0; i < 3; i++) sum += (n[i] / length) * normals[a + i];
  }
  return sum / (mesh.triangles.length / 3);
}

/** The sample's distances are Euclidean, and must still be after a change of space. */
function expectEuclidean({ input }: Sample, tolerance: number): void {
  const { k, bones, distances } = input.distances;
  for (let i = 0; i < bones.length; i++) {
    const at = Math.floor(i / k) * 3;
    const [x, y, z] = input.mesh.positions.subarray(at, at + 3);
    const { distance } = pairGeometry(x, y, z, input.bones, bones[i], createPairGeometry());
    expect(Math.abs(distances[i] - distance)).toBeLessThanOrEqual(tolerance);
  }
}

function spans(positions: Float32Array): number[] {
  return [0, 1, 2].map((axis) => {
    const values = positions.filter((_, i) => i % 3 === axis);
    return Math.max(...values) - Math.min(...values);
  });
}

function expectClose(got: Float32Array, wanted: Float32Array, tolerance: number): void {
  expect(got.length).toBe(wanted.length);
  for (let i = 0; i < got.length; i++) {
    expect(Math.abs(got[i] - wanted[i])).toBeLessThanOrEqual(tolerance);
  }
}
