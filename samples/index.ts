import type { Character } from "../src/character/character.ts";
import { InputError } from "../src/input-error.ts";
import { makeBird } from "./bird.ts";
import { makeDancer } from "./dancer.ts";
import { makeDragon } from "./dragon.ts";
import { makeFish } from "./fish.ts";
import { makeFox } from "./fox.ts";
import { makeMushroom } from "./mushroom.ts";
import { SAMPLE_TITLES, type SampleName } from "./names.ts";
import { makeOctopus } from "./octopus.ts";
import { makeRobot } from "./robot.ts";

/** A generated character. */
export interface Sample {
  name: string;
  /** A few words for a gallery. */
  title: string;
  /** Generates it on the first call and then returns the same object; do not modify it. */
  make(): Character;
}

/** All generated characters, each with a skeleton and known weights. */
export const SAMPLES: readonly Sample[] = [
  sample("dancer", makeDancer),
  sample("fox", makeFox),
  sample("bird", makeBird),
  sample("dragon", makeDragon),
  sample("octopus", makeOctopus),
  sample("mushroom", makeMushroom),
  sample("robot", makeRobot),
  sample("fish", makeFish),
];

/** Returns the sample with a name. */
export function makeSample(name: string): Character {
  const found = SAMPLES.find((entry) => entry.name === name);
  if (!found) {
    const names = SAMPLES.map((entry) => entry.name).join(", ");
    throw new InputError(`There is no sample called "${name}"; choose one of ${names}.`);
  }
  return found.make();
}

function sample(name: SampleName, make: () => Character): Sample {
  let made: Character | undefined;
  return {
    name,
    title: SAMPLE_TITLES[name],
    make: () => {
      made ??= make();
      return made;
    },
  };
}
