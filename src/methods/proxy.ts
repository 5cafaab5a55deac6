import type { Character } from "../character/character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { bodyNormals } from "../graph/graph-input.ts";
import { inverseIndex, takeRows } from "../math/arrays.ts";
import { power } from "../math/power.ts";
import { distanceOf } from "../math/vec3.ts";
import { createClosestPoint, type SurfacePoint } from "../mesh/closest-point.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { buildProxy, type ProxyMesh } from "../mesh/proxy-mesh.ts";
import { type Bones, boneDistance } from "../skeleton/bones.ts";
import { DEFAULT_RESOLUTION, detailResolution } from "../voxel/build-grid.ts";
import { copyRow, emptyWeights, type SkinWeights, writeRow } from "../weights/skin-weights.ts";

/**
 * Maximum vertices solved on the mesh itself. Network and heat cost grows faster than their benefit
 * on finer meshes; see docs/large.md.
 */
const PROXY_VERTICES = 20000;

/** Returns the default resolution: the method's own, or a finer one for large characters. */
export function resolutionFor(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  usual: number = DEFAULT_RESOLUTION,
  limit: number = PROXY_VERTICES,
): number {
  return vertexCount(mesh) > limit ? detailResolution(mesh, skeleton, usual) : usual;
}

/** Input of a method: a character or its proxy. */
export interface MeasuredSurface {
  mesh: Mesh;
  /** Distances of `mesh`; grid and bones of the full character. */
  measured: MeasuredCharacter;
  /** V×3, pointing out of the body. */
  normals: Float32Array;
}

/**
 * Runs a method on a character, or above `limit` vertices on a simplified one whose weights are
 * transferred back.
 *
 * Distances, normals and walls are always those of the full character.
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
  if (vertexCount(mesh) <= limit) return solve({ mesh, measured, normals });
  const proxy = await buildProxy(mesh, limit);
  const { vertices } = proxy;
  const { k, ...all } = measured.distances;
  const distances = {
    k,
    bones: takeRows(all.bones, vertices, k),
    distances: takeRows(all.distances, vertices, k),
  };
  const weights = await solve({
    mesh: proxy.mesh,
    measured: { ...measured, distances },
    normals: takeRows(normals, vertices, 3),
  });
  return carryWeights(mesh, measured, proxy, weights);
}

/** Minimum cosine between normals; below it a triangle is the other side of something thin. */
const FACES = 0.2;

/** Search radius beyond the nearest point, in mean edges of the proxy. */
const REACH = 1.5;

/** Nearest bones compared between a vertex and a corner. */
const COMPARED = 4;

/** Voxel paths take right angles, so along a diagonal they grow this much faster. */
const STAIRCASE = Math.sqrt(3);

/** Maximum rounding difference, in cells. */
const ROUNDING = 2;

/** Power of the falloff with the distance to a bone. */
const FALL = 3;

/** Limits the falloff near a bone; in longest sides of the mesh. */
const MIN_DISTANCE = 0.01;

/** Minimum trust in the corners; otherwise another point is searched. */
const MIN_TRUST = 0.2;

/**
 * Transfers weights from a proxy to the mesh it was made from.
 *
 * A vertex of the proxy keeps its row. Others interpolate the corners around their closest point on
 * the proxy: on the same connected part, on a triangle that faces the same way, each corner
 * weighted by how well its bone distances agree with the vertex's. Points that differ more in
 * HollowDist than their distance explains have a wall between them (two lips, two fingers). If no
 * point meets all conditions they are relaxed one by one.
 *
 * Between corners a joint's weight falls with the cube of the distance to its bone, which keeps the
 * borders between bones where the fine mesh has them; docs/large.md compares alternatives.
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
  const count = vertexCount(fine);
  const out = emptyWeights(count, weights.influences);
  const find = proxyPointFinder(fine, measured.distances, measured.grid.size, proxy);
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

/** A triangle of the proxy and the weights of its corners. */
interface ProxyPoint {
  triangle: number;
  /** 3, >= 0, not all 0. */
  corners: number[];
}

/** Returns a function that finds the source of a fine vertex's weights on the proxy. */
function proxyPointFinder(
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
  // Shared by the tests below, which are created once.
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
    const corners = barycentric.map((share, k) => share && share * trustIn(triangle * 3 + k));
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

/** Returns how likely two fine vertices are on the same side of all walls (1 = certain). */
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
      // A bone missing at the corner is at least as far as its last one.
      const farther = distances[other] - distances[slot];
      const gap = (bones[other] === bones[slot] ? Math.abs(farther) : farther) - allowed;
      if (gap > excess && gap < Infinity) excess = gap;
    }
    return 1 / (1 + (excess / size) ** 2);
  };
}

/** The falloff of a joint's weight between the corners and a vertex. */
interface Fall {
  /** V'×I factors of the corners' weights. */
  corners: Float32Array;
  /** Divisor of a joint's sum at a fine vertex. */
  at(v: number, joint: number): number;
}

function fallWithDistance(
  fine: Mesh,
  bones: Bones,
  proxy: ProxyMesh,
  { influences, joints, weights }: SkinWeights,
): Fall {
  const at = (v: number, joint: number): number =>
    power(boneDistance(bones, joint, fine.positions, v) + MIN_DISTANCE, FALL);
  const corners = new Float32Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0) corners[i] = at(proxy.vertices[Math.floor(i / influences)], joints[i]);
  }
  return { corners, at };
}

/** Sums proxy rows, adjusted to a vertex, and writes them as its row. */
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

/** Returns unit normals (F×3); zero for a degenerate triangle. */
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

/** Returns the mean length of the first side of each triangle. */
function meanEdge({ positions, triangles }: Mesh): number {
  let sum = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    sum += distanceOf(positions, triangles[f], triangles[f + 1]);
  }
  return sum / Math.max(1, triangles.length / 3);
}
