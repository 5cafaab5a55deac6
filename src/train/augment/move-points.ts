import type { Sample } from "../sample.ts";

/**
 * A sample whose points (vertices, joints, bones) have all been moved by one function.
 *
 * Distances and normals stay as they were: the caller knows what becomes of them.
 *
 * @param move reads three numbers of `from` at an offset and writes them to `to` at the same offset
 */
export function movePoints(
  sample: Sample,
  move: (from: Float32Array, to: Float32Array, offset: number) => void,
): Sample {
  const moveAll = (from: Float32Array): Float32Array => {
    const to = new Float32Array(from.length);
    for (let i = 0; i < from.length; i += 3) move(from, to, i);
    return to;
  };
  const { mesh, skeleton, bones } = sample.input;
  const joints = moveAll(skeleton.positions);
  return {
    ...sample,
    input: {
      ...sample.input,
      mesh: { ...mesh, positions: moveAll(mesh.positions) },
      skeleton: { ...skeleton, positions: joints },
      bones: {
        ...bones,
        heads: joints,
        segments: moveAll(bones.segments),
        ends: moveAll(bones.ends),
      },
    },
  };
}
