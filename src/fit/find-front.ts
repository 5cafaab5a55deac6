import { boundsOf } from "../math/aabb.ts";
import { mean } from "../math/arrays.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Front } from "../skeleton/find-up.ts";
import { sampleSurface } from "./surface-samples.ts";

/** Points on the surface, and those among which mirror images are searched. */
const SAMPLES = 2000;
const MIRRORED = 400;
/** A body is turned if front and back mirror each other this much better than left and right; */
const TURNED = 0.6;
/** for one that stands with its arms along z, this much better is enough. */
const SPREAD = 0.8;
const STANDING = 0.8;

/** What tells front from back: mean depth of one slice of the height minus that of another. */
interface Cue {
  weight: number;
  /** Usual size of the difference, in longest sides. */
  size: number;
  /** Whether the middle of the extent counts, rather than the mean of the surface. */
  isExtent?: boolean;
  from: Slice;
  to: Slice;
}
type Slice = readonly [low: number, high: number];

const ALL: Slice = [0, 2];
const SHIN: Slice = [0.1, 0.25];
const SOLE: Slice = [0, 0.05];
const TOP: Slice = [0.9, 2];
/** Cues by whether the body stands or lies; logistic regression on the training characters. */
const CUES: Record<"standing" | "lying", readonly Cue[]> = {
  // Feet point forwards; hair and tails hang behind.
  standing: [
    { weight: 1.65, size: 0.079, from: SOLE, to: SHIN },
    { weight: 0.84, size: 0.072, isExtent: true, from: SOLE, to: SHIN },
    { weight: 0.62, size: 0.104, from: TOP, to: ALL },
    { weight: 0.61, size: 0.102, isExtent: true, from: TOP, to: ALL },
  ],
  // The head is high, the belly lies between it and the tail.
  lying: [
    { weight: 0.8, size: 0.083, from: SOLE, to: SHIN },
    { weight: -0.98, size: 0.1, isExtent: true, from: SOLE, to: SHIN },
    { weight: 1.58, size: 0.221, from: TOP, to: ALL },
    { weight: 0.33, size: 0.153, from: [0.75, 0.9], to: ALL },
    { weight: -1.06, size: 0.07, from: [0.25, 0.45], to: ALL },
  ],
};
/** Score from which a body faces -z; most files face +z. */
const BACKWARDS = 1;

/** The front of a body, and whether the other direction is unlikely. */
export interface FoundFront {
  front: Front;
  isSure: boolean;
}

/**
 * Finds the direction in which a body faces, y up: the body is more symmetric from left to right than from
 * front to back, its feet point forwards, or its head stands out at the front.
 */
export function findFront(mesh: Mesh): FoundFront {
  const { min, max } = boundsOf(mesh.positions);
  const [w, h, d] = [0, 1, 2].map((axis) => max[axis] - min[axis]);
  const size = Math.max(w, h, d);
  if (!(size > 0) || mesh.triangles.length === 0) return { front: "z", isSure: false };
  const { points } = sampleSurface(mesh, SAMPLES);
  const center = [0, 1, 2].map((axis) => (min[axis] + max[axis]) / 2);
  const all = Array.from({ length: SAMPLES }, (_, i) =>
    [0, 1, 2].map((axis) => (points[i * 3 + axis] - center[axis]) / size),
  );
  const [acrossX, acrossZ] = [asymmetry(all, 0), asymmetry(all, 2)];
  const isStanding = h >= STANDING * size;
  const isTurned =
    acrossZ < TURNED * acrossX || (isStanding && d > w && acrossZ < SPREAD * acrossX);
  const axis = isTurned ? 0 : 2;
  const length = isTurned ? w : d;
  const slices = all.map((point) => ({
    height: (point[1] * size) / (h || 1) + 0.5,
    depth: point[axis],
  }));
  // Long low bodies go on all fours.
  const score = frontScore(slices, isStanding && length < h ? "standing" : "lying");
  const isBackwards = isTurned ? score < 0 : score < -BACKWARDS;
  const front: Front = `${isBackwards ? "-" : ""}${isTurned ? "x" : "z"}`;
  return { front, isSure: isBackwards ? score < -BACKWARDS : score > 0 };
}

/** Returns the mean distance between points and the mirror images of others, across an axis. */
function asymmetry(points: readonly number[][], axis: number): number {
  const step = Math.ceil(points.length / MIRRORED);
  const some = points.filter((_, i) => i % step === 0);
  return mean(
    some.map((point) => {
      let least = Infinity;
      for (const other of some) {
        let squared = 0;
        for (let i = 0; i < 3; i++) {
          const apart = (i === axis ? -point[i] : point[i]) - other[i];
          squared += apart * apart;
        }
        least = Math.min(least, squared);
      }
      return Math.sqrt(least);
    }),
  );
}

/** Returns a score that is positive for a front in the direction of growing depth. */
function frontScore(
  points: readonly { height: number; depth: number }[],
  kind: keyof typeof CUES,
): number {
  const depthOf = ([low, high]: Slice, isExtent?: boolean): number | undefined => {
    const depths = points
      .filter(({ height }) => height >= low && height < high)
      .map(({ depth }) => depth);
    if (depths.length === 0) return undefined;
    if (!isExtent) return mean(depths);
    const [least, most] = depths.reduce(
      ([a, b], depth) => [Math.min(a, depth), Math.max(b, depth)],
      [Infinity, -Infinity],
    );
    return (least + most) / 2;
  };
  return CUES[kind].reduce((sum, { weight, size, isExtent, from, to }) => {
    const [a, b] = [depthOf(from, isExtent), depthOf(to, isExtent)];
    return a === undefined || b === undefined ? sum : sum + weight * Math.tanh((a - b) / size);
  }, 0);
}

/** Rotates points, N×3, about y so that the front becomes +z; `back` is the inverse. */
export function facing(
  front: Front,
): Record<"forwards" | "back", (p: Float32Array) => Float32Array> {
  const rotated = (points: Float32Array, [zx, zz]: readonly [number, number]) => {
    // The new z axis is (zx, zz), the new x axis (zz, -zx).
    const out = points.slice();
    for (let at = 0; at < points.length; at += 3) {
      const [x, z] = [points[at], points[at + 2]];
      out[at] = x * zz - z * zx;
      out[at + 2] = x * zx + z * zz;
    }
    return out;
  };
  const sign = front.startsWith("-") ? -1 : 1;
  const [x, z] = front.endsWith("x") ? [sign, 0] : [0, sign];
  return {
    forwards: (points) => rotated(points, [x, z]),
    back: (points) => rotated(points, [-x, z]),
  };
}
