import type { Camera } from "../../src/picture/camera.ts";

/** From the front, without perspective: `scale` pixels a unit, the center in the middle of the picture. */
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
