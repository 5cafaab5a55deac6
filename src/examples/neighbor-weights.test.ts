import { describe, expect, test } from "vitest";
import { exampleCharacter } from "../../test/helpers/example-character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { vertexL1 } from "../evaluate/metrics.ts";
import { emptyWeights } from "../weights/skin-weights.ts";
import type { Exemplar } from "./exemplars.ts";
import { mixNeighbors, neighborFinder } from "./neighbor-weights.ts";

const character = prepareCharacter(exampleCharacter()).character;
const weights = character.weights!;
const V = character.mesh.positions.length / 3;
const itself: Exemplar = {
  skeleton: character.skeleton,
  positions: character.mesh.positions,
  weights,
};

/** All weight on the first joint. */
function wrongWeights() {
  const wrong = emptyWeights(V, 2);
  for (let v = 0; v < V; v++) wrong.weights[v * 2] = 1;
  return wrong;
}

describe("neighborFinder", () => {
  test("finds each vertex of an exemplar in the exemplar itself", () => {
    const find = neighborFinder(character, [itself])!;
    for (let v = 0; v < V; v++) {
      const { row, distance } = find(v);
      expect(distance).toBeLessThan(1e-6);
      expect(row.values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
    }
  });

  test("finds the same whatever was searched before", () => {
    const [inOrder, alone] = [0, 1].map(() => neighborFinder(character, [itself])!);
    for (let v = 0; v < V; v += 3) {
      const fresh = neighborFinder(character, [itself])!;
      expect(inOrder(v)).toEqual(fresh(v));
      expect(alone((v * 7919) % V)).toEqual(fresh((v * 7919) % V));
    }
  });

  test("matches joints by name, in any order", () => {
    const { names, parents, positions } = character.skeleton;
    const last = names.length - 1;
    const flipped: Exemplar = {
      positions: itself.positions,
      skeleton: {
        names: names.toReversed(),
        parents: parents.toReversed().map((parent) => (parent < 0 ? -1 : last - parent)),
        positions: positions.map((_, i) => positions[(last - Math.floor(i / 3)) * 3 + (i % 3)]),
      },
      weights: { ...weights, joints: weights.joints.map((joint) => last - joint) },
    };
    const [one, other] = [itself, flipped].map((each) => neighborFinder(character, [each])!);
    for (let v = 0; v < V; v += 5) {
      const [a, b] = [one(v).row, other(v).row];
      const byJoint = (row: typeof a) =>
        Object.fromEntries(row.joints.map((joint, i) => [joint, row.values[i].toFixed(5)]));
      expect(byJoint(b)).toEqual(byJoint(a));
    }
  });

  test("finds the same vertices in an exemplar with a larger bounding box", () => {
    const grown = {
      ...itself,
      positions: itself.positions.map((value) => value * 0.6),
      skeleton: {
        ...itself.skeleton,
        positions: itself.skeleton.positions.map((value) => value * 0.6),
      },
    };
    const [one, other] = [itself, grown].map((each) => neighborFinder(character, [each])!);
    for (let v = 0; v < V; v += 3) {
      expect(other(v).distance).toBeLessThan(1e-5);
      expect(other(v).row.joints).toEqual(one(v).row.joints);
    }
  });

  test("returns nothing if few names are shared", () => {
    const names = itself.skeleton.names.map((name, joint) =>
      joint === 1 ? name : `other ${name}`,
    );
    const stranger = { ...itself, skeleton: { ...itself.skeleton, names } };
    expect(mixNeighbors(wrongWeights(), character, [stranger])).toEqual(wrongWeights());
  });

  test("returns nothing if no name is shared", () => {
    const stranger = {
      ...itself,
      skeleton: { ...itself.skeleton, names: itself.skeleton.names.map((name) => `other ${name}`) },
    };
    expect(neighborFinder(character, [stranger])).toBeUndefined();
    expect(mixNeighbors(weights, character, [stranger])).toBe(weights);
  });
});

describe("mixNeighbors", () => {
  test("moves wrong weights towards those of an exemplar, and keeps them valid", () => {
    const wrong = wrongWeights();
    const mixed = mixNeighbors({ ...wrong }, character, [itself]);
    expect(mixed).toBeSkinWeights(V, character.skeleton.names.length);
    const [before, after] = [vertexL1(wrong, weights), vertexL1(mixed, weights)];
    const worse = after.filter((error, v) => error > before[v] + 1e-5).length;
    // Near the ends of a blend the mean of eight neighbors may differ from the vertex itself.
    expect(worse).toBeLessThan(V / 10);
    const sum = (errors: Float32Array) => errors.reduce((total, error) => total + error, 0);
    expect(sum(after)).toBeLessThan(0.9 * sum(before));
  });
});
