import { createRandom } from "../math/random.ts";
import { cross, length, normalize, type Vec3 } from "../math/vec3.ts";
import { type Mesh, triangleCount, vertexCount } from "../mesh/mesh.ts";

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
