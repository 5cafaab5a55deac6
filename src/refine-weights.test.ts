import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { noisyWeights } from "../test/helpers/symmetric-character.ts";
import { prepareCharacter } from "./character/prepare-character.ts";
import { measureDistancesSync } from "./distance/measure.ts";
import { refineWeights } from "./refine.ts";
import { farDistance, meanBleed, vertexBleed } from "./review/bleed.ts";
import { readRow, weightIn } from "./weights/skin-weights.ts";

const { character } = prepareCharacter(makeSample("fox"));
const V = character.mesh.positions.length / 3;
const J = character.skeleton.parents.length;
const { distances } = measureDistancesSync(character, { k: J });

describe("refineWeights", () => {
  test("leaves no bleed but where all of a vertex's joints are far", () => {
    const noisy = noisyWeights(V, J, 41);
    const { weights, changed } = refineWeights(noisy, distances);
    expect(weights).toBeSkinWeights(V, J);
    expect(changed).toBeGreaterThan(V / 2);
    const [before, after] = [vertexBleed(noisy, distances), vertexBleed(weights, distances)];
    expect(meanBleed(noisy, distances)).toBeGreaterThan(0.3);
    for (let vertex = 0; vertex < V; vertex++) {
      if (after[vertex] > 0) expect(before[vertex]).toBeCloseTo(1, 5);
    }
  });

  test("leaves rows on near joints as they are", () => {
    const artist = character.weights!;
    const { weights, changed } = refineWeights(artist, distances);
    let near = 0;
    for (let vertex = 0; vertex < V; vertex++) {
      const row = readRow(artist, vertex);
      const bones = distances.bones.subarray(vertex * J, vertex * J + J);
      const limit = farDistance(distances.distances[vertex * J]) * 0.75;
      const isNear = row.joints.every(
        (joint) => distances.distances[vertex * J + bones.indexOf(joint)] <= limit,
      );
      if (!isNear) continue;
      near++;
      const after = readRow(weights, vertex);
      row.joints.forEach((joint, i) => {
        expect(weightIn(after, joint)).toBeCloseTo(row.values[i], 6);
      });
    }
    expect(near).toBeGreaterThan(V / 2);
    expect(changed).toBeLessThanOrEqual(V - near);
  });
});
