import { createPairGeometry, pairGeometry } from "../../graph/pair-geometry.ts";
import { boundsOf, longestSide } from "../../math/aabb.ts";
import { normal, type Random, randomDirection } from "../../math/random.ts";
import type { Sample } from "../sample.ts";
import { movePoints } from "./move.ts";

/** A row-major 3×3 rotation. */
export type Rotation = readonly number[];

/** Rotates a sample and scales it to its new bounds. */
export function rotateSample(sample: Sample, [a, b, c, d, e, f, g, h, i]: Rotation): Sample {
  const rotate = (from: Float32Array, to: Float32Array, at: number): void => {
    const [x, y, z] = [from[at], from[at + 1], from[at + 2]];
    to[at] = a * x + b * y + c * z;
    to[at + 1] = d * x + e * y + f * z;
    to[at + 2] = g * x + h * y + i * z;
  };
  const normals = new Float32Array(sample.input.normals.length);
  for (let at = 0; at < normals.length; at += 3) rotate(sample.input.normals, normals, at);
  const turned = movePoints(sample, rotate);
  return renormalize({ ...turned, input: { ...turned.input, normals } });
}

export function verticalRotation(radians: number): Rotation {
  const [s, c] = [Math.sin(radians), Math.cos(radians)];
  return [c, 0, s, 0, 1, 0, -s, 0, c];
}

export function axisRotation(
  [x, y, z]: readonly [number, number, number],
  radians: number,
): Rotation {
  const [s, c] = [Math.sin(radians), Math.cos(radians)];
  const k = 1 - c;
  return [
    c + x * x * k,
    x * y * k - z * s,
    x * z * k + y * s,
    y * x * k + z * s,
    c + y * y * k,
    y * z * k - x * s,
    z * x * k - y * s,
    z * y * k + x * s,
    c + z * z * k,
  ];
}

/** Axis and angle of rotations that lay an upright character down or rotateSample it over. */
const QUARTERS: readonly (readonly [[number, number, number], number])[] = [
  [[1, 0, 0], Math.PI / 2],
  [[1, 0, 0], -Math.PI / 2],
  [[0, 0, 1], Math.PI / 2],
  [[0, 0, 1], -Math.PI / 2],
  [[1, 0, 0], Math.PI],
];

/** Returns a random rotation: mostly quarter turns, as of files with another up axis. */
export function randomRotation(random: Random): Rotation {
  const [which, quarter, angle] = [random(), random(), random() * 2 * Math.PI];
  const axis = randomDirection(random);
  if (which < 0.3) return axisRotation(axis, angle);
  return axisRotation(...QUARTERS[Math.floor(quarter * QUARTERS.length)]);
}

/**
 * Scales a sample by a different factor (> 0) along each axis, then back to longest side 1.
 *
 * Distances grow like the straight line from the vertex to its bone, an approximation for paths
 * around corners.
 *
 * @param factors > 0, for x, y and z
 */
export function stretch(sample: Sample, factors: [number, number, number]): Sample {
  const moved = movePoints(sample, (from, to, at) => {
    for (let axis = 0; axis < 3; axis++) to[at + axis] = from[at + axis] * factors[axis];
  });
  const distances = stretchedDistances(sample, factors);
  const normals = stretchedNormals(sample.input.normals, factors);
  return sortSlots(renormalize({ ...moved, input: { ...moved.input, normals, distances } }));
}

function stretchedDistances(
  { input: { mesh, bones, distances } }: Sample,
  [fx, fy, fz]: [number, number, number],
): Sample["input"]["distances"] {
  const geometry = createPairGeometry();
  const mean = Math.cbrt(fx * fy * fz);
  const out = distances.distances.slice();
  for (let i = 0; i < out.length; i++) {
    const bone = distances.bones[i];
    if (bone < 0) continue;
    const at = Math.floor(i / distances.k) * 3;
    const [x, y, z] = [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
    const { offset, distance } = pairGeometry(x, y, z, bones, bone, geometry);
    const after = Math.hypot(offset[0] * fx, offset[1] * fy, offset[2] * fz);
    out[i] *= distance > 0 ? after / distance : mean;
  }
  return { ...distances, distances: out };
}

/** Normals scale by the inverse factors. */
function stretchedNormals(normals: Float32Array, factors: number[]): Float32Array {
  const out = new Float32Array(normals.length);
  for (let i = 0; i < out.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) out[i + axis] = normals[i + axis] / factors[axis];
    const length = Math.hypot(out[i], out[i + 1], out[i + 2]);
    if (length > 0) for (let axis = 0; axis < 3; axis++) out[i + axis] /= length;
  }
  return out;
}

/** Mirrors a sample in x; triangles are flipped to keep facing outwards. */
export function mirror(sample: Sample): Sample {
  const mirrored = movePoints(sample, (from, to, at) => {
    to.set([-from[at], from[at + 1], from[at + 2]], at);
  });
  const normals = sample.input.normals.slice();
  for (let i = 0; i < normals.length; i += 3) normals[i] = -normals[i];
  const triangles = sample.input.mesh.triangles.slice();
  for (let i = 0; i < triangles.length; i += 3) {
    [triangles[i + 1], triangles[i + 2]] = [triangles[i + 2], triangles[i + 1]];
  }
  const { input } = mirrored;
  return { ...mirrored, input: { ...input, normals, mesh: { ...input.mesh, triangles } } };
}

/**
 * Multiplies each distance by exp(deviation · n), half of the variance shared by all vertices of a
 * bone. Voxel distances are quantized, so the network must not rely on the last digit or on the
 * order of near ties.
 */
export function jitter(sample: Sample, random: Random, deviation: number): Sample {
  const { distances } = sample.input;
  const { parents } = sample.input.skeleton;
  const each = deviation * Math.SQRT1_2;
  const ofBone = Float32Array.from(parents, () => normal(random) * deviation * Math.SQRT1_2);
  const noisy = distances.distances.map((value, i) => {
    const bone = distances.bones[i];
    return bone < 0 ? value : value * Math.exp(ofBone[bone] + each * normal(random));
  });
  const input = { ...sample.input, distances: { ...distances, distances: noisy } };
  return sortSlots({ ...sample, input });
}

/**
 * Scales a sample to longest side 1, floor at y = 0, centered in x and z, like every network input.
 */
function renormalize(sample: Sample): Sample {
  const bounds = boundsOf(sample.input.mesh.positions);
  const { min, max } = bounds;
  const longest = longestSide(bounds);
  const scale = longest > 0 ? 1 / longest : 1;
  const offset = [(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2];
  const moved = movePoints(sample, (from, to, at) => {
    for (let axis = 0; axis < 3; axis++) to[at + axis] = (from[at + axis] - offset[axis]) * scale;
  });
  const { distances } = sample.input;
  const scaled = distances.distances.map((value) => value * scale);
  return { ...moved, input: { ...moved.input, distances: { ...distances, distances: scaled } } };
}

/**
 * Sorts the candidates of each vertex by distance (ties: lower bone first); priors and labels move
 * along.
 */
export function sortSlots(sample: Sample): Sample {
  const { distances, prior } = sample.input;
  const { k } = distances;
  const [bones, lengths] = [distances.bones.slice(), distances.distances.slice()];
  const [sortedPrior, labels] = [prior.slice(), sample.labels.slice()];
  const columns = [lengths, bones, sortedPrior, labels];
  for (let start = 0; start < bones.length; start += k) {
    // Insertion sort, because the order is nearly right.
    for (let i = start + 1; i < start + k; i++) {
      for (let j = i; j > start && before(lengths, bones, j, j - 1); j--) {
        for (const column of columns) [column[j - 1], column[j]] = [column[j], column[j - 1]];
      }
    }
  }
  const input = {
    ...sample.input,
    prior: sortedPrior,
    distances: { k, bones, distances: lengths },
  };
  return { ...sample, labels, input };
}

/** Returns whether slot a belongs before slot b; empty slots are last. */
function before(distances: Float32Array, bones: Int32Array, a: number, b: number): boolean {
  if (bones[a] < 0 || bones[b] < 0) return bones[b] < 0 && bones[a] >= 0;
  return distances[a] < distances[b] || (distances[a] === distances[b] && bones[a] < bones[b]);
}
