import type { Camera } from "../src/picture/camera.ts";

/** From the front, without perspective: `scale` pixels a unit, the centre in the middle of the picture. */
export function frontCamera(
  centre: [number, number, number],
  scale: number,
  width: number,
  height: number,
): Camera {
  return {
    right: [1, 0, 0],
    up: [0, 1, 0],
    back: [0, 0, 1],
    distance: Infinity,
    ...{ centre, scale, width, height },
  };
}
