import { createRandom } from "../math/random.ts";
import { cross, length, normalize, subtract, type Vec3 } from "../math/vec3.ts";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";

/** Points spread evenly over a surface. */
export interface SurfaceSamples {
  /** N×3. */
  points: Float64Array;
  /** N×3, unit normals of their triangles. */
  normals: Float64Array;
  /** N×3, the vertices of their triangles, and their barycentric weights. */
  corners: Uint32Array;
  barycentric: Float64Array;
}

/**
 * Spreads points over a mesh in proportion to area: at equal steps along the sum of the areas, at a random
 * position in the triangle there.
 */
export function sampleSurface(mesh: Mesh, count: number, seed = 1): SurfaceSamples {
  const random = createRandom(seed);
  const areas = triangleAreas(mesh);
  const total = areas.reduce((sum, area) => sum + area, 0);
  if (!(total > 0)) return vertexSamples(mesh, count);
  const samples = emptySamples(count);
  let triangle = 0;
  let passed = areas[0];
  for (let i = 0; i < count; i++) {
    const at = ((i + 0.5) / count) * total;
    while (passed < at && triangle < areas.length - 1) passed += areas[++triangle];
    // Uniform in a triangle (Osada et al. 2002).
    const [root, v] = [Math.sqrt(random()), random()];
    putSample(samples, i, mesh, triangle, [1 - root, root * (1 - v), root * v]);
  }
  return samples;
}

function emptySamples(count: number): SurfaceSamples {
  return {
    points: new Float64Array(count * 3),
    normals: new Float64Array(count * 3),
    corners: new Uint32Array(count * 3),
    barycentric: new Float64Array(count * 3),
  };
}

function triangleAreas(mesh: Mesh): Float64Array {
  return Float64Array.from({ length: triangleCount(mesh) }, (_, t) => length(normalOf(mesh, t)));
}

/** Returns the unit normals of the triangles, F×3; zero for one without area. */
export function triangleNormals(mesh: Mesh): Float32Array {
  const normals = new Float32Array(mesh.triangles.length);
  for (let t = 0; t < triangleCount(mesh); t++) normals.set(normalize(normalOf(mesh, t)), t * 3);
  return normals;
}

/** The normal of a triangle, twice its area long. */
function normalOf({ positions, triangles }: Mesh, triangle: number): Vec3 {
  const [a, b, c] = [0, 1, 2].map((corner) => triangles[triangle * 3 + corner] * 3);
  const side = (to: number): Vec3 => [
    positions[to] - positions[a],
    positions[to + 1] - positions[a + 1],
    positions[to + 2] - positions[a + 2],
  ];
  return cross(side(b), side(c));
}

function putSample(
  { points, normals, corners, barycentric }: SurfaceSamples,
  i: number,
  mesh: Mesh,
  triangle: number,
  shares: Vec3,
): void {
  const normal = normalOf(mesh, triangle);
  const size = length(normal) || 1;
  for (let axis = 0; axis < 3; axis++) {
    const corner = mesh.triangles[triangle * 3 + axis];
    corners[i * 3 + axis] = corner;
    barycentric[i * 3 + axis] = shares[axis];
    normals[i * 3 + axis] = normal[axis] / size;
    for (let k = 0; k < 3; k++) {
      points[i * 3 + k] += shares[axis] * mesh.positions[corner * 3 + k];
    }
  }
}

/** Vertices at equal steps, for a mesh without area. */
function vertexSamples(mesh: Mesh, count: number): SurfaceSamples {
  const samples = emptySamples(count);
  for (let i = 0; i < count; i++) {
    const vertex = Math.floor((i * vertexCount(mesh)) / count);
    samples.corners.fill(vertex, i * 3, i * 3 + 3);
    samples.barycentric[i * 3] = 1;
    samples.points.set(mesh.positions.subarray(vertex * 3, vertex * 3 + 3), i * 3);
  }
  return samples;
}

/** Joints that weigh most on a sample. */
const INFLUENCES = 4;

/** The weights of samples: the strongest joints of each. */
export function sampleWeights(
  { corners, barycentric }: SurfaceSamples,
  given: SkinWeights,
): { influences: number; joints: Int32Array; weights: Float64Array } {
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

/** The same points on the mesh with other positions. */
export function samplesOn(
  { corners, barycentric }: SurfaceSamples,
  mesh: Mesh,
): { points: Float64Array; normals: Float64Array } {
  const points = new Float64Array(corners.length);
  const normals = new Float64Array(corners.length);
  for (let i = 0; i < corners.length / 3; i++) {
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const at = corners[i * 3 + k] * 3;
      return [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
    });
    for (let d = 0; d < 3; d++) {
      points[i * 3 + d] =
        barycentric[i * 3] * a[d] + barycentric[i * 3 + 1] * b[d] + barycentric[i * 3 + 2] * c[d];
    }
    normals.set(normalize(cross(subtract(b, a), subtract(c, a))), i * 3);
  }
  return { points, normals };
}
