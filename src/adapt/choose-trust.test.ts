import { expect, test } from "vitest";
import { exampleCharacter } from "../../test/helpers/example-character.ts";
import type { Character } from "../character/character.ts";
import { DEFAULT_TRUST } from "../examples/neighbor-weights.ts";
import { PRESETS } from "../network/presets.ts";
import { weightsFromSlots } from "../weights/skin-weights.ts";
import { chooseTrust } from "./choose-share.ts";
import { type Example, prepareExample } from "./learn.ts";

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

test("examples of one style are trusted fully, except where the network is right", async () => {
  const examples = await Promise.all([hero, extra].map(prepare));
  const erring = examples.map((example) => weightsOf(example, false));
  expect(chooseTrust(examples, erring).most).toBe(1);
  const right = examples.map((example) => weightsOf(example, true));
  expect(chooseTrust(examples, right)).toEqual(DEFAULT_TRUST);
});

test("a single example has the default trust", async () => {
  const one = await prepare(hero);
  expect(chooseTrust([one], [weightsOf(one, false)])).toEqual(DEFAULT_TRUST);
});

test("examples that are not kin to each other are not used", async () => {
  const names = hero.skeleton.names.map((name) => `other ${name}`);
  const stranger = { ...hero, name: "stranger", skeleton: { ...hero.skeleton, names } };
  const examples = await Promise.all([hero, stranger].map(prepare));
  const weighed = examples.map((example) => weightsOf(example, false));
  expect(chooseTrust(examples, weighed).most).toBe(0);
});
