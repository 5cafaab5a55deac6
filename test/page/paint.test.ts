import { describe, expect, test } from "vitest";
import { createHistory } from "../../app/src/history.ts";
import { type Brush, dab, touchedVertices } from "../../app/src/paint/brush-stroke.ts";
import { giveWeight, readRow } from "../../app/src/paint/edit-row.ts";
import { copyWeights, rowChanges } from "../../app/src/paint/row-changes.ts";
import { makeSample } from "../../samples/index.ts";
import { createRandom } from "../../src/math/random.ts";
import { vertexNeighbors } from "../../src/mesh/adjacency.ts";
import { vertexNormals } from "../../src/mesh/normals.ts";

const { mesh, skeleton, weights: artist } = makeSample("fish");
const neighbors = vertexNeighbors(mesh.triangles, mesh.positions.length / 3);
const normals = vertexNormals(mesh);
const V = mesh.positions.length / 3;
const J = skeleton.names.length;

function under(vertex: number, radius: number) {
  const at = vertex * 3;
  const place = mesh.positions.subarray(at, at + 3);
  return touchedVertices(mesh.positions, normals, place, normals.subarray(at, at + 3), radius);
}

describe.each<Brush>(["add", "subtract", "smooth", "replace"])("the brush: %s", (kind) => {
  test.each([1, 2, 3])("leaves valid weights and locked joints as they were, seed %i", (seed) => {
    const random = createRandom(seed);
    const weights = copyWeights(artist!);
    const locked = new Set([Math.floor(random() * J)]);
    const before = copyWeights(weights);
    for (let stroke = 0; stroke < 20; stroke++) {
      const joint = Math.floor(random() * J);
      const touched = under(Math.floor(random() * V), 0.05 + 0.2 * random());
      dab(weights, touched, { kind, joint, strength: random(), locked, neighbors });
    }
    expect(weights).toBeSkinWeights(V, J);
    for (let v = 0; v < V; v++) {
      for (const joint of locked) {
        const was = readRow(before, v).get(joint) ?? 0;
        expect(readRow(weights, v).get(joint) ?? 0).toBeCloseTo(was, 4);
      }
    }
  });
});

test("add raises, subtract lowers, replace sets the weight at the center", () => {
  const center = 100;
  const joint = artist!.joints[center * artist!.influences];
  const other = (joint + 1) % J;
  const after = (kind: Brush, target: number, strength: number) => {
    const weights = copyWeights(artist!);
    const settings = { kind, joint: target, strength, locked: new Set<number>(), neighbors };
    dab(weights, under(center, 0.1), settings);
    return readRow(weights, center).get(target) ?? 0;
  };
  const was = (target: number) => readRow(artist!, center).get(target) ?? 0;
  expect(after("add", other, 0.4)).toBeCloseTo(Math.min(1, was(other) + 0.4), 2);
  expect(after("replace", other, 0.6)).toBeCloseTo(0.6, 2);
  expect(after("subtract", joint, 0.2)).toBeLessThanOrEqual(was(joint));
});

test("locked weights bound the weight that can be set", () => {
  const row = new Map([
    [0, 0.7],
    [1, 0.3],
  ]);
  const given = giveWeight(row, 2, 1, new Set([0]));
  expect(given.get(0)).toBe(0.7);
  expect(given.get(2)).toBeCloseTo(0.3);
  expect(giveWeight(row, 0, 0, new Set([0]))).toEqual(row);
});

test("undo and redo restore the same weights, seed 5", () => {
  const random = createRandom(5);
  const weights = copyWeights(artist!);
  const history = createHistory();
  const states = [copyWeights(weights)];
  for (let stroke = 0; stroke < 6; stroke++) {
    const before = copyWeights(weights);
    const joint = Math.floor(random() * J);
    const settings = { kind: "add" as const, joint, strength: 0.5, locked: new Set<number>() };
    dab(weights, under(Math.floor(random() * V), 0.2), { ...settings, neighbors });
    const step = rowChanges(before, weights);
    expect(step).toBeDefined();
    history.record(step!);
    states.push(copyWeights(weights));
  }
  for (let i = states.length - 2; i >= 0; i--) {
    history.undo();
    expect(weights).toEqual(states[i]);
  }
  expect(history.canUndo()).toBe(false);
  for (let i = 1; i < states.length; i++) {
    history.redo();
    expect(weights).toEqual(states[i]);
  }
  expect(history.canRedo()).toBe(false);
});

test("undo is disabled during a stroke, and works after it", () => {
  const history = createHistory();
  const undone: string[] = [];
  const step = (name: string) => ({ undo: () => undone.push(name), redo: () => undefined });
  history.record(step("first"));
  history.hold(true);
  history.undo();
  expect(undone).toEqual([]);
  expect([history.canUndo(), history.canRedo()]).toEqual([false, false]);
  history.hold(false);
  history.record(step("second"));
  history.undo();
  expect(undone).toEqual(["second"]);
  history.hold(true);
  history.clear();
  history.record(step("of the next character"));
  expect(history.canUndo()).toBe(true);
});
