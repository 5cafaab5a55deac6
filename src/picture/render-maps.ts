import type { Character } from "../character/character.ts";
import { vertexCount } from "../mesh/mesh.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import {
  boneColor,
  type ColorMap,
  errorColor,
  fromLinear,
  heatColor,
  toLinear,
} from "./color-maps.ts";
import { drawRectangle, drawText, INK, textScale } from "./draw.ts";
import { blendPixel, type Color, type Picture } from "./picture.ts";
import { type RenderOptions, renderCharacter } from "./render-character.ts";

const CLAY: Color = [206, 203, 198];

/** Draws a character in plain clay. */
export function renderClay(character: Character, options: RenderOptions = {}): Picture {
  const colors = new Uint8ClampedArray(character.mesh.positions.length);
  for (let i = 0; i < colors.length; i++) colors[i] = CLAY[i % 3];
  return renderCharacter(character, colors, options);
}

/** Options for {@link renderDominantBones}. */
export interface DominantBonesOptions extends RenderOptions {
  /** Whether to mix the colors of all bones of a vertex by weight, instead of the heaviest one's. */
  blend?: boolean;
}

const UNWEIGHTED = [20, 20, 20] as const;

/** Draws each vertex in the color of its heaviest bone; black if it has none. */
export function renderDominantBones(
  character: Character,
  weights: SkinWeights,
  options: DominantBonesOptions = {},
): Picture {
  const vertices = vertexCount(character.mesh);
  const colors = new Uint8ClampedArray(vertices * 3);
  for (let vertex = 0; vertex < vertices; vertex++) {
    const row = vertex * weights.influences;
    colors.set(options.blend ? mixedColor(weights, row) : heaviestColor(weights, row), vertex * 3);
  }
  const all = { poseWeights: weights, ...options };
  return renderCharacter(character, colors, all, { colorOf: boneColor });
}

function heaviestColor({ influences, joints, weights }: SkinWeights, row: number) {
  let heaviest = row;
  for (let slot = row; slot < row + influences; slot++) {
    if (weights[slot] > weights[heaviest]) heaviest = slot;
  }
  return weights[heaviest] > 0 ? boneColor(joints[heaviest]) : UNWEIGHTED;
}

function mixedColor({ influences, joints, weights }: SkinWeights, row: number) {
  const light = [0, 0, 0];
  let total = 0;
  for (let slot = row; slot < row + influences; slot++) {
    if (weights[slot] === 0) continue;
    const color = boneColor(joints[slot]);
    for (let k = 0; k < 3; k++) light[k] += weights[slot] * toLinear(color[k]);
    total += weights[slot];
  }
  return total > 0 ? light.map((value) => fromLinear(value / total)) : UNWEIGHTED;
}

/** Options for {@link renderErrorMap}. */
export interface ErrorMapOptions extends RenderOptions {
  /** The error of the strongest color, above 0. */
  worst: number;
}

/**
 * Draws an error per vertex (V), pale if it is 0, with a legend.
 */
export function renderErrorMap(
  character: Character,
  errors: ArrayLike<number>,
  { worst, ...options }: ErrorMapOptions,
): Picture {
  const colors = new Uint8ClampedArray(errors.length * 3);
  for (let vertex = 0; vertex < errors.length; vertex++) {
    colors.set(errorColor(errors[vertex] / worst), vertex * 3);
  }
  const picture = renderCharacter(character, colors, options);
  drawColorBar(picture, errorColor, ["0", String(Number(worst.toPrecision(3)))]);
  return picture;
}

/** Draws the weight of one joint per vertex, with a legend and the joint's name as title. */
export function renderHeatMap(
  character: Character,
  weights: SkinWeights,
  joint: number,
  options: RenderOptions = {},
): Picture {
  const values = weightsOfJoint(weights, joint, vertexCount(character.mesh));
  const colors = new Uint8ClampedArray(values.length * 3);
  values.forEach((value, vertex) => {
    colors.set(heatColor(value), vertex * 3);
  });
  const all = { poseWeights: weights, title: character.skeleton.names[joint], ...options };
  const picture = renderCharacter(character, colors, all, { highlight: joint });
  drawColorBar(picture, heatColor, ["0", "1"]);
  return picture;
}

/** V, each vertex's weight of one joint. */
function weightsOfJoint(weights: SkinWeights, joint: number, vertices: number): Float32Array {
  const values = new Float32Array(vertices);
  weights.joints.forEach((owner, slot) => {
    if (owner === joint) values[Math.floor(slot / weights.influences)] += weights.weights[slot];
  });
  return values;
}

/** Draws a legend in the lower left corner: a bar with the colors of a map, its ends labeled. */
export function drawColorBar(picture: Picture, map: ColorMap, ends: [string, string]): void {
  const scale = textScale(picture);
  const [x, y] = [6 * scale, picture.height - 20 * scale];
  const [width, height] = [Math.round(picture.width * 0.22), 6 * scale];
  drawRectangle(picture, [x - 1, y - 1], width + 2, height + 2, INK, 0.35);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) blendPixel(picture, x + i, y + j, map((i + 0.5) / width), 1);
  }
  const below = y + height + 3 * scale;
  drawText(picture, ends[0], x, below, { scale });
  drawText(picture, ends[1], x + width, below, { scale, align: "right" });
}
