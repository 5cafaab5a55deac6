import type { Character } from "../weights/character.ts";
import { drawColourBar } from "./colour-bar.ts";
import { errorColour } from "./colour-maps.ts";
import type { Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter } from "./render-character.ts";

/** Options for {@link renderErrorMap}. */
export interface ErrorMapOptions extends RenderOptions {
  /** The error of the strongest colour, above 0. */
  worst: number;
}

/**
 * Draws an error per vertex, pale where there is none, with a legend.
 *
 * @param errors V
 */
export function renderErrorMap(
  character: Character,
  errors: ArrayLike<number>,
  { worst, ...options }: ErrorMapOptions,
): Picture {
  const colours = new Uint8ClampedArray(errors.length * 3);
  for (let vertex = 0; vertex < errors.length; vertex++) {
    colours.set(errorColour(errors[vertex] / worst), vertex * 3);
  }
  const picture = renderCharacter(character, colours, options);
  drawColourBar(picture, errorColour, ["0", String(Number(worst.toPrecision(3)))]);
  return picture;
}
