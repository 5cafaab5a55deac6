import { boundsOf, includePoint } from "../math/aabb.ts";
import { cross, dot, type ReadonlyVec3, type Vec3 } from "../math/vec3.ts";

/** Direction of the camera in degrees: yaw from +z towards +x, and pitch. */
const YAW = 35;
const PITCH = 16;
/** Vertical field of view, in degrees. */
const OPENING = 24;
/** Margin as a fraction of the picture's side. */
const MARGIN = 0.06;

/** Maps points of space to pixels and depth. */
export interface Camera {
  /** World directions of right, up and towards the viewer; orthonormal. */
  right: Vec3;
  up: Vec3;
  back: Vec3;
  /** Center of the picture along right, up and back. */
  center: Vec3;
  /** Distance of the eye from the center; Infinity is an orthographic camera. */
  distance: number;
  /** Pixels per unit at the center. */
  scale: number;
  width: number;
  height: number;
}

/** Creates a camera that shows all the given points from half left of the front, as large as possible. */
export function fitCamera(points: Float32Array, width: number, height: number): Camera {
  const axes = viewAxes();
  const center = middleAlong(points, axes);
  const room = 1 - 2 * MARGIN;
  const focus = height / 2 / Math.tan((OPENING * Math.PI) / 360);
  const distance = fitDistance(points, axes, center, focus, [room * width, room * height]);
  return { ...axes, center, distance, scale: focus / distance, width, height };
}

type Axes = Pick<Camera, "right" | "up" | "back">;

function viewAxes(): Axes {
  const [y, p] = [(YAW * Math.PI) / 180, (PITCH * Math.PI) / 180];
  const right: Vec3 = [Math.cos(y), 0, -Math.sin(y)];
  const back: Vec3 = [Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)];
  return { right, back, up: cross(back, right) };
}

function middleAlong(points: Float32Array, { right, up, back }: Axes): Vec3 {
  const box = boundsOf([]);
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    includePoint(box, dot(p, right), dot(p, up), dot(p, back));
  }
  const middle = (k: number) => (points.length > 0 ? (box.min[k] + box.max[k]) / 2 : 0);
  return [middle(0), middle(1), middle(2)];
}

function fitDistance(
  points: Float32Array,
  { right, up, back }: Axes,
  center: Vec3,
  focus: number,
  room: number[],
): number {
  let distance = 1e-6;
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    const x = Math.abs(dot(p, right) - center[0]);
    const y = Math.abs(dot(p, up) - center[1]);
    const towards = dot(p, back) - center[2];
    distance = Math.max(
      distance,
      towards + (2 * focus * x) / room[0],
      towards + (2 * focus * y) / room[1],
    );
  }
  return distance;
}

/**
 * Projects a point: x and y in pixels from the top left, and its depth, larger farther away.
 *
 * Depth is linear in screen space, so that triangles can interpolate it.
 */
export function project(camera: Camera, p: ReadonlyVec3): Vec3 {
  const x = dot(p, camera.right) - camera.center[0];
  const y = dot(p, camera.up) - camera.center[1];
  const towards = dot(p, camera.back) - camera.center[2];
  if (camera.distance === Infinity) {
    const s = camera.scale;
    return [camera.width / 2 + x * s, camera.height / 2 - y * s, -towards];
  }
  const s = (camera.scale * camera.distance) / (camera.distance - towards);
  // -1/z is linear on the screen; scaled to be about the distance from the center.
  const depth = camera.distance - camera.distance ** 2 / (camera.distance - towards);
  return [camera.width / 2 + x * s, camera.height / 2 - y * s, depth];
}

/** Returns the same camera for a picture `factor` times as large. */
export function enlargeCamera(camera: Camera, factor: number): Camera {
  return {
    ...camera,
    scale: camera.scale * factor,
    width: camera.width * factor,
    height: camera.height * factor,
  };
}
