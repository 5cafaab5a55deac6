import { clipPose } from "../../src/formats/index.ts";
import { forwardKinematics } from "../../src/index.ts";
import type { PreparedCharacter } from "../../src/parts.ts";
import { OWN_MOTION, STRESS_MOTION, type State } from "./store.ts";
import { stressPose, stressSeconds } from "./stress-motion.ts";

/** J×16 from the bind pose to the current pose: of the playing clip, otherwise of the manual rotations. */
export function poseMatrices({
  character,
  clip,
  rotations,
  motions,
}: State): Float32Array | undefined {
  if (!character) return undefined;
  const { clips, prepared } = character;
  const { skeleton } = prepared.character;
  if (clip.index === STRESS_MOTION) return stressPose(skeleton, clip.seconds);
  if (clip.index <= OWN_MOTION && motions) {
    return motions.pose(OWN_MOTION - clip.index, clip.seconds);
  }
  const playing = clips.clips[clip.index];
  if (playing) return toPrepared(clipPose(clips, playing, clip.seconds), prepared);
  return forwardKinematics(skeleton, rotations);
}

/** Duration of the chosen motion in seconds; 0 for none. */
export function motionSeconds({ character, clip, motions }: State): number {
  if (!character) return 0;
  if (clip.index <= OWN_MOTION) return motions?.duration(OWN_MOTION - clip.index) ?? 0;
  if (clip.index === STRESS_MOTION) return stressSeconds(character.prepared.character.skeleton);
  return character.clips.clips[clip.index]?.duration ?? 0;
}

/** J×4, identity rotations. */
export function restRotations(joints: number): Float32Array {
  return Float32Array.from({ length: joints * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0));
}

/** Matrices of the file's space, for points of the prepared space: p' = (p - offset) scale. */
function toPrepared(
  matrices: Float32Array,
  { scale, offset: [x, y, z] }: PreparedCharacter,
): Float32Array {
  const out = matrices.slice();
  for (let m = 0; m < out.length; m += 16) {
    [x, y, z].forEach((shift, axis) => {
      const moved =
        matrices[m + axis] * x + matrices[m + 4 + axis] * y + matrices[m + 8 + axis] * z;
      out[m + 12 + axis] = scale * (moved + matrices[m + 12 + axis] - shift);
    });
  }
  return out;
}
