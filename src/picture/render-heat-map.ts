import { vertexCount } from "../mesh/mesh.ts";
import type { Character } from "../weights/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { drawColourBar } from "./colour-bar.ts";
import { heatColour } from "./colour-maps.ts";
import type { Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter } from "./render-character.ts";

/** Draws how much each vertex follows one joint, with a legend and the joint's name as title. */
export function renderHeatMap(
  character: Character,
  weights: SkinWeights,
  joint: number,
  options: RenderOptions = {},
): Picture {
  const shares = weightsOfJoint(weights, joint, vertexCount(character.mesh));
  const colours = new Uint8ClampedArray(shares.length * 3);
  shares.forEach((share, vertex) => {
    colours.set(heatColour(share), vertex * 3);
  });
  const all = { poseWeights: weights, title: character.skeleton.names[joint], ...options };
  const picture = renderCharacter(character, colours, all, { highlight: joint });
  drawColourBar(picture, heatColour, ["0", "1"]);
  return picture;
}

/** V, each vertex's weight of one joint. */
function weightsOfJoint(weights: SkinWeights, joint: number, vertices: number): Float32Array {
  const shares = new Float32Array(vertices);
  weights.joints.forEach((owner, slot) => {
    if (owner === joint) shares[Math.floor(slot / weights.influences)] += weights.weights[slot];
  });
  return shares;
}
