import { boundsOf, longestSide } from "../math/aabb.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { bodyCentrality, centralityAt } from "./body-centrality.ts";
import { boxMapped } from "./box-placement.ts";
import {
  type RegisterSettings,
  type RegisterSource,
  registerCharacter,
} from "./register-character.ts";
import { type SurfaceSamples, sampleSurface } from "./surface-samples.ts";

const SAMPLES = 500;

export interface RiggedSource {
  skeleton: Skeleton;
  mesh: Mesh;
  weights: SkinWeights;
}

export function fitByRegistration(
  source: RiggedSource,
  target: Mesh,
  options: Partial<RegisterSettings> = {},
): Skeleton {
  const box = boundsOf(target.positions);
  const size = longestSide(box) || 1;
  const unit = {
    min: box.min.map((v) => v / size),
    max: box.max.map((v) => v / size),
  } as typeof box;
  const from = boundsOf(source.mesh.positions);
  const mapped: Mesh = { ...source.mesh, positions: boxMapped(source.mesh.positions, from, unit) };
  const skeleton = {
    ...source.skeleton,
    positions: boxMapped(source.skeleton.positions, from, unit),
  };
  const scaled: Mesh = { ...target, positions: target.positions.map((v) => v / size) };
  const a = sampleSurface(mapped, SAMPLES);
  const b = sampleSurface(scaled, SAMPLES, 2);
  const own: RegisterSource = {
    points: a.points,
    normals: a.normals,
    centrality: centralityAt(bodyCentrality(mapped), a.points),
    skeleton,
    ...sampleWeights(a, source.weights),
  };
  const other = {
    points: b.points,
    normals: b.normals,
    centrality: centralityAt(bodyCentrality(scaled), b.points),
  };
  const { joints } = registerCharacter(own, other, options);
  return { ...source.skeleton, positions: Float32Array.from(joints, (v) => v * size) };
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
void vertexCount;
