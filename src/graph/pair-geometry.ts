import { type Bones, boneCount } from "../skeleton/bones.ts";

/** Position of a vertex relative to a bone; filled by {@link pairGeometry}. */
export interface PairGeometry {
  /** From the vertex to the closest point of the bone. */
  offset: [number, number, number];
  distance: number;
  /** Parameter of the closest point on its segment: 0 head, 1 tail. */
  along: number;
  /** The same, not clamped to the segment; 0 on a segment of length zero. */
  alongFree: number;
  /** Index of the closest segment over all bones. */
  segment: number;
  length: number;
  /** Unit direction of the closest segment; zero on one of length zero. */
  axis: [number, number, number];
}

/** Creates a record to be reused. */
export function createPairGeometry(): PairGeometry {
  return {
    offset: [0, 0, 0],
    distance: 0,
    along: 0,
    alongFree: 0,
    segment: 0,
    length: 0,
    axis: [0, 0, 0],
  };
}

const TINY = 1e-9;
/** A segment must be nearer by this much than an earlier one, so that rounding does not choose the side. */
const TIE = 4e-6;

/** Measures a vertex relative to the nearest of a bone's segments, into `out`. */
export function pairGeometry(
  x: number,
  y: number,
  z: number,
  bones: Bones,
  bone: number,
  out: PairGeometry,
): PairGeometry {
  if (bone < 0 || bone >= boneCount(bones)) {
    throw new RangeError(`pairGeometry: bone must be 0-${boneCount(bones) - 1}, got ${bone}.`);
  }
  const { segments, starts } = bones;
  out.distance = Number.POSITIVE_INFINITY;
  for (let segment = starts[bone]; segment < starts[bone + 1]; segment++) {
    const s = segment * 6;
    const ax = segments[s + 3] - segments[s];
    const ay = segments[s + 4] - segments[s + 1];
    const az = segments[s + 5] - segments[s + 2];
    const px = x - segments[s];
    const py = y - segments[s + 1];
    const pz = z - segments[s + 2];
    const squared = ax * ax + ay * ay + az * az;
    const free = squared > TINY ? (px * ax + py * ay + pz * az) / squared : 0;
    const along = Math.min(1, Math.max(0, free));
    const ox = along * ax - px;
    const oy = along * ay - py;
    const oz = along * az - pz;
    const distance = Math.sqrt(ox * ox + oy * oy + oz * oz);
    if (distance >= out.distance - TIE) continue;
    const length = Math.sqrt(squared);
    const scale = squared > TINY ? 1 / length : 0;
    out.distance = distance;
    out.offset[0] = ox;
    out.offset[1] = oy;
    out.offset[2] = oz;
    out.along = along;
    out.alongFree = free;
    out.segment = segment;
    out.length = length;
    out.axis[0] = ax * scale;
    out.axis[1] = ay * scale;
    out.axis[2] = az * scale;
  }
  return out;
}
