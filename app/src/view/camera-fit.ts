import { type PerspectiveCamera, Quaternion, Vector3 } from "three";
import type { Direction } from "../../../src/parts.ts";

/** A box to fit into the view. */
export interface Box {
  low: Vector3;
  high: Vector3;
  /** N×3, points of its content; without them its corners count. */
  points?: Float32Array;
}

/** Pixels at the edges of a view that bars cover. */
export interface Insets {
  top: number;
  bottom: number;
}

/**
 * Distance of a camera from the middle of a box at which a part of its image shows the whole box.
 *
 * @param back unit vector from the middle to the camera
 * @param up unit vector, not parallel to `back`
 * @param spread half of the usable width and height at distance 1
 */
export function distanceToSee(
  { low, high, points }: Box,
  back: Vector3,
  up: Vector3,
  spread: { x: number; y: number },
): number {
  const right = new Vector3().crossVectors(up, back).normalize();
  const over = new Vector3().crossVectors(back, right);
  const center = low.clone().add(high).multiplyScalar(0.5);
  const ends = points ?? cornersOf(low, high);
  const point = new Vector3();
  let distance = 0;
  for (let at = 0; at < ends.length; at += 3) {
    point.fromArray(ends, at).sub(center);
    const depth = point.dot(back);
    const wide = Math.abs(point.dot(right)) / spread.x;
    const tall = Math.abs(point.dot(over)) / spread.y;
    distance = Math.max(distance, wide + depth, tall + depth);
  }
  return distance;
}

function cornersOf(low: Vector3, high: Vector3): Float32Array {
  return Float32Array.from({ length: 24 }, (_, i) => {
    const isHigh = (Math.floor(i / 3) >> (i % 3)) & 1;
    return (isHigh ? high : low).getComponent(i % 3);
  });
}

/** Number of points that suffice to estimate how large an object appears. */
const ENOUGH = 1500;

/** The smallest box around points, N×3 each, with a subset of them that includes the extremes of each axis. */
export function framedBox(lists: readonly Float32Array[]): Box {
  const box = boxAround(lists);
  const total = lists.reduce((sum, { length }) => sum + length / 3, 0);
  const stride = Math.max(1, Math.floor(total / ENOUGH));
  const kept: number[] = [];
  for (const positions of lists) {
    for (let at = 0; at < positions.length; at += 3) {
      const isOutermost = [0, 1, 2].some((axis) => {
        const value = positions[at + axis];
        return value === box.low.getComponent(axis) || value === box.high.getComponent(axis);
      });
      if ((at / 3) % stride === 0 || isOutermost) kept.push(...positions.subarray(at, at + 3));
    }
  }
  return { ...box, points: Float32Array.from(kept) };
}

/** The smallest box around points, N×3 each. */
export function boxAround(lists: readonly Float32Array[]): Box {
  const box = {
    low: new Vector3(Infinity, Infinity, Infinity),
    high: new Vector3(-Infinity, -Infinity, -Infinity),
  };
  const point = new Vector3();
  for (const positions of lists) {
    for (let at = 0; at < positions.length; at += 3) {
      point.fromArray(positions, at);
      box.low.min(point);
      box.high.max(point);
    }
  }
  return box;
}

/** Unit vector of a direction along an axis. */
export function vectorOf(direction: Direction): Vector3 {
  const sign = direction.startsWith("-") ? -1 : 1;
  return new Vector3().setComponent("xyz".indexOf(direction.slice(-1)), sign);
}

/** Converts directions from y up to another up axis. */
export function turnToUp(up: Direction): Quaternion {
  return new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), vectorOf(up));
}

/** Position of the camera: in front, at a side, above, or in between. */
export type Standpoint = "usual" | "front" | "back" | "left" | "right" | "top" | "bottom";

/** Directions from the character to the camera, with y up and the character facing +z. */
export const STANDPOINTS: Record<Standpoint, [number, number, number]> = {
  usual: [0.42, 0.2, 1],
  front: [0, 0, 1],
  back: [0, 0, -1],
  left: [1, 0, 0],
  right: [-1, 0, 0],
  // Not exactly vertical: up must remain defined.
  top: [0, 1, 0.001],
  bottom: [0, -1, 0.001],
};

/** A box with room for outstretched limbs. */
export function roomy({ low, high }: Box): Box {
  const center = low.clone().add(high).multiplyScalar(0.5);
  const grow = (point: Vector3) => point.clone().sub(center).multiplyScalar(1.15).add(center);
  return { low: grow(low), high: grow(high) };
}

/** The axes of the world in the camera's frame: x to the right, y up, z towards it. */
export function axesSeen(camera: PerspectiveCamera): Record<"x" | "y" | "z", Vector3> {
  const turn = camera.quaternion.clone().invert();
  const seen = (direction: Direction) => vectorOf(direction).applyQuaternion(turn);
  return { x: seen("x"), y: seen("y"), z: seen("z") };
}
