import { cross, dot, type ReadonlyVec3, type Vec3 } from "../math/vec3.ts";

/** Named directions to look from; the character looks along +z, its left is +x. */
export type ViewName = "front" | "back" | "side" | "three-quarter" | "top";

/** From where to look, in degrees: around the y axis from +z towards +x, and up. */
export interface ViewAngles {
  yaw: number;
  pitch: number;
}

const VIEWS: Record<ViewName, ViewAngles> = {
  front: { yaw: 0, pitch: 4 },
  back: { yaw: 180, pitch: 4 },
  side: { yaw: 90, pitch: 4 },
  "three-quarter": { yaw: 35, pitch: 16 },
  top: { yaw: 0, pitch: 89 },
};

/** Maps points of space to pixels and depth. */
export interface Camera {
  /** World directions of right, up and towards the viewer; orthonormal. */
  right: Vec3;
  up: Vec3;
  back: Vec3;
  /** Along right, up and back: the point in the middle of the picture. */
  centre: Vec3;
  /** Distance of the eye from the centre; Infinity is an orthographic camera. */
  distance: number;
  /** Pixels per unit at the centre. */
  scale: number;
  width: number;
  height: number;
}

/** Options for {@link fitCamera}. */
export interface CameraOptions {
  /** Three-quarter unless told. */
  view?: ViewName | ViewAngles;
  /** Vertical opening angle in degrees; 0 is orthographic; 24 unless told. */
  opening?: number;
  /** Free border as a share of the picture's side; 0.06 unless told. */
  margin?: number;
}

/** A camera that shows all the given points, as large as the picture allows. */
export function fitCamera(
  points: Float32Array,
  width: number,
  height: number,
  options: CameraOptions = {},
): Camera {
  const { view = "three-quarter", opening = 24, margin = 0.06 } = options;
  const axes = viewAxes(typeof view === "string" ? VIEWS[view] : view);
  const { centre, half } = boundsAlong(points, axes);
  const room = 1 - 2 * margin;
  if (opening === 0) {
    const scale = room * Math.min(width / (2 * half[0]), height / (2 * half[1]));
    return { ...axes, centre, distance: Infinity, scale, width, height };
  }
  const focus = height / 2 / Math.tan((opening * Math.PI) / 360);
  const distance = fitDistance(points, axes, centre, focus, [room * width, room * height]);
  return { ...axes, centre, distance, scale: focus / distance, width, height };
}

type Axes = Pick<Camera, "right" | "up" | "back">;

function viewAxes({ yaw, pitch }: ViewAngles): Axes {
  const [y, p] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const right: Vec3 = [Math.cos(y), 0, -Math.sin(y)];
  const back: Vec3 = [Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p)];
  return { right, back, up: cross(back, right) };
}

function boundsAlong(
  points: Float32Array,
  { right, up, back }: Axes,
): { centre: Vec3; half: Vec3 } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    [right, up, back].forEach((axis, k) => {
      const along = dot(p, axis);
      low[k] = Math.min(low[k], along);
      high[k] = Math.max(high[k], along);
    });
  }
  const middle = (k: number) => (Number.isFinite(low[k]) ? (low[k] + high[k]) / 2 : 0);
  // A single point still needs some extent, or the scale would be infinite.
  const reach = (k: number) => Math.max((high[k] - low[k]) / 2, 1e-6);
  return { centre: [middle(0), middle(1), middle(2)], half: [reach(0), reach(1), reach(2)] };
}

/** The least distance of the eye at which every point falls inside the room. */
function fitDistance(
  points: Float32Array,
  { right, up, back }: Axes,
  centre: Vec3,
  focus: number,
  room: number[],
): number {
  let distance = 1e-6;
  for (let i = 0; i < points.length; i += 3) {
    const p = points.subarray(i, i + 3);
    const x = Math.abs(dot(p, right) - centre[0]);
    const y = Math.abs(dot(p, up) - centre[1]);
    const towards = dot(p, back) - centre[2];
    distance = Math.max(
      distance,
      towards + (2 * focus * x) / room[0],
      towards + (2 * focus * y) / room[1],
    );
  }
  return distance;
}

/**
 * Where a point appears: x and y in pixels from the top left, and its depth, larger further away.
 *
 * Depth is linear across the picture, so that triangles may interpolate it.
 */
export function project(camera: Camera, p: ReadonlyVec3): Vec3 {
  const x = dot(p, camera.right) - camera.centre[0];
  const y = dot(p, camera.up) - camera.centre[1];
  const towards = dot(p, camera.back) - camera.centre[2];
  if (camera.distance === Infinity) {
    const s = camera.scale;
    return [camera.width / 2 + x * s, camera.height / 2 - y * s, -towards];
  }
  const s = (camera.scale * camera.distance) / (camera.distance - towards);
  // -1/z is linear on the screen; scaled to be about the distance from the centre.
  const depth = camera.distance - camera.distance ** 2 / (camera.distance - towards);
  return [camera.width / 2 + x * s, camera.height / 2 - y * s, depth];
}

/** The same camera for a picture `factor` times as large. */
export function enlargeCamera(camera: Camera, factor: number): Camera {
  return {
    ...camera,
    scale: camera.scale * factor,
    width: camera.width * factor,
    height: camera.height * factor,
  };
}
