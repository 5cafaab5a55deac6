import { boundsOf, longestSide } from "../math/aabb.ts";
import { createClosestPoint } from "../mesh/closest-point.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { parentsFirst, type Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { bodyCentrality, centralityAt } from "./body-centrality.ts";
import { type DeformedCharacter, deformCharacter } from "./joint-transforms.ts";
import { CLOSE_TERMS, matchResidual, registerTarget } from "./match-points.ts";
import { registerCharacter } from "./register-character.ts";
import { sampleSurface, sampleWeights, triangleNormals } from "./surface-samples.ts";

/** Limbs up to this size, with at least so many joints, are registered on their own. */
const MAX_SIZE = 0.25;
const MIN_JOINTS = 4;
/** Points on each surface of a limb. */
const SAMPLES = 300;
const MIN_TRIANGLES = 20;
/** Surface of the other body that may belong to a limb: within this distance of it, facing the same way. */
const NEAR = 0.06;
const FACING = 0;
const STIFF: [number, number] = [30, 3];

/**
 * Registers hands, faces and other small limbs with many joints once more, each at its own scale: there are few
 * samples of a whole body on them.
 *
 * @param gain a limb moves only if that reduces its residual below this fraction
 * @returns the character with moved vertices and joints; `from` itself if no limb moves
 */
export function refineLimbs(from: DeformedCharacter, goal: Mesh, gain: number): DeformedCharacter {
  const positions = from.mesh.positions.slice();
  const joints = from.skeleton.positions.slice();
  const owner = strongestJoints(from.weights);
  const limbs = findLimbs(from, owner);
  if (limbs.length === 0) return from;
  const limbOf = new Int32Array(joints.length / 3).fill(-1);
  limbs.forEach((limb, at) => {
    for (const joint of limb) limbOf[joint] = at;
  });
  const { triangles } = from.mesh;
  const limbOfTriangle = Int32Array.from({ length: triangleCount(from.mesh) }, (_, t) => {
    const [a, b, c] = [0, 1, 2].map((k) => limbOf[owner[triangles[t * 3 + k]]] ?? -1);
    return a === b || a === c ? a : b === c ? b : -1;
  });
  const regions = regionsOf(from.mesh, goal, limbOfTriangle, limbs.length);
  let hasMoved = false;
  limbs.forEach((limb, at) => {
    const own = subMesh(
      from.mesh,
      [...limbOfTriangle.keys()].filter((t) => limbOfTriangle[t] === at),
    );
    const other = subMesh(goal, regions[at]);
    if (triangleCount(own) < MIN_TRIANGLES || triangleCount(other) < MIN_TRIANGLES) return;
    const moved = registerLimb(from, { limb, own, other, gain });
    if (!moved) return;
    hasMoved = true;
    limb.forEach((joint, i) => {
      joints.set(moved.joints.subarray(i * 3, i * 3 + 3), joint * 3);
    });
    for (let v = 0; v < owner.length; v++) {
      if (limbOf[owner[v]] === at) positions.set(moved.positions.subarray(v * 3, v * 3 + 3), v * 3);
    }
  });
  if (!hasMoved) return from;
  return {
    ...from,
    mesh: { ...from.mesh, positions },
    skeleton: { ...from.skeleton, positions: joints },
  };
}

/** The joint with the largest weight of each vertex; -1 without weights. */
function strongestJoints({ joints, weights, influences }: SkinWeights): Int32Array {
  return Int32Array.from({ length: joints.length / influences }, (_, v) => {
    let best = v * influences;
    for (let slot = best; slot < (v + 1) * influences; slot++) {
      if (weights[slot] > weights[best]) best = slot;
    }
    return weights[best] > 0 ? joints[best] : -1;
  });
}

/** The largest subtrees that are small and have many joints, parents first. */
function findLimbs({ mesh, skeleton }: DeformedCharacter, owner: Int32Array): number[][] {
  const { parents } = skeleton;
  const J = parents.length;
  const boxes = Array.from({ length: J }, () => [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ]);
  const counts = new Int32Array(J);
  owner.forEach((joint, v) => {
    if (joint < 0) return;
    counts[joint] = 1;
    for (let d = 0; d < 3; d++) {
      const value = mesh.positions[v * 3 + d];
      boxes[joint][0][d] = Math.min(boxes[joint][0][d], value);
      boxes[joint][1][d] = Math.max(boxes[joint][1][d], value);
    }
  });
  const order = [...parentsFirst(skeleton)];
  for (const joint of order.toReversed()) {
    const parent = parents[joint];
    if (parent < 0) continue;
    counts[parent] += counts[joint];
    for (let d = 0; d < 3; d++) {
      boxes[parent][0][d] = Math.min(boxes[parent][0][d], boxes[joint][0][d]);
      boxes[parent][1][d] = Math.max(boxes[parent][1][d], boxes[joint][1][d]);
    }
  }
  const limbs = new Map<number, number[]>();
  const rootOf = new Int32Array(J).fill(-1);
  for (const joint of order) {
    const parent = parents[joint];
    rootOf[joint] = parent >= 0 ? rootOf[parent] : -1;
    const [low, high] = boxes[joint];
    const size = Math.max(...high.map((value, d) => value - low[d]));
    if (rootOf[joint] < 0 && size <= MAX_SIZE && counts[joint] >= MIN_JOINTS) {
      rootOf[joint] = joint;
      limbs.set(joint, []);
    }
    limbs.get(rootOf[joint])?.push(joint);
  }
  return [...limbs.values()];
}

/** The triangles of the other body that lie nearest to each limb and face the same way. */
function regionsOf(mesh: Mesh, goal: Mesh, limbOfTriangle: Int32Array, limbs: number): number[][] {
  const regions: number[][] = Array.from({ length: limbs }, () => []);
  const closest = createClosestPoint(mesh);
  const [own, other] = [triangleNormals(mesh), triangleNormals(goal)];
  for (let t = 0; t < triangleCount(goal); t++) {
    const center = [0, 1, 2].map((d) => {
      const at = (k: number) => goal.positions[goal.triangles[t * 3 + k] * 3 + d];
      return (at(0) + at(1) + at(2)) / 3;
    });
    const found = closest(center[0], center[1], center[2], NEAR, (triangle) => {
      const dot = [0, 1, 2].reduce((sum, d) => sum + own[triangle * 3 + d] * other[t * 3 + d], 0);
      return dot > FACING;
    });
    const limb = found ? limbOfTriangle[found.triangle] : -1;
    if (limb >= 0) regions[limb].push(t);
  }
  return regions;
}

function subMesh({ positions, triangles }: Mesh, list: number[]): Mesh {
  return {
    positions,
    triangles: Uint32Array.from(list.flatMap((t) => [...triangles.subarray(t * 3, t * 3 + 3)])),
  };
}

/** Registers one limb; undefined if that brings the surfaces too little closer. */
function registerLimb(
  { skeleton, weights }: DeformedCharacter,
  { limb, own, other, gain }: { limb: number[]; own: Mesh; other: Mesh; gain: number },
): { joints: Float32Array; positions: Float32Array } | undefined {
  const box = boundsOf(usedPoints(own));
  const size = longestSide(box);
  const into = (points: ArrayLike<number>) =>
    Float32Array.from(points, (value, i) => (value - box.min[i % 3]) / size);
  const [from, to] = [own, other].map((part) => ({ ...part, positions: into(part.positions) }));
  const numbers = new Map(limb.map((joint, at) => [joint, at]));
  const local: SkinWeights = {
    ...weights,
    joints: weights.joints.map((joint) => numbers.get(joint) ?? 0),
  };
  const small: Skeleton = {
    names: limb.map((joint) => skeleton.names[joint]),
    parents: Int32Array.from(limb, (joint) => numbers.get(skeleton.parents[joint]) ?? -1),
    positions: into(
      limb.flatMap((joint) => [...skeleton.positions.subarray(joint * 3, joint * 3 + 3)]),
    ),
  };
  const samples = sampleSurface(from, SAMPLES);
  const source = {
    points: samples.points,
    normals: samples.normals,
    centrality: centralityAt(bodyCentrality(compact(from)), samples.points),
    skeleton: small,
    ...sampleWeights(samples, local),
  };
  const target = registerTarget(to, sampleSurface(to, SAMPLES, 2), (points) =>
    centralityAt(bodyCentrality(compact(to)), points),
  );
  const before = matchResidual(source, target, CLOSE_TERMS);
  const found = registerCharacter(source, target, { stiff: STIFF });
  if (found.residual >= gain * before) return undefined;
  const moved = deformCharacter({ mesh: from, skeleton: small, weights: local }, found.transforms);
  const back = (values: Float32Array) => values.map((value, i) => value * size + box.min[i % 3]);
  return { joints: back(moved.skeleton.positions), positions: back(moved.mesh.positions) };
}

function usedPoints({ positions, triangles }: Mesh): Float32Array {
  return Float32Array.from(
    [...triangles].flatMap((v) => [...positions.subarray(v * 3, v * 3 + 3)]),
  );
}

/** The mesh without unused vertices. */
function compact(mesh: Mesh): Mesh {
  return { positions: usedPoints(mesh), triangles: Uint32Array.from(mesh.triangles.keys()) };
}
