import { mean } from "../evaluate/anova.ts";
import { readOnnx } from "../onnx/onnx-reader.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { decodeExemplars, EXEMPLARS_ENTRY } from "../solve/exemplars.ts";
import { blend, parametersOf, withParameters } from "./model-parameters.ts";

/** An adapted model is taken as it is where this share of the joints is known by name ... */
const RELATED = 0.5;
/** ... and this far towards it where none is: a studio's habits reach beyond one skeleton, but not far. */
const UNRELATED_SHARE = 0.25;
/** Bodies are of one kind up to this difference of their joints' places, dinosaurs and their like ... */
const SAME_KIND = 0.4;
/** ... and from this on have nothing but names in common, as a tree and a whale. */
const OTHER_KIND = 0.6;
/** Joints that are compared by place; more say the same. */
const COMPARED = 60;

/**
 * An adapted model as far as it is fit for a skeleton: whole where one of the examples has most of its
 * joints by name and at like places, a part of the way from the model before where they have little in common.
 *
 * @param base the model that was adapted
 */
export function modelFor(skeleton: Skeleton, base: Uint8Array, adapted: Uint8Array): Uint8Array {
  const known = relatedness(skeleton, adapted);
  if (known === 1) return adapted;
  const places = placesOf(adapted);
  const share = UNRELATED_SHARE + (1 - UNRELATED_SHARE) * known;
  const mixed = blend(parametersOf(base, places), parametersOf(adapted, places), share);
  return withParameters(adapted, places, mixed);
}

/** How close one of the examples comes to a skeleton, by names and places of joints, 0 to 1. */
function relatedness(skeleton: Skeleton, adapted: Uint8Array): number {
  const text = readOnnx(adapted).metadata[EXEMPLARS_ENTRY] ?? "[]";
  const likeness = decodeExemplars(text).map(({ skeleton: other }) => {
    const place = new Map(other.names.map((name, joint) => [name, joint]));
    const pairs = skeleton.names.flatMap((name, joint): [number, number][] =>
      place.has(name) ? [[joint, place.get(name)!]] : [],
    );
    const named = pairs.length / Math.max(1, skeleton.names.length);
    const kind = (OTHER_KIND - bodyDifference(skeleton, other, pairs)) / (OTHER_KIND - SAME_KIND);
    return Math.min(1, named / RELATED) * Math.min(1, Math.max(0, kind));
  });
  return Math.max(0, ...likeness);
}

/**
 * Mean difference of the distances between joints, as shares of their mean: whatever way a body is turned,
 * and however large. Two humans are 0.05 apart, two dinosaurs 0.3.
 *
 * @param pairs joints of the one and of the other that correspond
 */
function bodyDifference(one: Skeleton, other: Skeleton, pairs: [number, number][]): number {
  const stride = Math.ceil(pairs.length / COMPARED);
  const compared = pairs.filter((_, i) => i % stride === 0);
  const lengths = (positions: ArrayLike<number>, side: 0 | 1) =>
    compared.flatMap((pair, i) =>
      compared.slice(0, i).map((before) => distance(positions, pair[side], before[side])),
    );
  const [a, b] = [lengths(one.positions, 0), lengths(other.positions, 1)];
  const [meanA, meanB] = [mean(a), mean(b)];
  if (!(meanA > 0 && meanB > 0)) return 0;
  return mean(a.map((length, i) => Math.abs(length / meanA - b[i] / meanB)));
}

function distance(positions: ArrayLike<number>, a: number, b: number): number {
  const along = (axis: number) => positions[a * 3 + axis] - positions[b * 3 + axis];
  return Math.hypot(along(0), along(1), along(2));
}

/** The stored parameters one after the other. */
function placesOf(model: Uint8Array): { name: string; offset: number; size: number }[] {
  let offset = 0;
  return Object.entries(readOnnx(model).parameters).map(([name, { data }]) => {
    const place = { name, offset, size: data.length };
    offset += data.length;
    return place;
  });
}
