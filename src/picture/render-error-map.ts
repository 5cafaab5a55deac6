import type { Character } from "../weights/character.ts";
import { drawColourBar } from "./colour-bar.ts";
import { errorColour, signedColour } from "./colour-maps.ts";
import type { Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter, textScale } from "./render-character.ts";

/** Options for {@link renderErrorMap}. */
export interface ErrorMapOptions extends RenderOptions {
  /** The error of the strongest colour; the largest one unless told. */
  worst?: number;
  /** Errors have a sign: blue below zero, white at zero, red above. */
  signed?: boolean;
}

/**
 * Draws an error per vertex, pale where there is none, with a legend.
 *
 * @param errors V
 */
export function renderErrorMap(
  character: Character,
  errors: ArrayLike<number>,
  options: ErrorMapOptions = {},
): Picture {
  const { signed = false } = options;
  const worst = options.worst ?? largest(errors);
  const map = signed ? signedColour : errorColour;
  const colours = new Uint8ClampedArray(errors.length * 3);
  for (let vertex = 0; vertex < errors.length; vertex++) {
    const share = worst > 0 ? errors[vertex] / worst : 0;
    colours.set(map(signed ? 0.5 + share / 2 : share), vertex * 3);
  }
  const picture = renderCharacter(character, colours, options);
  const scale = textScale(picture);
  const width = Math.round(picture.width * 0.22);
  const place = [6 * scale, picture.height - 20 * scale] as const;
  const ends: [string, string] = [signed ? shortNumber(-worst) : "0", shortNumber(worst)];
  drawColourBar(picture, place, width, 6 * scale, map, { ends, scale });
  return picture;
}

function largest(errors: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < errors.length; i++) most = Math.max(most, Math.abs(errors[i]) || 0);
  return most;
}

/** A number in at most three significant digits. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
