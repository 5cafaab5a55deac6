import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { noisyWeights, symmetricCharacter } from "../../test/helpers/symmetric-character.ts";
import { subdivideCharacter } from "../character/subdivide-character.ts";
import { meanL1 } from "../evaluate/metrics.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { cotangentLaplacian } from "../mesh/cotangent-laplacian.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { readRow, weightIn } from "../weights/skin-weights.ts";
import { inpaintWeights } from "./inpaint-weights.ts";
import { transferWeights } from "./transfer-weights.ts";

const dancer = makeSample("dancer");
const joints = dancer.skeleton.parents.length;

/** The mesh with its vertices pushed along z, and triangles reversed if `turned`. */
function moved({ positions, triangles }: Mesh, z: number, turned = false): Mesh {
  return {
    positions: positions.map((value, i) => (i % 3 === 2 ? value + z : value)),
    triangles: turned ? triangles.slice().reverse() : triangles,
  };
}

describe("transferWeights", () => {
  test("returns a mesh's own weights for itself, in either winding", () => {
    for (const turned of [false, true]) {
      const result = transferWeights(dancer, moved(dancer.mesh, 0, turned));
      expect(result).toMatchObject({ matched: result.vertices, filled: 0, nearest: 0 });
      expect(meanL1(result.weights, dancer.weights!)).toBeLessThan(1e-5);
    }
  });

  test("agrees with the artist on another level of detail", () => {
    const fine = subdivideCharacter(dancer, 8000);
    const vertices = fine.mesh.positions.length / 3;
    const { weights } = transferWeights(dancer, fine.mesh);
    expect(vertices).toBeGreaterThan(dancer.mesh.positions.length / 3);
    expect(weights).toBeSkinWeights(vertices, joints);
    expect(meanL1(weights, fine.weights!)).toBeLessThan(0.01);
  });

  test("fills in vertices far from the body, and keeps loose parts separate", () => {
    const cape = symmetricCharacter();
    const painted = {
      ...cape,
      weights: noisyWeights(cape.mesh.positions.length / 3, cape.skeleton.parents.length, 31),
    };
    const { positions, triangles } = cape.mesh;
    // The upper half of the cape is away from the body; one loose part is far away.
    const far = positions.length / 3 - 1;
    const target = {
      positions: positions.map((value, i) => {
        const y = positions[i - (i % 3) + 1];
        return i % 3 === 2 && (i / 3 >= far - 3 || (y > 0.5 && y < 1)) ? value + 2 : value;
      }),
      triangles,
    };
    const result = transferWeights(painted, target);
    expect(result.matched).toBeGreaterThan(50);
    expect(result.filled).toBeGreaterThan(30);
    expect(result.nearest).toBe(4);
    expect(result.vertices).toBe(result.matched + result.filled + result.nearest);
    expect(result.weights).toBeSkinWeights(positions.length / 3, cape.skeleton.parents.length);
  });

  test("transfers nothing through a thin wall", () => {
    // Two sheets back to back, each on its own joint.
    const square = (z: number) => [0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z];
    const skeleton = {
      names: ["front", "back"],
      parents: Int32Array.of(-1, 0),
      positions: new Float32Array(6),
    };
    const source = {
      name: "sheets",
      skeleton,
      mesh: {
        positions: Float32Array.from([...square(0.02), ...square(0)]),
        triangles: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6),
      },
      weights: {
        influences: 1,
        joints: Uint16Array.of(0, 0, 0, 0, 1, 1, 1, 1),
        weights: new Float32Array(8).fill(1),
      },
    };
    // A sheet next to the front one that dips through it halfway along.
    const target = {
      positions: Float32Array.from(
        [0, 0.5, 1].flatMap((x) => [0, 1].flatMap((y) => [x, y, x === 0.5 ? 0.005 : 0.018])),
      ),
      triangles: Uint32Array.of(0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3),
    };
    const blind = transferWeights(source, target, { angle: 180 });
    expect([...blind.weights.joints.filter((_, i) => i % blind.weights.influences === 0)]).toEqual([
      0, 0, 1, 1, 0, 0,
    ]);
    const seeing = transferWeights(source, target);
    expect(seeing).toMatchObject({ matched: 4, filled: 2 });
    expect([...seeing.weights.joints].every((joint) => joint === 0)).toBe(true);
  });

  test("reports missing weights", () => {
    const { weights: _, ...bare } = dancer;
    expect(() => transferWeights(bare, dancer.mesh)).toThrow(/no weights to transfer/);
    const none = { positions: new Float32Array(0), triangles: new Uint32Array(0) };
    expect(() => transferWeights(dancer, none)).toThrow(/no vertices/);
  });
});

describe("inpaintWeights", () => {
  const { mesh, skeleton } = symmetricCharacter();
  const V = mesh.positions.length / 3;
  const J = skeleton.parents.length;
  const weights = noisyWeights(V, J, 32);
  const known = Uint8Array.from({ length: V }, (_, vertex) => (vertex % 5 === 0 ? 1 : 0));

  test("leaves every filled row the mean of its neighbors, by the Laplacian", () => {
    const filled = inpaintWeights(weights, mesh, known);
    expect(filled).toBeSkinWeights(V, J);
    const rows = Array.from({ length: V }, (_, vertex) => readRow(filled, vertex));
    const { matrix } = cotangentLaplacian(mesh, vertexNeighbors(mesh.triangles, V));
    const { starts, items } = matrix.pattern;
    for (let vertex = 0; vertex < V; vertex++) {
      const given = readRow(weights, vertex);
      for (let j = 0; j < J; j++) {
        if (known[vertex]) {
          expect(weightIn(rows[vertex], j)).toBeCloseTo(weightIn(given, j), 6);
          continue;
        }
        let sum = matrix.diagonal[vertex] * weightIn(rows[vertex], j);
        for (let p = starts[vertex]; p < starts[vertex + 1]; p++) {
          sum += matrix.values[p] * weightIn(rows[items[p]], j);
        }
        expect(Math.abs(sum) / matrix.diagonal[vertex]).toBeLessThan(1e-5);
      }
    }
  });

  test("leaves parts without a known vertex empty", () => {
    const cape = Uint8Array.from({ length: V }, (_, vertex) => (vertex < 30 ? 1 : 0));
    const filled = inpaintWeights(weights, mesh, cape);
    for (let vertex = 0; vertex < V; vertex++) {
      expect(readRow(filled, vertex).joints.length > 0).toBe(vertex < V - 12);
    }
  });
});
