import { transformPoint } from "../math/mat4.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { Character } from "../weights/character.ts";
import { linearBlend } from "../weights/linear-blend.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { type Camera, fitCamera } from "./camera.ts";
import { type DrawSkeletonOptions, drawSkeleton } from "./draw-skeleton.ts";
import { drawText, fitText, textScale } from "./draw-text.ts";
import type { Picture } from "./picture.ts";
import { renderMesh } from "./render-mesh.ts";

/** Options all pictures of a character share. */
export interface RenderOptions {
  /** Pixels of both sides; 480 unless told. */
  size?: number;
  /** J×16 matrices as `forwardKinematics` gives them; the bind pose unless told. */
  pose?: Float32Array;
  /** The weights that pose the mesh; the shown ones or the character's own unless told. */
  poseWeights?: SkinWeights;
  /** Draw the skeleton over the mesh; not unless told. */
  skeleton?: boolean;
  /** A line in the upper left corner. */
  title?: string;
  /** The camera of another picture, so that both can be compared; fitted unless told. */
  camera?: Camera;
}

/**
 * Draws a character with a colour per vertex, posed or not, with its skeleton or without.
 *
 * @param colours V×3, red, green, blue in 0..255
 */
export function renderCharacter(
  character: Character,
  colours: ArrayLike<number>,
  options: RenderOptions = {},
  overlay: DrawSkeletonOptions = {},
): Picture {
  const mesh = posedMesh(character, options);
  const skeleton = posedSkeleton(character.skeleton, options.pose);
  const camera = options.camera ?? characterCamera(character, options);
  const picture = renderMesh(mesh, colours, camera);
  if (options.skeleton) drawSkeleton(picture, skeleton, camera, overlay);
  if (options.title) {
    const scale = textScale(picture);
    const text = fitText(options.title, picture.width - 12 * scale, scale);
    drawText(picture, text, 6 * scale, 6 * scale, { scale });
  }
  return picture;
}

/** The camera a picture with these options has: all of the posed mesh, and its joints if shown. */
export function characterCamera(character: Character, options: RenderOptions = {}): Camera {
  const { size = 480 } = options;
  const { positions } = posedMesh(character, options);
  const joints = options.skeleton ? posedSkeleton(character.skeleton, options.pose).positions : [];
  const points = new Float32Array(positions.length + joints.length);
  points.set(positions);
  points.set(joints, positions.length);
  const band = Math.round(TEXT_BAND * textScale({ width: size, height: size }));
  // Smaller by a line of text above and one below, about the same middle.
  return { ...fitCamera(points, size, Math.max(1, size - 2 * band)), height: size };
}

/** Pixels of a line of text and some air, at scale 1. */
const TEXT_BAND = 12;

function posedMesh(character: Character, options: RenderOptions): Mesh {
  const weights = options.poseWeights ?? character.weights;
  if (!options.pose || !weights) return character.mesh;
  return {
    ...character.mesh,
    positions: linearBlend(character.mesh.positions, weights, options.pose),
  };
}

function posedSkeleton(skeleton: Skeleton, pose: Float32Array | undefined): Skeleton {
  if (!pose) return skeleton;
  const positions = new Float32Array(skeleton.positions.length);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    const place = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
    positions.set(transformPoint(pose.subarray(joint * 16, joint * 16 + 16), place), joint * 3);
  }
  return { ...skeleton, positions };
}
