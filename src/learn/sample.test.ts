import { expect, test } from "vitest";
import { exampleSample } from "../../test/helpers/example-sample.ts";
import { decodeSample, encodeSample } from "./sample.ts";

test("a sample is restored within the documented rounding", () => {
  const sample = exampleSample();
  const { distances } = sample.input;
  // An empty slot and a bone that no path reaches.
  distances.bones[3] = -1;
  distances.distances[3] = Number.POSITIVE_INFINITY;
  sample.labels[3] = 0;
  distances.distances[2] = Number.POSITIVE_INFINITY;
  const bytes = encodeSample(sample);
  const back = decodeSample(bytes);
  const { input } = back;
  expect(input.mesh.triangles).toEqual(sample.input.mesh.triangles);
  expect(input.skeleton).toEqual(sample.input.skeleton);
  expect(input.bones).toEqual(sample.input.bones);
  expect(input.distances.bones).toEqual(distances.bones);
  expect(input.ball).toEqual(sample.input.ball);
  expect(back.counts).toEqual(sample.counts);
  expectClose(input.mesh.positions, sample.input.mesh.positions, () => 0.5 / 65535 + 1e-7);
  expectClose(input.distances.distances, distances.distances, (d) => d / 2048 + 1e-7);
  expectClose(input.normals, sample.input.normals, () => 0.5 / 127 + 1e-6);
  expectClose(input.prior, sample.input.prior, () => 0.5 / 65535 + 1e-7);
  expectClose(back.labels, sample.labels, () => 0.5 / 65535 + 1e-7);
});

test("a sample decodes from the middle of a file at any offset", () => {
  const bytes = encodeSample(exampleSample());
  for (const offset of [3, 8]) {
    const file = new Uint8Array(bytes.length + offset);
    file.set(bytes, offset);
    expect(decodeSample(file.subarray(offset))).toEqual(decodeSample(bytes));
  }
  expect(() => decodeSample(bytes.subarray(0, bytes.length - 9))).toThrow("cut short");
});

function expectClose(
  got: Float32Array,
  wanted: Float32Array,
  tolerance: (value: number) => number,
): void {
  expect(got.length).toBe(wanted.length);
  for (let i = 0; i < got.length; i++) {
    if (got[i] === wanted[i]) continue;
    expect(Math.abs(got[i] - wanted[i])).toBeLessThanOrEqual(tolerance(Math.abs(wanted[i])));
  }
}
