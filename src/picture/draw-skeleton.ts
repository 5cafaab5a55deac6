import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { type Camera, project } from "./camera.ts";
import { drawDisc, drawLine, drawPolygon, type Point } from "./draw-shapes.ts";
import type { Colour, Picture } from "./picture.ts";

/** Options for {@link drawSkeleton}. */
export interface DrawSkeletonOptions {
  /** A joint to stand out. */
  highlight?: number;
  /** A colour per joint; steel blue unless told. */
  colourOf?: (joint: number) => Colour;
}

const STEEL: Colour = [58, 84, 120];
const ACCENT: Colour = [226, 66, 40];
const PALE: Colour = [252, 252, 250];

/** Where along a bone it is widest, and how wide it is there, as shares of its length. */
const SHOULDER = { at: 0.16, width: 0.085 };

/** Widest half width of a bone, in pixels of a picture 400 wide. */
const WIDEST = 5;

/** How opaque bones are, so that the mesh shows behind them. */
const OPACITY = 0.6;

/** Draws bones as kites from joint to child and joints as dots over a picture of the mesh. */
export function drawSkeleton(
  picture: Picture,
  skeleton: Skeleton,
  camera: Camera,
  options: DrawSkeletonOptions = {},
): void {
  const { highlight = -1, colourOf = () => STEEL } = options;
  const size = Math.max(0.6, Math.min(picture.width, picture.height) / 400);
  const place = (joint: number): Point => {
    const [x, y] = project(camera, skeleton.positions.subarray(joint * 3, joint * 3 + 3));
    return [x, y];
  };
  const colour = (joint: number) => (joint === highlight ? ACCENT : colourOf(joint));
  childrenOf(skeleton).forEach((children, joint) => {
    for (const child of children) {
      drawBone(picture, place(joint), place(child), size, colour(joint));
    }
  });
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const radius = (joint === highlight ? 4.2 : 2.2) * size;
    drawDisc(picture, place(joint), radius + 0.8 * size, PALE, 0.9);
    drawDisc(picture, place(joint), radius, colour(joint), 1);
  }
}

function drawBone(picture: Picture, head: Point, tail: Point, size: number, colour: Colour): void {
  const [dx, dy] = [tail[0] - head[0], tail[1] - head[1]];
  const length = Math.hypot(dx, dy);
  if (length < 1) return;
  const half = Math.min(WIDEST * size, Math.max(1.4 * size, SHOULDER.width * length)) / length;
  const middle = [head[0] + SHOULDER.at * dx, head[1] + SHOULDER.at * dy];
  const corners: Point[] = [
    head,
    [middle[0] - half * dy, middle[1] + half * dx],
    tail,
    [middle[0] + half * dy, middle[1] - half * dx],
  ];
  drawPolygon(picture, corners, colour, OPACITY);
  corners.forEach((corner, i) => {
    drawLine(picture, corner, corners[(i + 1) % 4], 0.7 * size, PALE, 0.75);
  });
}
