import type { Character } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { bodyNormals } from "../graph/graph-input.ts";
import { inverseIndex, takeRows } from "../math/arrays.ts";
import { distanceOf } from "../math/vec3.ts";
import { createClosestPoint, type SurfacePoint } from "../mesh/closest-point.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { buildProxy, type ProxyMesh } from "../mesh/proxy-mesh.ts";
import { type Bones, boneDistance } from "../skeleton/bones.ts";
import { DEFAULT_RESOLUTION, detailResolution } from "../voxel/build-grid.ts";
import { copyRow, emptyWeights, type SkinWeights, writeRow } from "../weights/skin-weights.ts";

/**
 * Vertices up to which a method works on the mesh itself.
 *
 * Costs of the network and of heat grow faster than the benefit of finer meshes: weights are smooth, and a body
 * of this many vertices represents them well (see docs/large.md).
 */
const PROXY_VERTICES = 20000;

/** Returns the default resolution of distances: the method's own, or a finer one for large detailed characters. */
export function resolutionFor(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  usual: number = DEFAULT_RESOLUTION,
  limit: number = PROXY_VERTICES,
): number {
  return mesh.positions.length / 3 > limit ? detailResolution(mesh, skeleton, usual) : usual;
}

/** A character, or its proxy, with measurements. */
export interface MeasuredSurface {
  mesh: Mesh;
  /** Distances of the vertices of `mesh`; grid and bones of the whole character. */
  measured: MeasuredCharacter;
  /** V×3, pointing out of the body. */
  normals: Float32Array;
}

/**
 * Runs a method on a character, or, if it has more than `limit` vertices, on a simplified one, and transfers the
 * weights back.
 *
 * Distances, normals and walls are always those of the full character, so the proxy's vertices have the same
 * measurements as without it.
 *
 * @param measured of `character`
 * @param limit default {@link PROXY_VERTICES}
 */
export async function solveOnProxy(
  { mesh }: Pick<Character, "mesh">,
  measured: MeasuredCharacter,
  limit: number = PROXY_VERTICES,
  solve: (surface: MeasuredSurface) => SkinWeights | Promise<SkinWeights>,
): Promise<SkinWeights> {
  const normals = bodyNormals(mesh, measured.grid, measured.outside);
  if (mesh.positions.length / 3 <= limit) return solve({ mesh, measured, normals });
  const proxy = await buildProxy(mesh, limit);
  const { k, bones, distances } = measured.distances;
  const weights = await solve({
    mesh: proxy.mesh,
    measured: {
      ...measured,
      distances: {
        k,
        bones: takeRows(bones, proxy.vertices, k),
        distances: takeRows(distances, proxy.vertices, k),
      },
    },
    normals: takeRows(normals, proxy.vertices, 3),
  });
  return carryWeights(mesh, measured, proxy, weights);
}

/** Cosine below which a triangle of the proxy is on the other side of something thin. */
const FACES = 0.2;

/** Additional search radius for a better point, in mean edges of the proxy. */
const REACH = 1.5;

/** Nearest bones of a vertex that are compared with those of a corner. */
const COMPARED = 4;

/** A path of cells has right angles: along a diagonal it is this much longer than the straight line. */
const STAIRCASE = Math.sqrt(3);

const ROUNDING = 2;

/** Exponent of the falloff of weights with the distance to a bone. */
const FALL = 3;

/** Added to distances, in longest sides of the mesh, to limit the falloff next to a bone. */
const MIN_DISTANCE = 0.01;
/** Minimum trust; below it in all three corners another point is searched. */
const MIN_TRUST = 0.2;

/**
 * Transfers weights from a proxy back to the mesh it was made from.
 *
 * A vertex of the proxy keeps its row. Any other takes the mean of the corners around its closest point on the
 * proxy: on its own component, on a triangle that faces its way, with each corner weighted by the agreement of
 * its distances to the bones with the vertex's own. Two points that are close, but differ more in HollowDist
 * than the distance between them explains, are separated by a wall (two lips, two fingers) and must not share
 * weights. If no point meets all conditions, they are dropped one by one, so every vertex gets weights.
 *
 * Between the corners a joint's weight falls with the cube of the Euclidean distance to its bone, so that the
 * borders between bones stay where the fine mesh has them (accuracy in bench/results/large-proxy.csv).
 *
 * @param measured of `fine`
 * @param weights one row per vertex of the proxy
 */
export function carryWeights(
  fine: Mesh,
  measured: MeasuredCharacter,
  proxy: ProxyMesh,
  weights: SkinWeights,
): SkinWeights {
  const count = fine.positions.length / 3;
  const out = emptyWeights(count, weights.influences);
  const find = createFinder(fine, measured.distances, measured.grid.size, proxy);
  const own = inverseIndex(proxy.vertices, count);
  const mix = createMix(weights, out, fallWithDistance(fine, measured.bones, proxy, weights));
  for (let v = 0; v < count; v++) {
    if (own[v] >= 0) {
      copyRow(weights, own[v], out, v);
      continue;
    }
    const { triangle, corners } = find(v);
    for (let k = 0; k < 3; k++) mix.add(proxy.mesh.triangles[triangle * 3 + k], corners[k], v);
    mix.write(v);
  }
  return out;
}

/** A triangle of the proxy, and the weight of each of its corners. */
interface ProxyPoint {
  triangle: number;
  /** 3, >= 0, not all 0. */
  corners: number[];
}

/** Finds the point of the proxy from which a vertex of the fine mesh takes its weights. */
function createFinder(
  fine: Mesh,
  distances: BoneDistances,
  size: number,
  proxy: ProxyMesh,
): (v: number) => ProxyPoint {
  const { positions } = fine;
  const { triangles } = proxy.mesh;
  const closest = createClosestPoint(proxy.mesh);
  const normals = vertexNormals(fine);
  const faces = triangleNormals(proxy.mesh);
  const reach = REACH * meanEdge(proxy.mesh);
  const trust = createTrust(fine.positions, distances, size);
  const known = new Set(proxy.parts);
  // The current vertex; outside the closures so that they are created once, not per vertex.
  let vertex = 0;
  const trustIn = (corner: number): number => trust(vertex, proxy.vertices[triangles[corner]]);
  const samePart = (triangle: number): boolean => proxy.parts[triangle] === proxy.fineParts[vertex];
  const facesAlike = (triangle: number): boolean => {
    const [n, f] = [vertex * 3, triangle * 3];
    const cosine =
      faces[f] * normals[n] + faces[f + 1] * normals[n + 1] + faces[f + 2] * normals[n + 2];
    return cosine >= FACES || !hasDirection(normals, vertex) || !hasDirection(faces, triangle);
  };
  const isBetter = (triangle: number): boolean =>
    (samePart(triangle) || !known.has(proxy.fineParts[vertex])) &&
    facesAlike(triangle) &&
    Math.max(trustIn(triangle * 3), trustIn(triangle * 3 + 1), trustIn(triangle * 3 + 2)) >=
      MIN_TRUST;
  const weigh = ({ triangle, barycentric }: SurfacePoint): ProxyPoint => {
    const corners = barycentric.map((weight, k) => weight && weight * trustIn(triangle * 3 + k));
    return { triangle, corners };
  };
  return (v) => {
    vertex = v;
    const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
    const inPart = known.has(proxy.fineParts[v]) ? samePart : undefined;
    const nearest = closest(x, y, z, undefined, inPart)!;
    const first = weigh(nearest);
    if (facesAlike(nearest.triangle) && trusted(first)) return first;
    const better = closest(x, y, z, nearest.distance + reach, isBetter);
    const second = better && weigh(better);
    return second && trusted(second) ? second : first;
  };
}

function trusted({ corners }: ProxyPoint): boolean {
  return corners[0] + corners[1] + corners[2] >= MIN_TRUST;
}

/** Confidence that two vertices of the fine mesh are on the same side of all walls, 0 to 1. */
function createTrust(
  positions: Float32Array,
  { k, bones, distances }: BoneDistances,
  size: number,
): (v: number, corner: number) => number {
  const compared = Math.min(COMPARED, k);
  return (v, corner) => {
    const allowed = STAIRCASE * distanceOf(positions, v, corner) + ROUNDING * size;
    let excess = 0;
    for (let slot = v * k; slot < v * k + compared; slot++) {
      if (bones[slot] < 0) break;
      let other = corner * k;
      while (other < corner * k + k - 1 && bones[other] !== bones[slot]) other++;
      // A bone that is not among the corner's is at least as far as its last one.
      const farther = distances[other] - distances[slot];
      const gap = (bones[other] === bones[slot] ? Math.abs(farther) : farther) - allowed;
      if (gap > excess && gap < Infinity) excess = gap;
    }
    return 1 / (1 + (excess / size) ** 2);
  };
}

/** The falloff of a joint's weight between the corners and a vertex among them. */
interface Fall {
  /** V'×I, factors of the corners' weights. */
  corners: Float32Array;
  /** Divisor of the sum of a joint at a vertex of the fine mesh. */
  at(v: number, joint: number): number;
}

function fallWithDistance(
  fine: Mesh,
  bones: Bones,
  proxy: ProxyMesh,
  { influences, joints, weights }: SkinWeights,
): Fall {
  const at = (v: number, joint: number): number =>
    (boneDistance(bones, joint, fine.positions, v) + MIN_DISTANCE) ** FALL;
  const corners = new Float32Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0) corners[i] = at(proxy.vertices[Math.floor(i / influences)], joints[i]);
  }
  return { corners, at };
}

/** Sums rows of the proxy, each extrapolated to a vertex, and writes the result as that vertex's row. */
function createMix(
  from: SkinWeights,
  out: SkinWeights,
  fall: Fall,
): { add(row: number, factor: number, v: number): void; write(v: number): void } {
  const joints: number[] = [];
  const values: number[] = [];
  const falls: number[] = [];
  const slotOf = (joint: number, v: number): number => {
    const known = joints.indexOf(joint);
    if (known >= 0) return known;
    values.push(0);
    falls.push(fall.at(v, joint));
    return joints.push(joint) - 1;
  };
  return {
    add(row, factor, v) {
      if (!(factor > 0)) return;
      const start = row * from.influences;
      let end = start;
      let sum = 0;
      for (; end < start + from.influences && from.weights[end] > 0; end++) {
        sum += (from.weights[end] * fall.corners[end]) / falls[slotOf(from.joints[end], v)];
      }
      for (let i = start; i < end; i++) {
        const slot = slotOf(from.joints[i], v);
        values[slot] += (factor / sum) * ((from.weights[i] * fall.corners[i]) / falls[slot]);
      }
    },
    write(v) {
      writeRow(out, v, { joints, values });
      joints.length = values.length = falls.length = 0;
    },
  };
}

function hasDirection(vectors: Float32Array, i: number): boolean {
  return vectors[i * 3] !== 0 || vectors[i * 3 + 1] !== 0 || vectors[i * 3 + 2] !== 0;
}

/** F×3 unit normals by the winding; zero for a degenerate triangle. */
function triangleNormals({ positions: p, triangles }: Mesh): Float32Array {
  const out = new Float32Array(triangles.length);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = [triangles[f] * 3, triangles[f + 1] * 3, triangles[f + 2] * 3];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(nx, ny, nz) || 1;
    out[f] = nx / length;
    out[f + 1] = ny / length;
    out[f + 2] = nz / length;
  }
  return out;
}

function meanEdge({ positions, triangles }: Mesh): number {
  let sum = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    sum += distanceOf(positions, triangles[f], triangles[f + 1]);
  }
  return sum / Math.max(1, triangles.length / 3);
}
