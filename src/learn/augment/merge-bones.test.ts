import { expect, test } from "vitest";
import { exampleSample } from "../../../test/helpers/example-sample.ts";
import { createRandom } from "../../math/random.ts";
import { axisRotation, randomRotation, rotateSample } from "./deform-sample.ts";
import { mergeBones } from "./merge-bones.ts";

test.each([1, 2, 3, 4])(
  "merged bones keep all labels and the nearest distance (seed %i)",
  (seed) => {
    const sample = exampleSample();
    const merged = mergeBones(sample, createRandom(seed), 0.4);
    const { k } = sample.input.distances;
    const B = merged.input.skeleton.parents.length;
    expect(merged.input.bones.starts).toHaveLength(B + 1);
    expect(merged.input.inside).toHaveLength(merged.input.bones.segments.length / 6);
    for (let row = 0; row < sample.labels.length; row += k) {
      const sum = (values: Float32Array) =>
        values.subarray(row, row + k).reduce((total, value) => total + value, 0);
      expect(sum(merged.labels)).toBeCloseTo(sum(sample.labels), 5);
      expect(sum(merged.input.prior)).toBeCloseTo(sum(sample.input.prior), 4);
      expect(merged.input.distances.distances[row]).toBe(sample.input.distances.distances[row]);
      const bones = Array.from(merged.input.distances.bones.subarray(row, row + k));
      const real = bones.filter((bone) => bone >= 0);
      expect(new Set(real).size).toBe(real.length);
      expect(bones.slice(real.length).every((bone) => bone === -1)).toBe(true);
      expect(real.every((bone) => bone < B)).toBe(true);
    }
  },
);

test("nothing merged, nothing changed", () => {
  const sample = exampleSample();
  expect(mergeBones(sample, createRandom(1), 0)).toBe(sample);
});

test("a rotation keeps lengths, and four quarter turns restore the sample", () => {
  const random = createRandom(8);
  for (let i = 0; i < 20; i++) {
    const [a, b, c, d, e, f] = randomRotation(random);
    expect(Math.hypot(a, b, c)).toBeCloseTo(1, 6);
    expect(a * d + b * e + c * f).toBeCloseTo(0, 6);
  }
  const sample = exampleSample();
  const quarter = axisRotation([1, 0, 0], Math.PI / 2);
  let turned = sample;
  for (let i = 0; i < 4; i++) turned = rotateSample(turned, quarter);
  expect(turned.input.mesh.positions).toBeAllClose(sample.input.mesh.positions, 1e-5);
  expect(turned.input.distances.distances).toBeAllClose(sample.input.distances.distances, 1e-5);
});
