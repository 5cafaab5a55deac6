import { createClosestPoint } from "../mesh/closest-point.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { triangleNormals } from "./surface-samples.ts";

/** Points on a surface with the features by which they are matched. */
export interface RegisterPoints {
  /** N×3. */
  points: Float64Array;
  /** N×3, unit length. */
  normals: Float64Array;
  /** N, see `bodyCentrality`. */
  centrality: Float64Array;
}

/** The surface that a character is deformed to. */
export interface RegisterTarget extends RegisterPoints {
  /** The nearest point of the surface that faces a direction; undefined if there is none near. */
  closest: (x: number, y: number, z: number, normal: Float64Array) => ArrayLike<number> | undefined;
}

/** The character that is deformed. */
export interface RegisterSource extends RegisterPoints {
  /** Weights per point: N×influences joints and weights. */
  influences: number;
  joints: Int32Array;
  weights: Float64Array;
  skeleton: Skeleton;
}

/** Weights of the terms of a correspondence, in squared longest sides. */
export interface MatchTerms {
  /** How soft correspondences are: the cost above the best at which a point counts 1/e. */
  heat: number;
  /** Cost of opposite normals, and of the full difference in centrality. */
  normal: number;
  central: number;
}

/** Terms at the beginning, when hands must find hands in another pose, and at the end. */
export const FAR_TERMS: MatchTerms = { heat: 0.04, normal: 0.02, central: 0.3 };
export const CLOSE_TERMS: MatchTerms = { heat: 0.0004, normal: 0.02, central: 0.001 };

/** Where each source point should go, and how much it counts. */
export interface Matches {
  /** N×3. */
  goals: Float64Array;
  /** N, the sum is 1. */
  masses: Float64Array;
  /** Mean cost of the best correspondence of each point, in both directions. */
  residual: number;
}

/** Costs beyond this many heats above the best have no effect. */
const NEGLIGIBLE = 9;

/** Matches points with normals, N×3 each, to the target; the result is valid until the next call. */
export type Matcher = (points: Float64Array, normals: Float64Array, terms: MatchTerms) => Matches;

/** Creates the soft assignment of points to each other, with its buffers. */
export function createMatcher(centrality: Float64Array, target: RegisterPoints): Matcher {
  const { points: q, normals: m, centrality: g } = target;
  const [N, M] = [centrality.length, g.length];
  const [costs, rows, columns] = [0, 1, 2].map(() => new Float32Array(N * M));
  const [rowMin, rowSum] = [new Float64Array(N), new Float64Array(N)];
  const [columnMin, columnSum] = [new Float64Array(M), new Float64Array(M)];
  const goals = new Float64Array(N * 3);
  const masses = new Float64Array(N);

  function measure(points: Float64Array, normals: Float64Array, { normal, central }: MatchTerms) {
    rowMin.fill(Infinity);
    columnMin.fill(Infinity);
    for (let i = 0, at = 0; i < N; i++) {
      const [x, y, z] = [points[i * 3], points[i * 3 + 1], points[i * 3 + 2]];
      const nx = normals[i * 3] * normal;
      const ny = normals[i * 3 + 1] * normal;
      const nz = normals[i * 3 + 2] * normal;
      const c = centrality[i];
      let min = Infinity;
      for (let j = 0, k = 0; j < M; j++, k += 3, at++) {
        const dx = x - q[k];
        const dy = y - q[k + 1];
        const dz = z - q[k + 2];
        const dc = c - g[j];
        const along = nx * m[k] + ny * m[k + 1] + nz * m[k + 2];
        const cost = dx * dx + dy * dy + dz * dz + normal - along + central * dc * dc;
        costs[at] = cost;
        if (cost < min) min = cost;
        if (cost < columnMin[j]) columnMin[j] = cost;
      }
      rowMin[i] = min;
    }
  }

  return function match(points: Float64Array, normals: Float64Array, terms: MatchTerms): Matches {
    measure(points, normals, terms);
    const inverse = 1 / terms.heat;
    const limit = NEGLIGIBLE * terms.heat;
    columnSum.fill(0);
    for (let i = 0, at = 0; i < N; i++) {
      let sum = 0;
      for (let j = 0; j < M; j++, at++) {
        const r = costs[at] - rowMin[i];
        const s = costs[at] - columnMin[j];
        const own = r < limit ? Math.exp(-r * inverse) : 0;
        const theirs = s < limit ? Math.exp(-s * inverse) : 0;
        rows[at] = own;
        columns[at] = theirs;
        sum += own;
        columnSum[j] += theirs;
      }
      rowSum[i] = sum;
    }
    const shares = columnSum.map((sum) => 1 / (sum * M));
    let residual = 0;
    for (let i = 0, at = 0; i < N; i++) {
      let [mass, gx, gy, gz] = [0, 0, 0, 0];
      const share = 1 / (rowSum[i] * N);
      for (let j = 0; j < M; j++, at++) {
        if (rows[at] === 0 && columns[at] === 0) continue;
        const p = rows[at] * share + columns[at] * shares[j];
        mass += p;
        gx += p * q[j * 3];
        gy += p * q[j * 3 + 1];
        gz += p * q[j * 3 + 2];
      }
      masses[i] = mass / 2;
      goals[i * 3] = gx / mass;
      goals[i * 3 + 1] = gy / mass;
      goals[i * 3 + 2] = gz / mass;
      residual += rowMin[i] / N / 2;
    }
    for (let j = 0; j < M; j++) residual += columnMin[j] / M / 2;
    return { goals, masses, residual };
  };
}

/** Returns how far two surfaces are from each other, features included. */
export function matchResidual(
  source: RegisterPoints,
  target: RegisterPoints,
  terms: MatchTerms,
): number {
  return createMatcher(source.centrality, target)(source.points, source.normals, terms).residual;
}

/** Correspondences on the surface must face the same way within this cosine, and be this near. */
const FACING = 0.3;
const NEAR = 0.15;

/** Prepares a surface as a target. */
export function registerTarget(
  mesh: Mesh,
  { points, normals }: Pick<RegisterPoints, "points" | "normals">,
  centralityOf: (points: Float64Array) => Float64Array,
): RegisterTarget {
  const { positions, triangles } = mesh;
  const nearest = createClosestPoint(mesh);
  const faces = triangleNormals(mesh);
  return {
    points,
    normals,
    centrality: centralityOf(points),
    closest: (x, y, z, normal) => {
      const found = nearest(x, y, z, NEAR, (triangle) => {
        const at = triangle * 3;
        const along = normal[0] * faces[at] + normal[1] * faces[at + 1] + normal[2] * faces[at + 2];
        return along > FACING;
      });
      if (!found) return undefined;
      const corner = (k: number) => triangles[found.triangle * 3 + k] * 3;
      return [0, 1, 2].map((axis) =>
        found.barycentric.reduce((sum, part, k) => sum + part * positions[corner(k) + axis], 0),
      );
    },
  };
}
