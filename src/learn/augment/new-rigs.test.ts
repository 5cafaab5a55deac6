import { expect, test } from "vitest";
import { makeSample } from "../../../samples/index.ts";
import { prepareCharacter } from "../../character/prepare-character.ts";
import { createRandom } from "../../math/random.ts";
import { parentsFirst } from "../../skeleton/skeleton.ts";
import { attachPart, looseParts } from "./attach-part.ts";
import { changeHelpers, removeHelpers } from "./change-helpers.ts";
import { boneThickness, moveJoints } from "./move.ts";
import { resizeParts } from "./resize-parts.ts";
import { splitBones } from "./split-bones.ts";
import { thinJoints, twinJoints } from "./thin.ts";
import { carriedWeight, shuffleJoints, type Weighted } from "./weighted.ts";

const NAMES = ["fox", "robot"];
const drawn = (name: string): Weighted => prepareCharacter(makeSample(name)).character as Weighted;

/** V×J weights. */
function dense({ mesh, skeleton, weights }: Weighted): Float64Array[] {
  const rows = Array.from(
    { length: mesh.positions.length / 3 },
    () => new Float64Array(skeleton.parents.length),
  );
  weights.weights.forEach((weight, i) => {
    rows[Math.floor(i / weights.influences)][weights.joints[i]] += weight;
  });
  return rows;
}

const CHANGES: Record<string, (character: Weighted, seed: string) => Weighted> = {
  resizeParts: (c, seed) => resizeParts(c, createRandom(seed)),
  splitBones: (c, seed) => splitBones(c, createRandom(seed), 0.5),
  thinJoints: (c, seed) => thinJoints(c, createRandom(seed), 0.3, 0.5),
  moveJoints: (c, seed) => moveJoints(c, createRandom(seed)),
  attachPart: (c, seed) => attachPart(c, looseParts(drawn("robot"))[0], createRandom(seed)),
  changeHelpers: (c, seed) => changeHelpers(c, createRandom(seed)),
  twinJoints: (c, seed) => twinJoints(c, createRandom(seed)),
  shuffleJoints: (c, seed) => shuffleJoints(c, createRandom(seed)),
};

for (const [name, change] of Object.entries(CHANGES)) {
  test.each(NAMES)(`${name} keeps the character complete and the weights valid: %s`, (sample) => {
    for (const seed of ["a", "b"]) {
      const character = drawn(sample);
      const made = change(character, seed);
      const J = made.skeleton.parents.length;
      expect(made.skeleton.names).toHaveLength(J);
      expect(made.skeleton.positions).toHaveLength(J * 3);
      // Throws if a joint is its own ancestor.
      expect(parentsFirst(made.skeleton)).toHaveLength(J);
      expect(made.mesh.positions.every(Number.isFinite)).toBe(true);
      expect(made.skeleton.positions.every(Number.isFinite)).toBe(true);
      for (const row of dense(made)) {
        expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 4);
      }
      expect(change(character, seed)).toEqual(made);
    }
  });
}

test("a resize by 1 moves nothing; other resizes keep joints in the middle of what they move", () => {
  const fox = drawn("fox");
  const same = resizeParts(fox, createRandom(1), { size: 0, length: 0, inherit: 0.7 });
  expect(same.mesh.positions).toBeAllClose(fox.mesh.positions, 1e-5);
  expect(same.skeleton.positions).toBeAllClose(fox.skeleton.positions, 1e-5);
  const other = resizeParts(fox, createRandom(1));
  expect(other.mesh.positions).not.toBeAllClose(fox.mesh.positions, 1e-2);
  const [before, after] = [boneThickness(fox), boneThickness(other)];
  before.forEach((thickness, joint) => {
    if (thickness > 0) expect(after[joint] / thickness).toBeLessThan(3);
  });
});

test("a joint and a vertex on it move together when parts are resized", () => {
  const fox = drawn("fox");
  const joint = 3;
  const at = Array.from(fox.skeleton.positions.subarray(joint * 3, joint * 3 + 3));
  const pinned: Weighted = {
    ...fox,
    mesh: { positions: Float32Array.from(at), triangles: new Uint32Array(0) },
    weights: { influences: 1, joints: Uint16Array.of(joint), weights: Float32Array.of(1) },
  };
  const made = resizeParts(pinned, createRandom(5));
  expect(made.mesh.positions).toBeAllClose(
    made.skeleton.positions.subarray(joint * 3, joint * 3 + 3),
    1e-5,
  );
});

test("the two halves of a split bone share its weight", () => {
  const fox = drawn("fox");
  const made = splitBones(fox, createRandom(2), 1);
  const J = fox.skeleton.parents.length;
  expect(made.skeleton.parents.length).toBeGreaterThan(J);
  const [before, after] = [dense(fox), dense(made)];
  let shared = 0;
  after.forEach((row, v) => {
    const whole = Float64Array.from(before[v]);
    for (let added = J; added < row.length; added++) {
      const old = made.skeleton.parents[added];
      expect(row[old] + row[added]).toBeCloseTo(whole[old], 4);
      if (row[old] > 0.01 && row[added] > 0.01) shared++;
    }
  });
  expect(shared).toBeGreaterThan(10);
});

test("merging adds the weights of removed joints to those that are kept", () => {
  const dancer = drawn("dancer");
  for (const down of [0, 1]) {
    const made = thinJoints(dancer, createRandom(4), 0.4, down);
    expect(made.skeleton.parents.length).toBeLessThan(dancer.skeleton.parents.length);
    const total = (c: Weighted) => carriedWeight(c).reduce((sum, weight) => sum + weight, 0);
    expect(total(made)).toBeCloseTo(total(dancer), 1);
    const before = carriedWeight(dancer);
    carriedWeight(made).forEach((weight, joint) => {
      const old = dancer.skeleton.names.indexOf(made.skeleton.names[joint]);
      expect(weight).toBeGreaterThanOrEqual(before[old] - 1e-3);
    });
  }
});

test("an attached part follows one joint, that of its position", () => {
  const fox = drawn("fox");
  const part = looseParts(drawn("robot"))[0];
  const made = attachPart(fox, part, createRandom(9));
  const V = fox.mesh.positions.length / 3;
  const rows = dense(made).slice(V);
  expect(rows).toHaveLength(part.positions.length / 3);
  const joint = rows[0].indexOf(1);
  expect(joint).toBeGreaterThanOrEqual(0);
  for (const row of rows) expect(row[joint]).toBe(1);
  expect(Math.max(...made.mesh.triangles)).toBe(V + rows.length - 1);
});

test("helpers and twins have no weight, and other joints keep theirs", () => {
  for (const change of [CHANGES.changeHelpers, CHANGES.twinJoints]) {
    for (const seed of ["1", "2", "3", "4", "5"]) {
      const dancer = drawn("dancer");
      const made = change(dancer, seed);
      const count = (c: Weighted) => carriedWeight(c).filter((weight) => weight > 0).length;
      expect(count(made), seed).toBe(count(dancer));
    }
  }
});

test("removing helpers removes no joint with weight, and keeps every joint's ancestors", () => {
  const withHelpers = changeHelpers(drawn("dancer"), createRandom("many"));
  const made = removeHelpers(withHelpers, createRandom(1), 1);
  expect(carriedWeight(made).filter((weight) => weight > 0).length).toBe(
    carriedWeight(withHelpers).filter((weight) => weight > 0).length,
  );
  const roots = (c: Weighted) => c.skeleton.parents.filter((parent) => parent < 0).length;
  expect(roots(made)).toBeLessThanOrEqual(roots(withHelpers));
});

test("another order of joints is the same rig", () => {
  const fox = drawn("fox");
  const made = shuffleJoints(fox, createRandom(3));
  const parentName = ({ skeleton }: Weighted, name: string) =>
    skeleton.names[skeleton.parents[skeleton.names.indexOf(name)]];
  for (const name of fox.skeleton.names) expect(parentName(made, name)).toBe(parentName(fox, name));
  const [before, after] = [dense(fox), dense(made)];
  fox.skeleton.names.forEach((name, joint) => {
    const moved = made.skeleton.names.indexOf(name);
    expect(after.map((row) => row[moved])).toEqual(before.map((row) => row[joint]));
  });
});
