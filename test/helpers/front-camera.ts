import type { Camera } from "../../src/picture/camera.ts";

/** A camera in front, without perspective: `scale` pixels per unit, with the center in the middle of the image. */
export function frontCamera(
  center: [number, number, number],
  scale: number,
  width: number,
  height: number,
): Camera {
  return {
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    distance: Infinity,
    center,
    scale,
    width,
    height,
  };
}
