import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { characterSymmetry } from "../character/symmetry.ts";
import { twinJoints } from "../learn/augment/thin.ts";
import type { Weighted } from "../learn/augment/weighted.ts";
import { createRandom } from "../math/random.ts";
import { type SkinWeights, weightsFromDense } from "../weights/skin-weights.ts";
import { loadMethod, smoothed, symmetric } from "./methods.ts";
import { onDeformingJoints } from "./wrappers/deforming-joints.ts";
import { upright } from "./wrappers/upright.ts";

/** The fox under a rig of joints at the same positions, with telling names. */
function riggedFox(): Weighted {
  const fox = makeSample("fox") as Weighted;
  const names = fox.skeleton.names.map((name) => `DEF-${name}`);
  const count = names.length;
  const parents = Int32Array.from([
    // Every deforming joint is a child of its twin; the twins form the hierarchy.
    ...names.map((_, joint) => count + joint),
    ...Array.from(fox.skeleton.parents, (parent) => (parent < 0 ? -1 : count + parent)),
  ]);
  return {
    ...fox,
    skeleton: {
      names: [...names, ...fox.skeleton.names.map((name) => `ORG-${name}`)],
      parents,
      positions: Float32Array.from([...fox.skeleton.positions, ...fox.skeleton.positions]),
    },
  };
}

test("under a control rig deforming joints receive the same weights as without it", async () => {
  const heat = await loadMethod("heat");
  const plain = await heat(prepareCharacter(makeSample("fox")), {});
  const rigged = prepareCharacter(riggedFox());
  const found = await heat(rigged, {});
  expect(found.weights).toEqual(plain.weights);
  expect(found.measured!.bones.starts).toHaveLength(rigged.character.skeleton.names.length + 1);
  const all = await heat(rigged, { allJoints: true });
  expect(all.weights).not.toEqual(plain.weights);
});

test("unsmoothed weights of a network are mapped too, under a rig and for a lying body", async () => {
  const rigged = prepareCharacter(riggedFox());
  const given = weightsFromDense(
    Array.from(
      { length: (rigged.character.mesh.positions.length / 3) * 2 },
      (_, i) => 0.5 + (i % 2),
    ),
    2,
  );
  const network = onDeformingJoints(upright(symmetric(smoothed(async () => ({ weights: given })))));
  const { weights, unsmoothed } = await network(rigged, { up: "z" });
  // The same weights, on the joints of the rig.
  expect(unsmoothed!.weights).toBe(given.weights);
  const names = rigged.character.skeleton.names;
  expect(new Set([...unsmoothed!.joints].map((joint) => names[joint]))).toEqual(
    new Set([...weights.joints].map((joint) => names[joint])),
  );
  expect(weights).not.toEqual(given);
});

test("a rig without telling names is not changed", async () => {
  const heat = await loadMethod("heat");
  const fox = makeSample("fox") as Weighted;
  const nameless = {
    ...fox,
    skeleton: { ...fox.skeleton, names: fox.skeleton.names.map(() => "") },
  };
  const twins = prepareCharacter(twinJoints(nameless, createRandom(3)));
  expect(await heat(twins, {})).toEqual(await heat(twins, { allJoints: true }));
});

/** Random weights that differ on the two sides, on joints that have a twin. */
function lopsided(character: Weighted, twins: Int32Array): SkinWeights {
  const random = createRandom("lopsided");
  const V = character.mesh.positions.length / 3;
  const J = character.skeleton.parents.length;
  const rows = Float32Array.from({ length: V * J }, (_, i) =>
    twins[i % J] < 0 ? 0 : random() ** 8,
  );
  return weightsFromDense(rows, J);
}

test.each(["fox", "mushroom", "robot"])(
  "a symmetric character receives symmetric weights: %s",
  async (name) => {
    const prepared = prepareCharacter(makeSample(name));
    const character = prepared.character as Weighted;
    const symmetry = characterSymmetry(character);
    expect(symmetry).toBeDefined();
    const { partners, twins } = symmetry!;
    const solve = symmetric(() => ({ weights: lopsided(character, twins) }));
    const difference = async (options: { symmetry?: boolean }): Promise<number> => {
      const { weights } = await solve(prepared, options);
      const at = (vertex: number, joint: number): number => {
        let sum = 0;
        for (let i = vertex * weights.influences; i < (vertex + 1) * weights.influences; i++) {
          if (weights.joints[i] === joint) sum += weights.weights[i];
        }
        return sum;
      };
      let total = 0;
      let count = 0;
      partners.forEach((partner, vertex) => {
        if (partner < 0 || vertex % 7 !== 0) return;
        count++;
        twins.forEach((twin, joint) => {
          if (twin >= 0) total += Math.abs(at(vertex, joint) - at(partner, twin));
        });
      });
      return total / count;
    };
    expect(await difference({ symmetry: false })).toBeGreaterThan(0.5);
    expect(await difference({})).toBeLessThan(0.01);
  },
);

test("a character with one arm up is not symmetric", () => {
  const fox = makeSample("fox");
  const bent = fox.mesh.positions.map((value, i) =>
    i % 3 === 1 && fox.mesh.positions[i - 1] > 0 ? value * 1.3 : value,
  );
  const mesh = { ...fox.mesh, positions: bent };
  const character = prepareCharacter({ ...fox, mesh }).character;
  expect(characterSymmetry(character)).toBeUndefined();
});

test("symmetry does not depend on the position in the file", () => {
  const fox = makeSample("fox");
  const names = fox.skeleton.names.map((_, joint) => `joint ${joint}`);
  const at = (x: number) => {
    const move = (points: Float32Array) =>
      points.map((value, i) => (i % 3 === 0 ? value + x : value));
    const mesh = { ...fox.mesh, positions: move(fox.mesh.positions) };
    const skeleton = { ...fox.skeleton, names, positions: move(fox.skeleton.positions) };
    // A sword on one side, so that the middle of the mesh is not that of the body.
    const tip = [x + 1.5, 1, 0, x + 1.5, 1.1, 0, x + 1.5, 1, 0.1];
    const count = mesh.positions.length / 3;
    mesh.positions = Float32Array.of(...mesh.positions, ...tip);
    mesh.triangles = Uint32Array.of(...mesh.triangles, count, count + 1, count + 2);
    return characterSymmetry(prepareCharacter({ name: "fox", mesh, skeleton }).character);
  };
  const [here, there] = [at(0)?.partners ?? [], at(5)?.partners ?? []];
  expect(here.length).toBeGreaterThan(1000);
  expect(there.length).toBe(here.length);
  const changed = [...here].filter((partner, v) => partner !== there[v]);
  expect(changed.length).toBeLessThan(here.length / 100);
});

test("a vertex without partner copies nothing from surface that follows other joints", async () => {
  const fox = makeSample("fox");
  // Moved along y by less than the allowed distance to the surface, no vertex of the right half has a partner.
  const shifted = fox.mesh.positions.map((value, i) =>
    i % 3 === 1 && fox.mesh.positions[i - 1] > 0 ? value + 2e-3 : value,
  );
  const prepared = prepareCharacter({ ...fox, mesh: { ...fox.mesh, positions: shifted } });
  const { mesh } = prepared.character;
  const { partners, twins } = characterSymmetry(prepared.character)!;
  const [head, tail] = [...twins.keys()].filter((joint) => twins[joint] === joint);
  const rows = (left: number): SkinWeights => {
    const count = mesh.positions.length / 3;
    const owner = (v: number) => (mesh.positions[v * 3] < 0 ? left : head);
    return {
      influences: 2,
      joints: Uint16Array.from({ length: count * 2 }, (_, i) => (i % 2 === 0 ? owner(i / 2) : 0)),
      weights: Float32Array.from({ length: count * 2 }, (_, i) => (i % 2 === 0 ? 1 : 0)),
    };
  };
  for (const left of [head, tail]) {
    const { weights } = await symmetric(() => ({ weights: rows(left) }))(prepared, {});
    const alone = [...partners.keys()].filter((v) => partners[v] < 0);
    expect(alone.length).toBeGreaterThan(1000);
    const kept = alone.filter((v) => weights.weights[v * weights.influences] > 0.999);
    // Near the plane, the surface across it is partly that of the same side.
    expect(kept.length).toBeGreaterThan(alone.length * 0.98);
  }
});
