import { vertexCount } from "../mesh/mesh.ts";
import type { Character } from "../weights/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { boneColour, fromLinear, toLinear } from "./colour-maps.ts";
import type { Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter } from "./render-character.ts";

/** Options for {@link renderDominantBones}. */
export interface DominantBonesOptions extends RenderOptions {
  /** Mix the colours of all bones of a vertex by weight, instead of the heaviest one's alone. */
  blend?: boolean;
}

/** A vertex without weight. */
const UNWEIGHTED = [20, 20, 20] as const;

/** Draws each vertex in the colour of the bone that moves it most; black where none does. */
export function renderDominantBones(
  character: Character,
  weights: SkinWeights,
  options: DominantBonesOptions = {},
): Picture {
  const vertices = vertexCount(character.mesh);
  const colours = new Uint8ClampedArray(vertices * 3);
  for (let vertex = 0; vertex < vertices; vertex++) {
    const row = vertex * weights.influences;
    colours.set(
      options.blend ? mixedColour(weights, row) : heaviestColour(weights, row),
      vertex * 3,
    );
  }
  const all = { poseWeights: weights, ...options };
  return renderCharacter(character, colours, all, { colourOf: boneColour });
}

function heaviestColour({ influences, joints, weights }: SkinWeights, row: number) {
  let heaviest = row;
  for (let slot = row; slot < row + influences; slot++) {
    if (weights[slot] > weights[heaviest]) heaviest = slot;
  }
  return weights[heaviest] > 0 ? boneColour(joints[heaviest]) : UNWEIGHTED;
}

function mixedColour({ influences, joints, weights }: SkinWeights, row: number) {
  const light = [0, 0, 0];
  let total = 0;
  for (let slot = row; slot < row + influences; slot++) {
    if (weights[slot] === 0) continue;
    const colour = boneColour(joints[slot]);
    for (let k = 0; k < 3; k++) light[k] += weights[slot] * toLinear(colour[k]);
    total += weights[slot];
  }
  return total > 0 ? light.map((value) => fromLinear(value / total)) : UNWEIGHTED;
}
