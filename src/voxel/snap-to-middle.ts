import { distance, type Vec3 } from "../math/vec3.ts";
import { type BodyDepth, cellCentre } from "./body-depth.ts";

/** What a cell of distance costs beside a cell of depth: near and fairly deep beats deep and far. */
const AWAY = 0.35;

/** Options for {@link snapToMiddle}. */
export interface SnapOptions {
  /** How far the point may move, in the units of the grid; where the body is farther, to its nearest cell. */
  reach: number;
  /** Stay in the plane x = this. */
  planeX?: number | undefined;
}

/** Moves a point into the middle of the part of the body it is in, or near. */
export function snapToMiddle(
  { grid, depths }: BodyDepth,
  point: ArrayLike<number>,
  { reach, planeX }: SnapOptions,
): Vec3 {
  const { size } = grid;
  let best: number | undefined;
  let most = -Infinity;
  let nearest: number | undefined;
  let least = Infinity;
  const away = (cell: number) => {
    const centre = cellCentre(grid, cell);
    const isOff = planeX !== undefined && Math.abs(centre[0] - planeX) > 0.75 * size;
    return isOff ? Infinity : distance(centre, point);
  };
  depths.forEach((depth, cell) => {
    if (depth === 0) return;
    const way = away(cell);
    if (way < least) [nearest, least] = [cell, way];
    if (way > reach) return;
    const worth = depth - (AWAY * way) / size;
    if (worth > most) [best, most] = [cell, worth];
  });
  const chosen = best ?? nearest;
  if (chosen === undefined) return [point[0], point[1], point[2]];
  const centre = cellCentre(grid, chosen);
  return planeX === undefined ? centre : [planeX, centre[1], centre[2]];
}
