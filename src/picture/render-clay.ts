import type { Character } from "../weights/character.ts";
import type { Colour, Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter } from "./render-character.ts";

const CLAY: Colour = [206, 203, 198];

/** Draws a character as plain clay. */
export function renderClay(character: Character, options: RenderOptions = {}): Picture {
  const colours = new Uint8ClampedArray(character.mesh.positions.length);
  for (let i = 0; i < colours.length; i++) colours[i] = CLAY[i % 3];
  return renderCharacter(character, colours, options);
}
