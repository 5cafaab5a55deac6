import type { Character } from "../character/character.ts";
import { transformPoint } from "../math/mat4.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { childrenOf, jointCount, type Skeleton, withPositions } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { type Camera, fitCamera, project } from "./camera.ts";
import {
  drawDisc,
  drawLine,
  drawPolygon,
  drawText,
  fitText,
  type Point,
  textScale,
} from "./draw.ts";
import type { Color, Picture } from "./picture.ts";
import { renderMesh } from "./render-mesh.ts";

/** Options of all pictures of a character. */
export interface RenderOptions {
  /** Width and height in pixels; default 480. */
  size?: number;
  /** J×16 matrices from `forwardKinematics`; default the bind pose. */
  pose?: Float32Array;
  /** The weights that pose the mesh; default the shown ones or the character's own. */
  poseWeights?: SkinWeights;
  /** Whether to draw the skeleton over the mesh; default false. */
  skeleton?: boolean;
  title?: string;
  /** The camera of another picture, for comparison; fitted by default. */
  camera?: Camera;
}

/**
 * Draws a character with a color per vertex.
 *
 * @param colors V×3, red, green, blue in 0..255
 */
export function renderCharacter(
  character: Character,
  colors: ArrayLike<number>,
  options: RenderOptions = {},
  overlay: DrawSkeletonOptions = {},
): Picture {
  const mesh = posedMesh(character, options);
  const skeleton = posedSkeleton(character.skeleton, options.pose);
  const camera = options.camera ?? characterCamera(character, options);
  const picture = renderMesh(mesh, colors, camera);
  if (options.skeleton) drawSkeleton(picture, skeleton, camera, overlay);
  if (options.title) {
    const scale = textScale(picture);
    const text = fitText(options.title, picture.width - 12 * scale, scale);
    drawText(picture, text, 6 * scale, 6 * scale, { scale });
  }
  return picture;
}

/** Returns the camera of a picture with these options: all of the posed mesh, and its joints if shown. */
export function characterCamera(character: Character, options: RenderOptions = {}): Camera {
  const { size = 480 } = options;
  const { positions } = posedMesh(character, options);
  const joints = options.skeleton ? posedSkeleton(character.skeleton, options.pose).positions : [];
  const points = new Float32Array(positions.length + joints.length);
  points.set(positions);
  points.set(joints, positions.length);
  const band = Math.round(TEXT_BAND * textScale({ width: size, height: size }));
  // Smaller by a line of text above and one below, with the same center.
  return { ...fitCamera(points, size, Math.max(1, size - 2 * band)), height: size };
}

/** Pixels of a line of text with padding, at scale 1. */
const TEXT_BAND = 12;

function posedMesh(character: Character, options: RenderOptions): Mesh {
  const weights = options.poseWeights ?? character.weights;
  if (!options.pose || !weights) return character.mesh;
  const positions = linearBlend(character.mesh.positions, weights, options.pose);
  return { ...character.mesh, positions };
}

function posedSkeleton(skeleton: Skeleton, pose: Float32Array | undefined): Skeleton {
  if (!pose) return skeleton;
  const positions = new Float32Array(skeleton.positions.length);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const rest = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    positions.set(transformPoint(pose.subarray(joint * 16, joint * 16 + 16), rest), joint * 3);
  }
  return withPositions(skeleton, positions);
}

/** Options for {@link drawSkeleton}. */
export interface DrawSkeletonOptions {
  highlight?: number;
  /** A color per joint; default steel blue. */
  colorOf?: (joint: number) => Color;
}

const STEEL: Color = [58, 84, 120];
const ACCENT: Color = [226, 66, 40];
const PALE: Color = [252, 252, 250];

/** Position and width of the widest part of a bone, relative to its length. */
const SHOULDER = { at: 0.16, width: 0.085 };

/** Maximum half width of a bone, in pixels of a picture 400 wide. */
const WIDEST = 5;

/** Opacity of bones, so that the mesh remains visible. */
const OPACITY = 0.6;

function drawSkeleton(
  picture: Picture,
  skeleton: Skeleton,
  camera: Camera,
  options: DrawSkeletonOptions = {},
): void {
  const { highlight = -1, colorOf = () => STEEL } = options;
  const size = Math.max(0.6, Math.min(picture.width, picture.height) / 400);
  const pixelOf = (joint: number): Point => {
    const [x, y] = project(camera, skeleton.positions.subarray(joint * 3, joint * 3 + 3));
    return [x, y];
  };
  const color = (joint: number) => (joint === highlight ? ACCENT : colorOf(joint));
  childrenOf(skeleton).forEach((children, joint) => {
    for (const child of children) {
      drawBone(picture, pixelOf(joint), pixelOf(child), size, color(joint));
    }
  });
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const radius = (joint === highlight ? 4.2 : 2.2) * size;
    drawDisc(picture, pixelOf(joint), radius + 0.8 * size, PALE, 0.9);
    drawDisc(picture, pixelOf(joint), radius, color(joint), 1);
  }
}

function drawBone(picture: Picture, head: Point, tail: Point, size: number, color: Color): void {
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
  drawPolygon(picture, corners, color, OPACITY);
  corners.forEach((corner, i) => {
    drawLine(picture, corner, corners[(i + 1) % 4], 0.7 * size, PALE, 0.75);
  });
}
