import { euclideanDistances } from "../../src/distance/bone-distances.ts";
import type { GraphInput } from "../../src/graph/skin-graph.ts";
import { createRandom } from "../../src/math/random.ts";
import { vertexNeighbors } from "../../src/mesh/adjacency.ts";
import { geodesicBall } from "../../src/mesh/geodesic-ball.ts";
import { vertexNormals } from "../../src/mesh/normals.ts";
import { bonesOf } from "../../src/skeleton/bones.ts";

/**
 * A bumpy sheet of about `vertices` vertices in two parts over a random tree of bones, measured by Euclidean
 * distance: a graph input that needs no voxels.
 */
export function randomGraphInput(vertices: number, bones: number, seed: number, k = 4): GraphInput {
  const random = createRandom(seed);
  const columns = Math.max(2, Math.round(Math.sqrt(vertices)));
  const rows = Math.max(4, Math.ceil(vertices / columns));
  const positions = new Float32Array(rows * columns * 3);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const point = [c / columns - 0.5, r / rows, 0.1 * random()];
      positions.set(point, (r * columns + c) * 3);
    }
  }
  const triangles: number[] = [];
  const cut = Math.floor(rows / 2);
  for (let r = 0; r + 1 < rows; r++) {
    for (let c = 0; c + 1 < columns && r + 1 !== cut; c++) {
      const a = r * columns + c;
      triangles.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
    }
  }
  const mesh = { positions, triangles: Uint32Array.from(triangles) };
  const skeleton = {
    names: Array.from({ length: bones }, (_, b) => (b % 3 === 0 ? `tail ${b}` : `bone${b}`)),
    parents: Int32Array.from({ length: bones }, (_, b) =>
      b === 0 ? -1 : Math.floor(random() * b),
    ),
    positions: Float32Array.from({ length: bones * 3 }, () => random() - 0.3),
  };
  const segments = bonesOf(skeleton);
  const distances = euclideanDistances(mesh, segments, { k });
  return {
    mesh,
    skeleton,
    bones: segments,
    inside: Float32Array.from({ length: segments.segments.length / 6 }, random),
    distances,
    normals: vertexNormals(mesh),
    thickness: Float32Array.from({ length: positions.length / 3 }, () => 0.1 * random()),
    ball: geodesicBall(mesh, vertexNeighbors(mesh.triangles, positions.length / 3), 0.3, 16),
    prior: Float32Array.from(distances.bones, (bone) => (bone < 0 ? 0 : random())),
  };
}
