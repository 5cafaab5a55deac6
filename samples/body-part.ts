import { add, distance, type ReadonlyVec3, type Vec3 } from "../src/math/vec3.ts";
import { otherSide, type Rig } from "./rig.ts";
import { curveThrough, type SignedDistance, sweep } from "./signed-distance.ts";

/** Calls back with each joint that moves a point and its weight; the weights sum to 1. */
export type Weigh = (p: ReadonlyVec3, give: (joint: string, amount: number) => void) => void;

/** A solid and the joints that move it. */
export interface BodyPart {
  distance: SignedDistance;
  weigh: Weigh;
}

/** A solid that follows one joint. */
export function rigid(joint: string, shape: SignedDistance): BodyPart {
  return { distance: shape, weigh: (_, give) => give(joint, 1) };
}

/** Options for {@link limb}. */
export interface LimbOptions {
  /** End of the last joint's bone, relative to the joint. */
  tip?: Vec3;
  /** Segments of the curve between two joints; 1 is straight. */
  steps?: number;
  /** The radius at a fraction 0..1 of the length; by default a smooth curve through `radii`. */
  radius?: (share: number) => number;
}

/**
 * A round limb along a chain of joints. Each joint moves its segment, and neighboring joints blend smoothly around
 * the joint between them.
 *
 * @param radii at each joint, and at the tip if there is one
 */
export function limb(
  rig: Rig,
  joints: string[],
  radii: number[],
  options: LimbOptions = {},
): BodyPart {
  const { tip, steps = 1, radius } = options;
  const places = joints.map((joint) => rig.place(joint));
  if (tip) places.push(add(places[places.length - 1], tip));
  const curve = curveThrough(places, steps);
  const marks = measure(curve);
  const total = marks[marks.length - 1];
  const widths = radius
    ? marks.map((mark) => radius(mark / total))
    : curveThrough(
        radii.map((r): Vec3 => [r, 0, 0]),
        steps,
      ).map(([r]) => r);
  const starts = joints.map((_, i) => marks[i * steps]);
  return {
    distance: sweep(curve, widths),
    weigh: (p, give) => {
      const shares = chainShares(arcLengthAt(p, curve, marks), starts, radii);
      shares.forEach((share, i) => {
        if (share > 0) give(joints[i], share);
      });
    },
  };
}

/** The length of a polyline up to each of its points. */
function measure(curve: Vec3[]): number[] {
  const marks = [0];
  for (let i = 1; i < curve.length; i++)
    marks.push(marks[i - 1] + distance(curve[i - 1], curve[i]));
  return marks;
}

/** The arc length of the point on a polyline that is nearest to p. */
function arcLengthAt(p: ReadonlyVec3, curve: Vec3[], marks: number[]): number {
  let [best, at] = [Infinity, 0];
  for (let i = 0; i + 1 < curve.length; i++) {
    const [a, b] = [curve[i], curve[i + 1]];
    const [bx, by, bz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const [px, py, pz] = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    const square = Math.max(bx * bx + by * by + bz * bz, 1e-12);
    const t = Math.min(1, Math.max(0, (px * bx + py * by + pz * bz) / square));
    const far = Math.hypot(px - t * bx, py - t * by, pz - t * bz);
    if (far < best) [best, at] = [far, marks[i] + t * (marks[i + 1] - marks[i])];
  }
  return at;
}

/** Weights of the joints of a chain at a length `at`; around a joint two neighbors share. */
export function chainShares(at: number, starts: number[], radii: number[]): number[] {
  const passed = starts.map((start, i) => {
    if (i === 0) return 1;
    const after = i + 1 < starts.length ? starts[i + 1] - start : Infinity;
    // An artist's blend is about as wide as the limb is thick; the blends of two joints never overlap.
    const width = Math.min(radii[i], 0.48 * Math.min(start - starts[i - 1], after));
    return smoothStep((at - start + width) / (2 * width));
  });
  return passed.map((share, i) => share - (passed[i + 1] ?? 0));
}

/** Smooth step: 0 below 0, 1 above 1, level at both ends. */
export function smoothStep(t: number): number {
  const clamped = Math.min(1, Math.max(0, t));
  return clamped * clamped * (3 - 2 * clamped);
}

/** The same part on the other side of the body, moved by the joints of that side. */
export function mirrored(part: BodyPart): BodyPart {
  return {
    distance: (x, y, z) => part.distance(-x, y, z),
    weigh: (p, give) =>
      part.weigh([-p[0], p[1], p[2]], (joint, amount) => give(otherSide(joint), amount)),
  };
}

/** A part and its mirror image. */
export function pair(part: BodyPart): BodyPart[] {
  return [part, mirrored(part)];
}
