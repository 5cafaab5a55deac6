import { forwardKinematics } from "../../src/index.ts";
import { clipPose } from "../../src/io/index.ts";
import type { PreparedCharacter } from "../../src/parts.ts";
import type { State } from "./store.ts";

/** J×16 from the bind pose to what is shown: the clip that plays, else the joints as turned by hand. */
export function poseMatrices({ character, clip, rotations }: State): Float32Array | undefined {
  if (!character) return undefined;
  const { clips, prepared } = character;
  const playing = clips.clips[clip.index];
  if (playing) return toPrepared(clipPose(clips, playing, clip.seconds), prepared);
  return forwardKinematics(prepared.character.skeleton, rotations);
}

/** J×4 without any turn. */
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
