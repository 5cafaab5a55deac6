import { boundsOf, longestSide } from "../math/aabb.ts";
import { createClosestPoint } from "../mesh/closest-point.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { jointPairs } from "../skeleton/joint-pairs.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { bodyCentrality, centralityAt } from "./body-centrality.ts";
import { boxMapped } from "./box-placement.ts";
import {
  matchResidual,
  REGISTER_DEFAULTS,
  type RegisterSettings,
  type RegisterSource,
  type RegisterTarget,
  registerCharacter,
} from "./register-character.ts";
import { type SurfaceSamples, sampleSurface } from "./surface-samples.ts";

const SAMPLES = 400;

export interface RiggedSource {
  skeleton: Skeleton;
  mesh: Mesh;
  weights: SkinWeights;
}

export function fitByRegistration(
  source: RiggedSource,
  target: Mesh,
  options: Partial<RegisterSettings> & { stay?: number; firm?: number; knee?: number; power?: number; sym?: number; n?: number; start?: string } = {},
): Skeleton {
  const size = longestSide(boundsOf(target.positions)) || 1;
  const inUnits = (values: Float32Array) => values.map((value) => value / size);
  const goal: Mesh = { ...target, positions: inUnits(target.positions) };
  const own: RiggedSource = {
    ...source,
    mesh: { ...source.mesh, positions: inUnits(source.mesh.positions) },
    skeleton: { ...source.skeleton, positions: inUnits(source.skeleton.positions) },
  };
  const n = options.n ?? SAMPLES;
  const samples = sampleSurface(own.mesh, n);
  const weights = sampleWeights(samples, own.weights);
  const centrality = centralityAt(bodyCentrality(own.mesh), samples.points);
  const other = targetPoints(goal, n);
  const [from, to] = [boundsOf(own.mesh.positions), boundsOf(goal.positions)];
  const starts = ["asis", "box"].map((name): RegisterSource & { name: string } => {
    const map = (values: Float32Array) => (name === "asis" ? values : boxMapped(values, from, to));
    return {
      name,
      points: Float64Array.from(map(Float32Array.from(samples.points))),
      normals: samples.normals,
      centrality,
      skeleton: { ...own.skeleton, positions: map(own.skeleton.positions) },
      ...weights,
    };
  });
  const residuals = starts.map((start) => matchResidual(start, other));
  const isAsIs = options.start ? options.start === "asis" : residuals[0] < 1.0 * residuals[1];
  const start = starts[isAsIs ? 0 : 1];
  const plain = starts.map((each) => matchResidual(each, other, REGISTER_DEFAULTS.central[1]));
  const rest = Math.min(...plain);
  const firm = (options.firm ?? 3) * Math.min(1, (options.knee ?? 45e-4) / rest) ** (options.power ?? 1.5);
  const { joints, residual } = registerCharacter(start, other, { stiff: [30 * firm, firm], ...options });
  (globalThis as any).LAST = [...plain, residual];
  if (options.sym !== 0) symmetrize(start, other, joints);
  // A body that already matches gains little by any change.
  const stay = options.stay ?? 0.92;
  if (residual > stay * plain[0]) return source.skeleton;
  if (residual > stay * plain[1]) return { ...source.skeleton, positions: starts[1].skeleton.positions.map((v) => v * size) };
  return { ...source.skeleton, positions: Float32Array.from(joints, (v) => v * size) };
}

const FACING = 0.3;
const REACH = 0.15;

function targetPoints(goal: Mesh, n: number): RegisterTarget {
  const { points, normals } = sampleSurface(goal, n, 2);
  const closest = createClosestPoint(goal);
  const { positions, triangles } = goal;
  const faces = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length / 3; t++) {
    const [a, b, c] = [0, 1, 2].map((k) => triangles[t * 3 + k] * 3);
    const u = [0, 1, 2].map((d) => positions[b + d] - positions[a + d]);
    const v = [0, 1, 2].map((d) => positions[c + d] - positions[a + d]);
    const m = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const size = Math.hypot(...m) || 1;
    faces.set(m.map((value) => value / size), t * 3);
  }
  return {
    points,
    normals,
    centrality: centralityAt(bodyCentrality(goal), points),
    closest: (x, y, z, normal) => {
      const found = closest(x, y, z, REACH, (t) => normal[0] * faces[t * 3] + normal[1] * faces[t * 3 + 1] + normal[2] * faces[t * 3 + 2] > FACING);
      if (!found) return undefined;
      return [0, 1, 2].map((d) =>
        found.barycentric.reduce((sum, w, k) => sum + w * positions[triangles[found.triangle * 3 + k] * 3 + d], 0),
      );
    },
  };
}

/** A body or skeleton whose halves differ by less than this is symmetric. */
const SYMMETRIC = 0.012;

function symmetrize(source: RegisterSource, target: RegisterTarget, joints: Float64Array): void {
  const { positions } = source.skeleton;
  const box = boundsOf(source.points);
  const own = (box.min[0] + box.max[0]) / 2;
  const twins = jointPairs(source.skeleton, { axis: 0, offset: own }, 0.03);
  // The plane of the source: between the pairs.
  const pairs = [...twins.keys()].filter((j) => twins[j] > j);
  const middles = pairs.map((j) => (positions[j * 3] + positions[twins[j] * 3]) / 2).sort((a, b) => a - b);
  if (middles.length < 2) return;
  const from = middles[middles.length >> 1];
  const gaps = pairs.map((j) => {
    const t = twins[j];
    return Math.hypot(positions[j * 3] + positions[t * 3] - 2 * from, positions[j * 3 + 1] - positions[t * 3 + 1], positions[j * 3 + 2] - positions[t * 3 + 2]);
  });
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  if (mean > SYMMETRIC) return;
  const bounds = boundsOf(target.points);
  const fitted = pairs.map((j) => (joints[j * 3] + joints[twins[j] * 3]) / 2).sort((a, b) => a - b);
  const candidates = [fitted[fitted.length >> 1], (bounds.min[0] + bounds.max[0]) / 2, 0];
  const costs = candidates.map((x) => mirrorGap(target, x));
  const best = costs.indexOf(Math.min(...costs));
  if (costs[best] > SYMMETRIC) return;
  const to = candidates[best];
  for (let j = 0; j < twins.length; j++) {
    const t = twins[j];
    if (t < j) continue;
    if (t === j) {
      joints[j * 3] = to;
      continue;
    }
    const half = (joints[j * 3] - joints[t * 3]) / 2;
    joints[j * 3] = to + half;
    joints[t * 3] = to - half;
    for (const d of [1, 2]) joints[j * 3 + d] = joints[t * 3 + d] = (joints[j * 3 + d] + joints[t * 3 + d]) / 2;
  }
}

/** Mean distance of mirrored samples from the surface. */
function mirrorGap({ points, normals, closest }: RegisterTarget, plane: number): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < points.length; i += 9) {
    const [x, y, z] = [2 * plane - points[i], points[i + 1], points[i + 2]];
    const found = closest(x, y, z, Float64Array.of(-normals[i], normals[i + 1], normals[i + 2]));
    sum += found ? Math.hypot(found[0] - x, found[1] - y, found[2] - z) : REACH;
    count++;
  }
  return sum / count;
}

/** Joints that weigh most on a sample. */
const INFLUENCES = 4;

function sampleWeights({ corners, barycentric }: SurfaceSamples, given: SkinWeights) {
  const N = corners.length / 3;
  const joints = new Int32Array(N * INFLUENCES);
  const weights = new Float64Array(N * INFLUENCES);
  for (let i = 0; i < N; i++) {
    const sums = new Map<number, number>();
    for (let k = i * 3; k < i * 3 + 3; k++) {
      const v = corners[k];
      for (let s = v * given.influences; s < (v + 1) * given.influences; s++) {
        const value = given.weights[s] * barycentric[k];
        if (value > 0) sums.set(given.joints[s], (sums.get(given.joints[s]) ?? 0) + value);
      }
    }
    const top = [...sums].sort((x, y) => y[1] - x[1]).slice(0, INFLUENCES);
    const total = top.reduce((sum, [, value]) => sum + value, 0) || 1;
    top.forEach(([joint, value], slot) => {
      joints[i * INFLUENCES + slot] = joint;
      weights[i * INFLUENCES + slot] = value / total;
    });
  }
  return { influences: INFLUENCES, joints, weights };
}
