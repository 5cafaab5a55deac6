import { describe, expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { createRandom } from "../math/random.ts";
import type { Character } from "./character.ts";
import { prepareCharacter, restoreWeights } from "./prepare-character.ts";

/** Triangle soup: a grid of quads in which no two triangles share a vertex. */
function soup(seed: number): Character {
  const random = createRandom(seed);
  const size = 10 ** (random() * 4 - 2);
  const corner = [random() * 9, random() * 9, random() * 9];
  const positions: number[] = [];
  for (let i = 0; i < 40; i++) {
    const x = i % 8;
    const y = Math.floor(i / 8);
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
    ]) {
      positions.push(
        corner[0] + (x + dx) * size,
        corner[1] + (y + dy) * size,
        corner[2] + Math.sin(x + dx) * size,
      );
    }
  }
  return {
    name: "soup",
    mesh: {
      positions: Float32Array.from(positions),
      triangles: Uint32Array.from({ length: 120 }, (_, i) => i),
    },
    skeleton: {
      names: ["a", "b"],
      parents: Int32Array.of(1, -1),
      positions: Float32Array.of(0, 0, 0, 1, 2, 3),
    },
  };
}

function single(change: Partial<Character["mesh"]> = {}): Character {
  return {
    name: "dot",
    mesh: { positions: Float32Array.of(3, 4, 5), triangles: new Uint32Array(0), ...change },
    skeleton: {
      names: ["root"],
      parents: Int32Array.of(-1),
      positions: Float32Array.of(3, 5, 5),
    },
  };
}

describe("prepareCharacter", () => {
  test.each([1, 2, 3])(
    "moves the mesh into a box of longest side 1 on the floor, centered, seed %i",
    (seed) => {
      const { positions } = prepareCharacter(soup(seed)).character.mesh;
      const axis = (a: number) => [...positions].filter((_, i) => i % 3 === a);
      const low = [0, 1, 2].map((a) => Math.min(...axis(a)));
      const high = [0, 1, 2].map((a) => Math.max(...axis(a)));
      expect(Math.max(...high.map((value, a) => value - low[a]))).toBeCloseTo(1, 5);
      expect(low[1]).toBeCloseTo(0, 5);
      expect(low[0] + high[0]).toBeCloseTo(0, 5);
      expect(low[2] + high[2]).toBeCloseTo(0, 5);
    },
  );

  test.each([1, 2, 3])("can be undone for vertices and joints, seed %i", (seed) => {
    const original = soup(seed);
    const { character, welded, scale, offset } = prepareCharacter(original);
    const back = (prepared: Float32Array, i: number, axis: number) =>
      prepared[i * 3 + axis] / scale + offset[axis];
    welded.forEach((place, vertex) => {
      for (let axis = 0; axis < 3; axis++) {
        const expected = original.mesh.positions[vertex * 3 + axis];
        const error = Math.abs(back(character.mesh.positions, place, axis) - expected);
        expect(error * scale).toBeLessThan(2e-5);
      }
    });
    for (let axis = 0; axis < 3; axis++) {
      const expected = original.skeleton.positions[3 + axis];
      expect(back(character.skeleton.positions, 1, axis)).toBeCloseTo(expected, 3);
    }
  });

  test("welds the soup and keeps its triangles", () => {
    const { character, welded } = prepareCharacter(soup(4));
    expect(welded).toHaveLength(120);
    expect(character.mesh.positions.length / 3).toBe(53);
    expect(character.mesh.triangles).toHaveLength(120);
  });

  test("averages the artist's weights over welded vertices", () => {
    const character = single({ positions: Float32Array.of(0, 0, 0, 0, 0, 0, 1, 1, 1) });
    character.skeleton = {
      names: ["a", "b", "c", "d"],
      parents: Int32Array.of(-1, 0, 1, 2),
      positions: new Float32Array(12),
    };
    character.weights = {
      influences: 2,
      joints: Uint16Array.of(3, 0, 1, 3, 2, 0),
      weights: Float32Array.of(1, 0, 0.75, 0.25, 1, 0),
    };
    const { weights } = prepareCharacter(character).character;
    expect([...weights!.joints]).toEqual([3, 1, 2, 0]);
    expect(weights!.weights).toBeAllClose([0.625, 0.375, 1, 0]);
  });

  test("accepts one vertex and a mesh without extent", () => {
    for (const positions of [
      Float32Array.of(3, 4, 5),
      Float32Array.of(3, 4, 5, 3, 4, 5, 3, 4, 5),
    ]) {
      const prepared = prepareCharacter(single({ positions }));
      expect([...prepared.character.mesh.positions]).toEqual([0, 0, 0]);
      expect([...prepared.character.skeleton.positions]).toEqual([0, 1, 0]);
    }
  });

  test("does not modify its argument", () => {
    const character = soup(5);
    const copy = structuredClone(character);
    prepareCharacter(character);
    expect(character).toEqual(copy);
  });

  test.each<[string, (character: Character) => unknown, RegExp]>([
    [
      "no vertices",
      (c) => Object.assign(c.mesh, { positions: new Float32Array(0) }),
      /no vertices/,
    ],
    ["a NaN vertex", (c) => c.mesh.positions.set([NaN], 2), /vertex 0/],
    ["a NaN joint", (c) => c.skeleton.positions.set([NaN], 1), /joint 0/],
    [
      "a triangle out of range",
      (c) => Object.assign(c.mesh, { triangles: Uint32Array.of(0, 0, 9) }),
      /triangle 0/,
    ],
    ["a parent that is itself", (c) => c.skeleton.parents.set([0]), /cyclic/],
    ["a parent that does not exist", (c) => c.skeleton.parents.set([7]), /cyclic/],
    [
      "no joints",
      (c) => {
        c.skeleton = { names: [], parents: new Int32Array(0), positions: new Float32Array(0) };
      },
      /no joints/,
    ],
    [
      "65536 joints",
      (c) => {
        c.skeleton = {
          names: new Array<string>(65536).fill("j"),
          parents: new Int32Array(65536).fill(-1),
          positions: new Float32Array(65536 * 3),
        };
      },
      /65536 joints/,
    ],
  ])("refuses %s", (_, spoil, message) => {
    const character = single();
    spoil(character);
    expect(() => prepareCharacter(character)).toThrow(InputError);
    expect(() => prepareCharacter(character)).toThrow(message);
  });

  test("finds a cycle of joints after a valid chain", () => {
    const character = single();
    character.skeleton = {
      names: ["a", "b", "c", "d"],
      parents: Int32Array.of(-1, 2, 3, 1),
      positions: new Float32Array(12),
    };
    expect(() => prepareCharacter(character)).toThrow(/cyclic hierarchy at joint "b"/);
  });
});

describe("restoreWeights", () => {
  test("expands welded vertices to the same weights", () => {
    const prepared = prepareCharacter(soup(6));
    const count = prepared.character.mesh.positions.length / 3;
    const random = createRandom(6);
    const weights = {
      influences: 1,
      joints: Uint16Array.from({ length: count }, () => random() * 2),
      weights: new Float32Array(count).fill(1),
    };
    const restored = restoreWeights(prepared, weights);
    expect(restored).toBeSkinWeights(120, 2);
    expect([...restored.joints]).toEqual([...prepared.welded].map((w) => weights.joints[w]));
  });
});
