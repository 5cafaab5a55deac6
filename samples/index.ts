import type { Character } from "../src/character/character.ts";
import { InputError } from "../src/input-error.ts";
import { makeBird } from "./bird.ts";
import { makeDancer } from "./dancer.ts";
import { makeDragon } from "./dragon.ts";
import { makeFish } from "./fish.ts";
import { makeFox } from "./fox.ts";
import { makeMushroom } from "./mushroom.ts";
import { makeOctopus } from "./octopus.ts";
import { makeRobot } from "./robot.ts";

/** A character made by code. */
export interface Sample {
  name: string;
  /** A few words for a gallery. */
  title: string;
  /** Makes it the first time and gives the same object afterwards; do not modify it. */
  make(): Character;
}

/** All characters made by code, each with a skeleton and known weights. */
export const SAMPLES: readonly Sample[] = [
  sample("dancer", "Dancer with a skirt and braids", makeDancer),
  sample("fox", "Fox on four legs", makeFox),
  sample("bird", "Bird with spread wings", makeBird),
  sample("dragon", "Dragon with wings of skin", makeDragon),
  sample("octopus", "Octopus with eight tentacles", makeOctopus),
  sample("mushroom", "Mushroom with a floating ball", makeMushroom),
  sample("robot", "Robot of rigid parts", makeRobot),
  sample("fish", "Fish with fins", makeFish),
];

/** The sample of that name. */
export function makeSample(name: string): Character {
  const found = SAMPLES.find((entry) => entry.name === name);
  if (!found) {
    const names = SAMPLES.map((entry) => entry.name).join(", ");
    throw new InputError(`There is no sample called "${name}"; choose one of ${names}.`);
  }
  return found.make();
}

function sample(name: string, title: string, make: () => Character): Sample {
  let made: Character | undefined;
  return {
    name,
    title,
    make: () => {
      made ??= make();
      return made;
    },
  };
}
