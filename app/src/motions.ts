import { type Character, forwardKinematics, type Skeleton } from "../../src/index.ts";
import { type MotionClip, type MotionName, makeMotion, motionsFor } from "../../src/parts.ts";

/** Motions generated for a skeleton, each on first use. */
export interface OwnMotions {
  names: MotionName[];
  /** J×16 from the bind pose. */
  pose(index: number, seconds: number): Float32Array;
  duration(index: number): number;
}

/** Order of preference; a biped first walks, a fish swims. */
const FIRST: MotionName[] = ["walk", "swim", "slither", "scuttle", "fly", "idle"];

/** Creates the motions of a character; none if the limbs of its body are unknown. */
export function ownMotions(character: Pick<Character, "mesh" | "skeleton">): OwnMotions {
  const { skeleton, mesh } = character;
  const names = suitable(character);
  const made = new Map<number, MotionClip | undefined>();
  const clipOf = (index: number) => {
    if (!made.has(index)) made.set(index, makeMotion(skeleton, names[index], mesh));
    return made.get(index);
  };
  return {
    names,
    duration: (index) => clipOf(index)?.duration ?? 0,
    pose(index, seconds) {
      const clip = clipOf(index);
      return clip ? motionPose(skeleton, clip, seconds) : restPose(skeleton);
    },
  };
}

function suitable({ skeleton, mesh }: Pick<Character, "mesh" | "skeleton">): MotionName[] {
  try {
    return motionsFor(skeleton, mesh);
  } catch {
    // A body with unknown limbs can still rotate joint by joint.
    return [];
  }
}

/** Number of the motion that best shows that a skeleton works; -1 for none. */
export function bestMotion(names: readonly string[]): number {
  const found = FIRST.find((name) => names.includes(name));
  return found ? names.indexOf(found) : -1;
}

/** Interpolates the pose between two frames of a clip. */
function motionPose(skeleton: Skeleton, clip: MotionClip, seconds: number): Float32Array {
  const { duration, times, rotations, translations } = clip;
  const joints = skeleton.parents.length;
  const place = ((seconds / duration) % 1) * (times.length - 1);
  const key = Math.min(times.length - 2, Math.floor(place));
  const t = place - key;
  const between = (values: Float32Array, size: number) => {
    const from = key * joints * size;
    return Float32Array.from({ length: joints * size }, (_, i) => {
      const [a, b] = [values[from + i], values[from + joints * size + i]];
      return a + t * (b - a);
    });
  };
  const turns = between(rotations, 4);
  for (let j = 0; j < turns.length; j += 4) {
    const size = Math.hypot(turns[j], turns[j + 1], turns[j + 2], turns[j + 3]) || 1;
    for (let i = j; i < j + 4; i++) turns[i] /= size;
  }
  return forwardKinematics(skeleton, turns, between(translations, 3));
}

function restPose(skeleton: Skeleton): Float32Array {
  const rest = Float32Array.from({ length: skeleton.parents.length * 4 }, (_, i) =>
    i % 4 === 3 ? 1 : 0,
  );
  return forwardKinematics(skeleton, rest);
}
