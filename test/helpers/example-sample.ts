import { prepareCharacter } from "../../src/character/prepare-character.ts";
import { createPairGeometry, pairGeometry } from "../../src/graph/pair-geometry.ts";
import { candidateLabels } from "../../src/learn/prepare-samples.ts";
import type { Sample } from "../../src/learn/sample.ts";
import { vertexNeighbors } from "../../src/mesh/adjacency.ts";
import { geodesicBall } from "../../src/mesh/geodesic-ball.ts";
import { vertexNormals } from "../../src/mesh/normals.ts";
import { bonesOf } from "../../src/skeleton/bones.ts";
import { exampleCharacter } from "./example-character.ts";

/** A sample of the example character with Euclidean distances, for tests that need no voxels. */
export function exampleSample(k = 4): Sample {
  const prepared = prepareCharacter(exampleCharacter()).character;
  const { mesh, skeleton } = prepared;
  const bones = bonesOf(skeleton);
  const V = mesh.positions.length / 3;
  const slots = { bones: new Int32Array(V * k), distances: new Float32Array(V * k) };
  const geometry = createPairGeometry();
  for (let v = 0; v < V; v++) {
    const [x, y, z] = mesh.positions.subarray(v * 3, v * 3 + 3);
    Array.from(skeleton.parents, (_, bone) => ({
      bone,
      distance: pairGeometry(x, y, z, bones, bone, geometry).distance,
    }))
      .sort((a, b) => a.distance - b.distance || a.bone - b.bone)
      .slice(0, k)
      .forEach(({ bone, distance }, slot) => {
        slots.bones[v * k + slot] = bone;
        slots.distances[v * k + slot] = distance;
      });
  }
  const prior = slots.distances.map((value) => 1 / (1 + value));
  return {
    input: {
      mesh,
      skeleton,
      bones,
      inside: new Float32Array(bones.segments.length / 6).fill(1),
      distances: { k, ...slots },
      normals: vertexNormals(mesh),
      thickness: new Float32Array(V).fill(0.1),
      ball: geodesicBall(mesh, vertexNeighbors(mesh.triangles, V), 0.06, 8),
      prior,
    },
    labels: candidateLabels(prepared.weights!, slots.bones, k),
    counts: new Uint16Array(V).fill(1),
  };
}
