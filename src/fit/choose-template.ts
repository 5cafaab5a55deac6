import { InputError } from "../input-error.ts";
import { boundsOf } from "../math/aabb.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { BodyKind } from "../skeleton/roles.ts";
import { bodyBranches, coarseDepth } from "./body-branches.ts";
import type { BodyDepth } from "./body-depth.ts";
import { KIND_NETWORK, type KindNetwork } from "./body-kinds-table.ts";
import { bodyShape } from "./body-shape.ts";

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
/** Meshes flatter than this fraction of their longest side have no body. */
const THIN = 0.02;
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

/** Parts that stick out, relative to the box. */
interface Tip {
  y: number;
  z: number;
  isSlender: boolean;
}

/** Tips this low may be feet that do not stand, as in a stride; feet of one animal are this far apart. */
const LOW = 0.2;
const STRIDE = 0.25;
/** A standing body is about as high as it is large. */
const STANDING = 0.85;

/** The kind of a body whose limbs do not mirror each other: one in a stride, or with a weapon. */
function guess(tips: readonly Tip[], [w, h, d]: number[]): BodyKind | undefined {
  const slender = tips.filter(({ isSlender }) => isSlender);
  const low = slender.filter(({ y }) => y < LOW).map(({ z }) => z);
  const isLong = d > 1.2 * w && d > 0.8 * h;
  if (isLong && low.length >= 2 && Math.max(...low) - Math.min(...low) > STRIDE) return "quadruped";
  const isStanding = h >= STANDING * Math.max(w, d);
  return isStanding && slender.length >= 2 && low.length > 0 ? "biped" : undefined;
}

/**
 * Tells the kind of a body by the parts that stick out: pairs of legs on the ground, arms or wings above it, a
 * body that lies or stands.
 */
function kindByParts(mesh: Mesh, body: BodyDepth): BodyKind | undefined {
  const { min, max } = boundsOf(mesh.positions);
  const [w, h, d] = [0, 1, 2].map((axis) => max[axis] - min[axis]);
  const size = Math.max(w, h, d) || 1;
  const branches = bodyBranches(body);
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
  // A tall narrow body stands with its arms down.
  const isTall = longest === h && branches.length > 1;
  if (longest > LONG * second && branches.length <= 4 && !isTall) return "snake";
  if (ends.length >= 2 && isLying && d > 1.3 * w) return "fish";
  if (arms.length > 0 && h > 1.2 * d && branches.length <= 6) return "biped";
  return guess(tips, [w, h, d]);
}

/** Kinds that {@link bodyKindScores} knows; `none` is no body. */
export const KINDS = [
  "biped",
  "quadruped",
  "bird",
  "fish",
  "snake",
  "spider",
  "insect",
  "dragon",
  "none",
] as const;

function isFlat({ positions }: Mesh): boolean {
  const { min, max } = boundsOf(positions);
  const sides = [0, 1, 2].map((axis) => max[axis] - min[axis]);
  return !(Math.min(...sides) >= THIN * Math.max(...sides));
}

/** Describes a body to the classifier: its shape, and the kind that its parts suggest. */
export function kindFeatures(mesh: Mesh): number[] | undefined {
  const body = coarseDepth(mesh);
  const shape = bodyShape(body);
  if (!shape) return undefined;
  const byParts = isFlat(mesh) ? undefined : kindByParts(mesh, body);
  return [...shape, ...KINDS.map((kind) => Number(kind === byParts))];
}

/** Returns the score of each kind: a network with one hidden layer. */
export function bodyKindScores(
  features: readonly number[],
  { hidden, out }: KindNetwork,
): number[] {
  const layer = (input: readonly number[], rows: readonly (readonly number[])[]) =>
    rows.map((row) => input.reduce((sum, value, i) => sum + value * row[i], row[input.length]));
  return layer(layer(features, hidden).map(Math.tanh), out);
}

/** A kind of body, and how likely it is. */
export interface LikelyKind {
  kind: BodyKind;
  likelihood: number;
}

/**
 * Returns the kinds that a body may be of, the likeliest first, by its shape and by the parts that stick out. y
 * is up, the front is +z. A network with one hidden layer tells them, which has learned from the training
 * characters (`npm run bench fit-kinds`).
 *
 * Throws `InputError` for what is no body: spheres, planes, cars and trees.
 */
export function likelyKinds(mesh: Mesh): LikelyKind[] {
  const features = isFlat(mesh) ? undefined : kindFeatures(mesh);
  const scores = features ? bodyKindScores(features, KIND_NETWORK) : [];
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const order = [...powers.keys()].sort((a, b) => powers[b] - powers[a]);
  if (order.length === 0 || KINDS[order[0]] === "none") {
    throw new InputError({
      what: "the mesh does not look like a body with legs, wings or fins, so no template was chosen",
      remedy: { option: "skeleton", advice: "choose a template or a file" },
    });
  }
  return order.flatMap((i) => {
    const kind = KINDS[i];
    return kind === "none" ? [] : [{ kind, likelihood: powers[i] / total }];
  });
}

/** Chooses the template for a body; see {@link likelyKinds}. */
export function chooseTemplate(mesh: Mesh): BodyKind {
  return likelyKinds(mesh)[0].kind;
}
