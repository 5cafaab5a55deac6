import { type BoneField, boneField } from "../distance/bone-field.ts";
import { type MeasureOptions, voxelizeCharacter } from "../distance/measure.ts";
import { heatColour } from "../picture/colour-maps.ts";
import type { Picture } from "../picture/picture.ts";
import { pictureGrid } from "../picture/picture-grid.ts";
import { renderCharacter } from "../picture/render-character.ts";
import type { Bones } from "../skeleton/bones.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import type { Character } from "../weights/character.ts";
import { type SliceAxis, slicePicture } from "./slice-picture.ts";

/** Side of the two halves of the picture, in pixels. */
const PIXELS = 560;

/** One bone's HollowDist on a character. */
export interface MeasuredBone {
  character: Character;
  bone: number;
  grid: VoxelGrid;
  bones: Bones;
  field: BoneField;
  /** V, its distances in ascending order. */
  sorted: Float32Array;
}

/** Measures HollowDist from one bone, in this thread. */
export function measureBone(
  character: Character,
  bone: number,
  options: MeasureOptions,
): MeasuredBone {
  const { grid, bones } = voxelizeCharacter(character, options);
  const field = boneField(character.mesh, bones, bone, grid, options);
  return { character, bone, grid, bones, field, sorted: field.distances.toSorted() };
}

/** Draws it on the surface and in a slice of the grid through the bone, as in the paper's figure. */
export function drawBone(measured: MeasuredBone, axis: SliceAxis): Picture {
  const { character, bone, grid, bones, field, sorted } = measured;
  const farthest = sorted[sorted.length - 1] || 1;
  const colours = new Uint8ClampedArray(character.mesh.positions.length);
  field.distances.forEach((d, v) => {
    colours.set(heatColour(1 - 0.97 * (d / farthest)), v * 3);
  });
  const look = { size: PIXELS, skeleton: true };
  const surface = renderCharacter(character, colours, look, { highlight: bone });
  const middle = [0, 1, 2].map((k) => (bones.heads[bone * 3 + k] + bones.ends[bone * 3 + k]) / 2);
  const slice = slicePicture(grid, field, axis, middle, PIXELS);
  return pictureGrid([surface, slice], 2, {
    title: character.skeleton.names[bone],
    columnTitles: ["on the surface", "in a slice of cells"],
  });
}
