import { expect, test } from "vitest";
import { exampleCharacter } from "../../test/example-character.ts";
import { PRESETS } from "../network/presets.ts";
import { USUAL_TRUST } from "../solve/neighbour-weights.ts";
import type { Character } from "../weights/character.ts";
import { weightsFromSlots } from "../weights/weights-from-slots.ts";
import { chooseTrust } from "./choose-trust.ts";
import { type Example, prepareExample } from "./example.ts";

const hero = exampleCharacter("hero", 14);
const extra = exampleCharacter("extra", 17);

function prepare(character: Character): Promise<Example> {
  return prepareExample(character, PRESETS.default, 500, 0);
}

/** The artist's weights of an example, or all of them on its first joint. */
function weightsOf({ samples: [{ input, labels }] }: Example, right: boolean) {
  const { bones, k } = input.distances;
  const slots = right ? labels : labels.map((_, slot) => Number(bones[slot] === 0));
  return weightsFromSlots(bones, slots, k);
}

test("examples of one style are trusted wholly where the network errs", async () => {
  const examples = await Promise.all([hero, extra].map(prepare));
  const erring = examples.map((example) => weightsOf(example, false));
  expect(chooseTrust(examples, erring).most).toBe(1);
  const right = examples.map((example) => weightsOf(example, true));
  expect(chooseTrust(examples, right)).toEqual(USUAL_TRUST);
});

test("examples that contradict each other, and a single one, are trusted as usual", async () => {
  const count = hero.skeleton.names.length;
  const joints = hero.weights.joints.map((joint) => (joint + 1) % count);
  const other = { ...hero, name: "other", weights: { ...hero.weights, joints } };
  const examples = await Promise.all([hero, other].map(prepare));
  for (const right of [true, false]) {
    const weighed = examples.map((example) => weightsOf(example, right));
    expect(chooseTrust(examples, weighed)).toEqual(USUAL_TRUST);
  }
  const [one] = examples;
  expect(chooseTrust([one], [weightsOf(one, false)])).toEqual(USUAL_TRUST);
});

test("examples none of which is kin to another are not asked", async () => {
  const names = hero.skeleton.names.map((name) => `other ${name}`);
  const stranger = { ...hero, name: "stranger", skeleton: { ...hero.skeleton, names } };
  const examples = await Promise.all([hero, stranger].map(prepare));
  const weighed = examples.map((example) => weightsOf(example, false));
  expect(chooseTrust(examples, weighed).most).toBe(0);
});
