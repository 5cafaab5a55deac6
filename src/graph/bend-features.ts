import { distanceOf } from "../math/vec3.ts";
import { segmentTails } from "./joint-radii.ts";
import { createPairGeometry, pairGeometry } from "./pair-geometry.ts";
import type { GraphInput } from "./skin-graph.ts";

/** Columns of {@link bendFeatures}, in order. */
export const BEND_FEATURES: readonly string[] = [
  "planeHead",
  "planeTail",
  "radial",
  "bendHead",
  "bendTail",
  "azimuthUp",
];

/** Radii and distances from an axis enter ratios with this added. */
const FLOOR = 0.01;
/** Planes farther away than this many radii are all alike. */
const FARTHEST_PLANE = 3;
/** Directions shorter than this are none. */
const TINY = 1e-6;
/** Joints closer than this lie on one spot: the direction between them says nothing. */
const SAME_SPOT = 1e-4;

type Direction = [number, number, number];

/**
 * How each vertex lies to the bends at both ends of its candidate bones: the signed distance from the plane
 * that halves the bend, in radii of the limb there; the distance from the bone's axis in radii; and on which
 * side of the bone it lies, towards the bone before, the bone after, and up (an elbow has an inner and an
 * outer side). All are ratios, so size does not matter.
 *
 * @param radii B, see `jointRadii`
 * @param k slots taken from `input.distances`
 * @returns (V·K)×{@link BEND_FEATURES}; zero rows in empty slots
 */
export function bendFeatures(
  { mesh: { positions }, skeleton, bones, distances }: GraphInput,
  radii: Float32Array,
  k: number,
): Float32Array {
  const V = positions.length / 3;
  const width = BEND_FEATURES.length;
  const out = new Float32Array(V * k * width);
  const tails = segmentTails(bones, skeleton);
  const before = Array.from(skeleton.parents, (_, b) =>
    directionInto(b, skeleton.parents, bones.heads),
  );
  const after = Array.from(skeleton.parents, (_, b): Direction => {
    const at = b * 3;
    const { heads, ends } = bones;
    return unit([ends[at] - heads[at], ends[at + 1] - heads[at + 1], ends[at + 2] - heads[at + 2]]);
  });
  const none: Direction = [0, 0, 0];
  const planes = Array.from(tails, (tail, s) => {
    const bone = boneOfSegment(bones.starts, s);
    const axis = segmentAxis(bones.segments, s);
    const next = tail < 0 ? none : after[tail];
    const alone = isNone(axis) ? before[bone] : axis;
    return {
      head: bisector(before[bone], alone),
      tail: bisector(alone, next),
      before: across(before[bone], axis),
      next: across(next, axis),
      up: across([0, 1, 0], axis),
    };
  });
  const geometry = createPairGeometry();
  const { segments } = bones;
  // Plain numbers in the loop: a list for each vector would take most of the time.
  for (let v = 0; v < V; v++) {
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    for (let slot = 0; slot < k; slot++) {
      const bone = distances.bones[v * distances.k + slot];
      if (bone < 0) continue;
      const { segment: s, axis, along } = pairGeometry(x, y, z, bones, bone, geometry);
      const { head, tail, before: from, next, up } = planes[s];
      const radius = radii[bone];
      const tailRadius = tails[s] < 0 ? radius : radii[tails[s]];
      const at = s * 6;
      const [fx, fy, fz] = [x - segments[at], y - segments[at + 1], z - segments[at + 2]];
      const [tx, ty, tz] = [x - segments[at + 3], y - segments[at + 4], z - segments[at + 5]];
      const forth = fx * axis[0] + fy * axis[1] + fz * axis[2];
      const [sx, sy, sz] = [fx - forth * axis[0], fy - forth * axis[1], fz - forth * axis[2]];
      const length = Math.sqrt(sx * sx + sy * sy + sz * sz);
      const scale = length > TINY ? 1 / length : 0;
      const local = radius + (tailRadius - radius) * along;
      const o = (v * k + slot) * width;
      out[o] = inRadii(fx * head[0] + fy * head[1] + fz * head[2], radius);
      out[o + 1] = inRadii(tx * tail[0] + ty * tail[1] + tz * tail[2], tailRadius);
      out[o + 2] = Math.log((length + FLOOR) / (local + FLOOR));
      out[o + 3] = (sx * from[0] + sy * from[1] + sz * from[2]) * scale;
      out[o + 4] = (sx * next[0] + sy * next[1] + sz * next[2]) * scale;
      out[o + 5] = (sx * up[0] + sy * up[1] + sz * up[2]) * scale;
    }
  }
  return out;
}

/** Unit direction in which the skeleton comes to a joint; zero at a root. */
function directionInto(joint: number, parents: Int32Array, heads: Float32Array): Direction {
  for (
    let at = parents[joint], steps = 0;
    at >= 0 && steps < parents.length;
    at = parents[at], steps++
  ) {
    if (distanceOf(heads, joint, at) < SAME_SPOT) continue;
    return unit(
      [0, 1, 2].map((axis) => heads[joint * 3 + axis] - heads[at * 3 + axis]) as Direction,
    );
  }
  return [0, 0, 0];
}

function segmentAxis(segments: Float32Array, s: number): Direction {
  return unit(
    [0, 1, 2].map((axis) => segments[s * 6 + 3 + axis] - segments[s * 6 + axis]) as Direction,
  );
}

/** The bone a segment belongs to. */
function boneOfSegment(starts: Int32Array, segment: number): number {
  let bone = 0;
  while (starts[bone + 1] <= segment) bone++;
  return bone;
}

/** Unit normal of the plane that halves the bend from one direction to the next; the second where they are opposite. */
function bisector(a: Direction, b: Direction): Direction {
  if (isNone(b)) return a;
  const between: Direction = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  return Math.hypot(...between) < 0.1 ? b : unit(between);
}

/** The part of a vector that is at right angles to a unit axis. */
function across(vector: Direction, axis: Direction): Direction {
  const along = dot3(vector, axis);
  return [vector[0] - along * axis[0], vector[1] - along * axis[1], vector[2] - along * axis[2]];
}

function inRadii(distance: number, radius: number): number {
  const ratio = distance / (radius + FLOOR) / FARTHEST_PLANE;
  return Math.min(1, Math.max(-1, ratio));
}

function isNone(direction: Direction): boolean {
  return direction[0] === 0 && direction[1] === 0 && direction[2] === 0;
}

function unit(vector: Direction): Direction {
  const length = Math.hypot(...vector);
  return length > TINY ? [vector[0] / length, vector[1] / length, vector[2] / length] : [0, 0, 0];
}

function dot3(a: Direction, b: Direction): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
