import { InputError } from "../input-error.ts";
import { boundsOf } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { BodyKind } from "../skeleton/roles.ts";
import { bodyBranches } from "./body-branches.ts";

/** Tips in this lowest fraction of the height stand on the ground. */
const GROUND = 0.14;
/** Tips mirror each other, or lie in the middle, within this fraction of the longest side. */
const SAME = 0.12;
const MIDDLE = 0.07;
/** Limbs are thinner than this fraction of their length; corners of boxes are not. */
const SLENDER = 0.6;
/** A body this many times longer than wide and high is a snake or a fish. */
const LONG = 2.2;

/** Arms do not spread wider than this many heights; wings do. */
const SPREAD = 1.5;
/** Under a body on legs there is this much room, in heights. */
const CLEAR = 0.12;

/** Height of the lowest vertex in the middle above the lowest of all. */
function clearance({ positions }: Mesh, middle: number, size: number): number {
  let [low, all] = [Infinity, Infinity];
  for (let at = 0; at < positions.length; at += 3) {
    all = Math.min(all, positions[at + 1]);
    if (Math.abs(positions[at] - middle) < 0.04 * size) low = Math.min(low, positions[at + 1]);
  }
  return low - all;
}

/**
 * Chooses the template for a body by the parts that stick out: pairs of legs on the ground, arms or wings
 * above it, a body that lies or stands. y is up, the front is +z.
 *
 * Throws `InputError` where no template suits: spheres, planes, cars and trees.
 */
export function chooseTemplate(mesh: Mesh): BodyKind {
  const { min, max } = boundsOf(mesh.positions);
  const [w, h, d] = [0, 1, 2].map((axis) => max[axis] - min[axis]);
  const size = Math.max(w, h, d) || 1;
  const thin = Math.min(w, h, d);
  const branches = thin < 0.02 * size ? [] : bodyBranches(mesh);
  const middle = (min[0] + max[0]) / 2;
  const tips = branches.map(({ tip, length, thickness }) => ({
    x: (tip[0] - middle) / size,
    y: (tip[1] - min[1]) / (h || 1),
    high: (tip[1] - min[1]) / size,
    z: (tip[2] - (min[2] + max[2]) / 2) / (d || 1),
    depth: tip[2] / size,
    isSlender: thickness < SLENDER * length,
  }));
  const pairs = tips.flatMap((a) => {
    if (a.x < MIDDLE / 2 || !a.isSlender) return [];
    const twin = tips.find(
      (b) =>
        Math.abs(a.x + b.x) < SAME &&
        Math.abs(a.high - b.high) < SAME &&
        Math.abs(a.depth - b.depth) < SAME &&
        b.x < 0,
    );
    return twin ? [a] : [];
  });
  const legs = pairs.filter(({ y }) => y < GROUND).length;
  const arms = pairs.filter(({ y }) => y >= GROUND);
  const ends = tips.filter(({ x }) => Math.abs(x) < MIDDLE);
  const isLying = ends.some(({ z }) => z > 0.25) && ends.some(({ z }) => z < -0.25);
  const isWide = arms.some(({ x }) => x > 0.3);
  if (legs >= 4) return "spider";
  if (legs === 3) return "insect";
  if (legs === 2) return isWide && w > 0.8 * size ? "dragon" : "quadruped";
  if (legs === 1 && isLying && d > w && clearance(mesh, middle, size) < CLEAR * h) return "fish";
  if (legs === 1) return (isLying && isWide && h < 0.9 * size) || w > SPREAD * h ? "bird" : "biped";
  const [longest, second] = [w, h, d].sort((a, b) => b - a);
  if (thin >= 0.02 * size && longest > LONG * second && branches.length <= 4) return "snake";
  if (thin >= 0.02 * size && ends.length >= 2 && isLying && d > 1.3 * w) return "fish";
  if (arms.length > 0 && h > 1.2 * d && branches.length <= 6) return "biped";
  throw new InputError({
    what: "the mesh does not look like a body with legs, wings or fins, so no template was chosen",
    remedy: { option: "skeleton", advice: "choose a template or a file" },
  });
}
