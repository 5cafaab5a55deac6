import type { Character } from "../src/character/character.ts";
import { type BoneField, boneField, pathToBone } from "../src/distance/hollow.ts";
import { type MeasureOptions, voxelizeCharacter } from "../src/distance/measure.ts";
import { heatColor } from "../src/picture/color-maps.ts";
import { drawDisc, drawLine, drawRectangle, type Point, pictureGrid } from "../src/picture/draw.ts";
import { type Color, createPicture, type Picture } from "../src/picture/picture.ts";
import { renderCharacter } from "../src/picture/render-character.ts";
import type { Bones } from "../src/skeleton/bones.ts";
import { MESH, type VoxelGrid } from "../src/voxel/voxel-grid.ts";

/** Side of each half of the picture in pixels. */
const PIXELS = 560;

/** HollowDist from one bone of a character. */
export interface MeasuredBone {
  character: Character;
  bone: number;
  grid: VoxelGrid;
  bones: Bones;
  field: BoneField;
  /** V, the distances in ascending order. */
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
  const colors = new Uint8ClampedArray(character.mesh.positions.length);
  field.distances.forEach((d, v) => {
    colors.set(heatColor(1 - 0.97 * (d / farthest)), v * 3);
  });
  const look = { size: PIXELS, skeleton: true };
  const surface = renderCharacter(character, colors, look, { highlight: bone });
  const middle = [0, 1, 2].map((k) => (bones.heads[bone * 3 + k] + bones.ends[bone * 3 + k]) / 2);
  const slice = slicePicture(grid, field, axis, middle, PIXELS);
  return pictureGrid([surface, slice], 2, {
    title: character.skeleton.names[bone],
    columnTitles: ["on the surface", "in a slice of cells"],
  });
}

/** The viewing axis of a slice. */
export type SliceAxis = "x" | "y" | "z";

const BONE: Color = [255, 255, 255];
const UNREACHED: Color = [228, 229, 231];
const WALL: Color = [38, 44, 58];
const PATH: Color = [20, 20, 24];

/** The grid axes to the right and up in a slice. */
const SIDES: Record<SliceAxis, [right: number, up: number, deep: number]> = {
  x: [2, 1, 0],
  y: [0, 2, 1],
  z: [0, 1, 2],
};

/**
 * Draws one layer of the grid: cells colored by their distance from the bone (red near, pale far), bone cells
 * white, mesh cells outlined, and the path from the farthest mesh cell of the layer.
 *
 * @param at a point in the layer
 */
function slicePicture(
  grid: VoxelGrid,
  field: BoneField,
  axis: SliceAxis,
  at: ArrayLike<number>,
  pixels: number,
): Picture {
  const counts = [grid.nx, grid.ny, grid.nz];
  const steps = [1, grid.nx, grid.nx * grid.ny];
  const [right, up, deep] = SIDES[axis];
  const layer = Math.floor((at[deep] - grid.origin[deep]) / grid.size);
  const depth = Math.min(counts[deep] - 1, Math.max(0, layer));
  const side = Math.max(2, Math.floor(pixels / Math.max(counts[right], counts[up])));
  const picture = createPicture(counts[right] * side, counts[up] * side);
  const farthest = Math.max(
    1,
    field.levels.reduce((most, level) => Math.max(most, level), 1),
  );
  let target = -1;
  for (let j = 0; j < counts[up]; j++) {
    for (let i = 0; i < counts[right]; i++) {
      const cell = i * steps[right] + j * steps[up] + depth * steps[deep];
      const corner: Point = [i * side, (counts[up] - 1 - j) * side];
      drawCell(picture, grid, field, cell, corner, side, farthest);
      if (grid.cells[cell] !== MESH) continue;
      if (target < 0 || field.levels[cell] > field.levels[target]) target = cell;
    }
  }
  if (target >= 0) {
    const middle = (cell: number): Point => {
      const place = steps.map((step, k) => Math.floor(cell / step) % counts[k]);
      return [(place[right] + 0.5) * side, (counts[up] - place[up] - 0.5) * side];
    };
    const path = pathToBone(grid, field, target).map(middle);
    drawPolyline(picture, path, Math.max(1.5, side / 3), PATH, 0.85);
    drawDisc(picture, path[0], side * 0.7, PATH);
  }
  return picture;
}

function drawCell(
  picture: Picture,
  grid: VoxelGrid,
  field: BoneField,
  cell: number,
  corner: Point,
  side: number,
  farthest: number,
): void {
  const level = field.levels[cell];
  const color =
    level < 0 ? UNREACHED : level === 0 ? BONE : heatColor(1 - 0.97 * (level / farthest));
  drawRectangle(picture, corner, side, side, color);
  if (grid.cells[cell] !== MESH) return;
  const edge = Math.max(1, Math.round(side / 6));
  const [x, y] = corner;
  drawRectangle(picture, [x, y], side, edge, WALL);
  drawRectangle(picture, [x, y + side - edge], side, edge, WALL);
  drawRectangle(picture, [x, y], edge, side, WALL);
  drawRectangle(picture, [x + side - edge, y], edge, side, WALL);
}

/** Draws lines from point to point. */
function drawPolyline(
  picture: Picture,
  points: Point[],
  thickness: number,
  color: Color,
  opacity = 1,
): void {
  for (let i = 1; i < points.length; i++) {
    drawLine(picture, points[i - 1], points[i], thickness, color, opacity);
  }
}
