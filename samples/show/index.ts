import { InputError } from "../../src/input-error.ts";
import { makeChild } from "./child.ts";
import { makeDragon } from "./dragon.ts";
import type { Figure } from "./figure.ts";
import { makeFox } from "./fox.ts";
import { makeKnight } from "./knight.ts";
import { SHOW, type ShowName } from "./names.ts";
import { makeRobot } from "./robot.ts";
import { makeWitch } from "./witch.ts";

const MAKERS: Record<ShowName, () => Figure> = {
  knight: makeKnight,
  witch: makeWitch,
  vixen: makeFox,
  drake: makeDragon,
  tinbot: makeRobot,
  child: makeChild,
};

/** Generates a show character; takes some seconds. */
export function makeFigure(name: string): Figure {
  const make = MAKERS[name as ShowName];
  if (!make) {
    const names = SHOW.map((entry) => entry.name).join(", ");
    throw new InputError(`There is no show character called "${name}"; choose one of ${names}.`);
  }
  const figure = make();
  return { ...figure, character: { ...figure.character, name } };
}
