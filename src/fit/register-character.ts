import { power } from "../math/power.ts";
import { createSystem, deformPoints, restTransforms } from "./joint-transforms.ts";
import {
  CLOSE_TERMS,
  createMatcher,
  FAR_TERMS,
  type RegisterSource,
  type RegisterTarget,
} from "./match-points.ts";

const ROUNDS = 22;
/** Rounds with correspondences on the surface itself, and their share in the goals. */
const FINE_ROUNDS = 6;
const ON_SURFACE = 0.7;
/** Options for {@link registerCharacter}. */
export interface RegisterOptions {
  /** Stiffness at the beginning and at the end. */
  stiff: [number, number];
}

/** The result of {@link registerCharacter}. */
export interface Registered {
  /** J×3. */
  joints: Float64Array;
  /** Mean cost of the best correspondences, in both directions. */
  residual: number;
  /** Transforms of the joints, see `restTransforms`. */
  transforms: Float64Array;
}

/**
 * Deforms a character by its own weights until its surface covers that of another; its joints follow.
 *
 * Each joint has an affine transform; points follow by their weights. Soft correspondences between the
 * surfaces become harder while the joints become less stiff; transforms of neighbors are alike and near
 * similarities.
 * Based on: Sumner et al. Embedded deformation for shape manipulation. 2007. Myronenko and Song. Point set
 * registration: coherent point drift. 2010.
 */
export function registerCharacter(
  source: RegisterSource,
  target: RegisterTarget,
  { stiff }: RegisterOptions,
): Registered {
  const system = createSystem(source);
  const match = createMatcher(source.centrality, target);
  const self = { ...source, points: source.points.slice(), normals: source.normals.slice() };
  const matchSelf = createMatcher(source.centrality, self);
  let { points, normals } = source;
  let solution = restTransforms(source.skeleton);
  let residual = Infinity;
  for (let round = 0; round < ROUNDS + FINE_ROUNDS; round++) {
    const t = Math.min(1, round / (ROUNDS - 1));
    const between = (a: number, b: number) => a * power(b / a, t);
    const terms = {
      heat: between(FAR_TERMS.heat, CLOSE_TERMS.heat),
      normal: CLOSE_TERMS.normal,
      central: between(FAR_TERMS.central, CLOSE_TERMS.central),
    };
    const matches = match(points, normals, terms);
    residual = matches.residual;
    if (round < ROUNDS) {
      // Soft goals are means, which shrink a body; what a body does to itself is subtracted.
      self.points.set(points);
      self.normals.set(normals);
      const { goals } = matchSelf(points, normals, terms);
      for (let at = 0; at < goals.length; at++) matches.goals[at] += points[at] - goals[at];
    } else projectGoals(matches.goals, points, normals, target);
    const smooth = between(...stiff);
    solution = system(matches, solution, smooth);
    ({ points, normals } = deformPoints(source, solution));
  }
  const joints = Float64Array.from(
    { length: source.skeleton.positions.length },
    (_, at) => solution[(Math.floor(at / 3) * 4 + 3) * 3 + (at % 3)],
  );
  return { joints, residual, transforms: solution };
}

/** Replaces the goal of each point by the nearest point of the surface, if it faces the same way. */
function projectGoals(
  goals: Float64Array,
  points: Float64Array,
  normals: Float64Array,
  { closest }: RegisterTarget,
): void {
  for (let i = 0; i < points.length / 3; i++) {
    const [x, y, z] = [points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
    const found = closest(x, y, z, normals.subarray(i * 3, i * 3 + 3));
    if (!found) continue;
    for (let d = 0; d < 3; d++) {
      goals[i * 3 + d] += ON_SURFACE * (found[d] - goals[i * 3 + d]);
    }
  }
}
