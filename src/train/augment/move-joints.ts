import { createPairGeometry, pairGeometry } from "../../graph/pair-geometry.ts";
import { normal, type Random } from "../../math/random.ts";
import { bonesOf } from "../../skeleton/bones.ts";
import type { Weighted } from "./weighted.ts";

/**
 * The character with each joint moved a little, by up to about `amount` of the thickness of what it
 * moves; mesh and weights stay.
 *
 * Artists do not place joints in the exact middle of a limb, and not all at the same height of a knee.
 */
export function moveJoints(character: Weighted, random: Random, amount = 0.12): Weighted {
  const { skeleton } = character;
  const thickness = boneThickness(character);
  const positions = skeleton.positions.map((value, i) => {
    const shift = normal(random) * amount * thickness[Math.floor(i / 3)];
    return value + shift;
  });
  return { ...character, skeleton: { ...skeleton, positions } };
}

/** J, the mean distance from a bone to the vertices it moves; 0 where it moves none. */
export function boneThickness({ mesh, skeleton, weights }: Weighted): Float64Array {
  const bones = bonesOf(skeleton);
  const geometry = createPairGeometry();
  const sum = new Float64Array(skeleton.parents.length);
  const total = new Float64Array(skeleton.parents.length);
  const { positions } = mesh;
  weights.weights.forEach((weight, i) => {
    if (!(weight > 0)) return;
    const v = Math.floor(i / weights.influences) * 3;
    const joint = weights.joints[i];
    pairGeometry(positions[v], positions[v + 1], positions[v + 2], bones, joint, geometry);
    sum[joint] += weight * geometry.distance;
    total[joint] += weight;
  });
  return sum.map((value, joint) => (total[joint] > 0 ? value / total[joint] : 0));
}
