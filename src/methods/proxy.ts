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
 * Costs of the network and of heat grow faster than what finer meshes gain from them: weights are
 * smooth, and a body of this many vertices follows them closely (see docs/large.md).
 */
const PROXY_VERTICES = 20000;

/**
 * The resolution distances are measured at where none is asked for: the method's own, or on large
 * characters what their detail asks for.
 */
export function resolutionFor(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  usual: number = DEFAULT_RESOLUTION,
  limit: number = PROXY_VERTICES,
): number {
  return mesh.positions.length / 3 > limit ? detailResolution(mesh, skeleton, usual) : usual;
}

/** What a method needs to know of a character, or of its proxy. */
export interface MeasuredSurface {
  mesh: Mesh;
  /** Distances of the vertices of `mesh`; grid and bones of the whole character. */
  measured: MeasuredCharacter;
  /** V×3, pointing out of the body. */
  normals: Float32Array;
}

/**
 * Runs a method on a character, or, where it has more than `limit` vertices, on a simplified one,
 * and carries the weights back.
 *
 * Distances, normals and walls are those of the character itself either way, so vertices of the
 * proxy see what they would see without it.
 *
 * @param measured of `character`
 * @param limit {@link PROXY_VERTICES} unless told
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

/** Cosine below which a triangle of the proxy is the other side of something thin. */
const FACES = 0.2;

/** How much farther than the nearest point a better one may lie, in mean edges of the proxy. */
const REACH = 1.5;

/** Nearest bones of a vertex that are compared with those of a corner. */
const COMPARED = 4;

/** A path of cells turns at right angles: along a diagonal it grows this much faster than the way. */
const STAIRCASE = Math.sqrt(3);

/** Cells two places may differ in by rounding alone. */
const ROUNDING = 2;

/** How fast weights fall with the distance to a bone. */
const FALL = 3;

/** Keeps the fall gentle next to a bone; in longest sides of the mesh. */
const LEAST_DISTANCE = 0.01;

/** Below this trust in all three corners the place is looked for elsewhere. */
const LITTLE_TRUST = 0.2;

/**
 * Carries weights from a proxy back to the mesh it was made from.
 *
 * A vertex that is in the proxy keeps its row. Any other takes the mean of the corners around its
 * closest point on the proxy: on its own connected part, on a triangle that faces its way, and each
 * corner counted by how well its distances to the bones agree with the vertex's own. Two places that
 * are close, yet differ more in HollowDist than the way between them explains, have a wall between
 * them (two lips, two fingers) and must not share weights. Where no place meets all of that, the
 * conditions are dropped one by one, so every vertex gets weights.
 *
 * Between the corners a joint's weight falls with the cube of the straight distance to its bone, so
 * that the borders between bones stay where the fine mesh has them.
 *
 * Lab notes (18 characters of 5K to 25K vertices, weights of all vertices carried from a half / a
 * quarter of them; L1 to the artist's, 0.476 before): plain barycentric mean 0.486 / 0.503; falling
 * with the square of the distance 0.484 / 0.497, with the cube 0.4835 / 0.4955. HollowDist instead of
 * the straight distance is no better and, being counted in cells, not smooth.
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
  const place = placeFinder(fine, measured.distances, measured.grid.size, proxy);
  const own = inverseIndex(proxy.vertices, count);
  const mix = createMix(weights, out, fallWithDistance(fine, measured.bones, proxy, weights));
  for (let v = 0; v < count; v++) {
    if (own[v] >= 0) {
      copyRow(weights, own[v], out, v);
      continue;
    }
    const { triangle, corners } = place(v);
    for (let k = 0; k < 3; k++) mix.add(proxy.mesh.triangles[triangle * 3 + k], corners[k], v);
    mix.write(v);
  }
  return out;
}

/** A triangle of the proxy, and how much each of its corners counts. */
interface Place {
  triangle: number;
  /** 3, >= 0, not all 0. */
  corners: number[];
}

/** Finds for a vertex of the fine mesh where on the proxy it takes its weights. */
function placeFinder(
  fine: Mesh,
  distances: BoneDistances,
  size: number,
  proxy: ProxyMesh,
): (v: number) => Place {
  const { positions } = fine;
  const { triangles } = proxy.mesh;
  const closest = createClosestPoint(proxy.mesh);
  const normals = vertexNormals(fine);
  const faces = triangleNormals(proxy.mesh);
  const reach = REACH * meanEdge(proxy.mesh);
  const trust = createTrust(fine.positions, distances, size);
  const known = new Set(proxy.parts);
  // The vertex at hand; kept out here so that the tests below are made once, not per vertex.
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
      LITTLE_TRUST;
  const weigh = ({ triangle, barycentric }: SurfacePoint): Place => {
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

function trusted({ corners }: Place): boolean {
  return corners[0] + corners[1] + corners[2] >= LITTLE_TRUST;
}

/** How far two vertices of the fine mesh are on the same side of all walls: 1 surely, near 0 not. */
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

/** How the weight of a joint changes between the corners and a vertex among them. */
interface Fall {
  /** V'×I, what a corner's weights are multiplied with. */
  corners: Float32Array;
  /** What the sum of a joint is divided by at a vertex of the fine mesh. */
  at(v: number, joint: number): number;
}

function fallWithDistance(
  fine: Mesh,
  bones: Bones,
  proxy: ProxyMesh,
  { influences, joints, weights }: SkinWeights,
): Fall {
  const at = (v: number, joint: number): number =>
    (boneDistance(bones, joint, fine.positions, v) + LEAST_DISTANCE) ** FALL;
  const corners = new Float32Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0) corners[i] = at(proxy.vertices[Math.floor(i / influences)], joints[i]);
  }
  return { corners, at };
}

/** Sums rows of the proxy, each as it would be at a vertex, and writes them as that vertex's row. */
function createMix(
  from: SkinWeights,
  out: SkinWeights,
  fall: Fall,
): { add(row: number, share: number, v: number): void; write(v: number): void } {
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
    add(row, share, v) {
      if (!(share > 0)) return;
      const start = row * from.influences;
      let end = start;
      let sum = 0;
      for (; end < start + from.influences && from.weights[end] > 0; end++) {
        sum += (from.weights[end] * fall.corners[end]) / falls[slotOf(from.joints[end], v)];
      }
      for (let i = start; i < end; i++) {
        const slot = slotOf(from.joints[i], v);
        values[slot] += (share / sum) * ((from.weights[i] * fall.corners[i]) / falls[slot]);
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

/** F×3 unit normals by the winding; zero for a triangle without area. */
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

/** Mean length of the first side of each triangle. */
function meanEdge({ positions, triangles }: Mesh): number {
  let sum = 0;
  for (let f = 0; f < triangles.length; f += 3) {
    sum += distanceOf(positions, triangles[f], triangles[f + 1]);
  }
  return sum / Math.max(1, triangles.length / 3);
}
