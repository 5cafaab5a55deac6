import type { SkinWeights } from "./skin-weights.ts";

/** The rules of skin weights. */
export type WeightRule =
  | "shape"
  | "not-a-number"
  | "negative"
  | "no-weight"
  | "sum"
  | "order"
  | "joint-range"
  | "joint-twice"
  | "unused-slot";

/**
 * One broken rule.
 *
 * @example
 * const problems: WeightProblem[] = checkWeights(weights, 1, 1);
 * for (const { message } of problems) console.log(message);
 */
export interface WeightProblem {
  rule: WeightRule;
  count: number;
  /** The first of them; -1 for a rule about all weights. */
  vertex: number;
  message: string;
}

/** Well above the float32 rounding of a row of many slots. */
const SUM_TOLERANCE = 1e-5;

const SENTENCES: Record<Exclude<WeightRule, "shape">, string> = {
  "not-a-number": "have a weight that is not a finite number",
  negative: "have a negative weight",
  "no-weight": "have no weight at all",
  sum: "have weights that do not sum to 1",
  order: "have weights that are not in descending order",
  "joint-range": "name a joint that is not in the skeleton",
  "joint-twice": "name a joint twice",
  "unused-slot": "have a joint other than 0 in a slot without weight",
};

/**
 * Lists the rules that skin weights break; an empty list means they are valid.
 *
 * @param vertices V the weights should have
 * @param joints J of the skeleton
 *
 * @example
 * const problems = checkWeights(weights, character.mesh.positions.length / 3, character.skeleton.names.length);
 * console.log(problems.length === 0);
 */
export function checkWeights(
  weights: SkinWeights,
  vertices: number,
  joints: number,
): WeightProblem[] {
  const { influences } = weights;
  const length = vertices * influences;
  if (weights.joints.length !== length || weights.weights.length !== length) {
    const message =
      `${vertices} vertices of ${influences} slots need ${length} joints and weights, ` +
      `got ${weights.joints.length} and ${weights.weights.length}.`;
    return [{ rule: "shape", count: 1, vertex: -1, message }];
  }
  const found = new Map<Exclude<WeightRule, "shape">, { count: number; vertex: number }>();
  for (let vertex = 0; vertex < vertices; vertex++) {
    for (const rule of brokenRules(weights, vertex, joints)) {
      const entry = found.get(rule);
      if (entry) entry.count++;
      else found.set(rule, { count: 1, vertex });
    }
  }
  return Array.from(found, ([rule, { count, vertex }]) => ({
    rule,
    count,
    vertex,
    message: `${count} of ${vertices} vertices ${SENTENCES[rule]}; the first is vertex ${vertex}.`,
  }));
}

function brokenRules(
  { influences, joints, weights }: SkinWeights,
  vertex: number,
  jointCount: number,
): Set<Exclude<WeightRule, "shape">> {
  const broken = new Set<Exclude<WeightRule, "shape">>();
  const start = vertex * influences;
  let sum = 0;
  for (let i = start; i < start + influences; i++) {
    const weight = weights[i];
    sum += weight;
    if (!Number.isFinite(weight)) broken.add("not-a-number");
    if (weight < 0) broken.add("negative");
    if (i > start && weight > weights[i - 1]) broken.add("order");
    if (joints[i] >= jointCount) broken.add("joint-range");
    if (weight === 0 && joints[i] !== 0) broken.add("unused-slot");
    if (weight !== 0) {
      for (let j = start; j < i; j++) {
        if (weights[j] !== 0 && joints[j] === joints[i]) broken.add("joint-twice");
      }
    }
  }
  if (sum === 0) broken.add("no-weight");
  else if (!broken.has("not-a-number") && Math.abs(sum - 1) > SUM_TOLERANCE) broken.add("sum");
  return broken;
}

/** Returns the number of vertices by influences (I+1): entry n counts the vertices with n nonzero weights. */
export function influenceHistogram(weights: SkinWeights): number[] {
  const { influences } = weights;
  const counts = new Array<number>(influences + 1).fill(0);
  for (let start = 0; start < weights.weights.length; start += influences) {
    let used = 0;
    for (let i = start; i < start + influences; i++) if (weights.weights[i] > 0) used++;
    counts[used]++;
  }
  return counts;
}
