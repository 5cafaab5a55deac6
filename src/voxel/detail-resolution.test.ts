import { expect, test } from "vitest";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { detailResolution } from "./build-grid.ts";

/** A mesh of longest side 10 and a chain of 9 bones of these lengths. */
function chain(length: number): { mesh: Mesh; skeleton: Skeleton } {
  return {
    mesh: { positions: Float32Array.of(0, 0, 0, 1, 10, 0), triangles: new Uint32Array(0) },
    skeleton: {
      names: Array.from({ length: 10 }, (_, j) => `joint ${j}`),
      parents: Int32Array.from({ length: 10 }, (_, j) => j - 1),
      positions: Float32Array.from({ length: 30 }, (_, i) => (i % 3 === 1 ? (i / 3) * length : 0)),
    },
  };
}

test.each([
  [1, 88, "long bones need no more than the default"],
  [0.13, 116, "short bones have a cell and a half each"],
  [0.03, 176, "up to twice the default"],
  [0.001, 88, "helpers at one position are not detail"],
])("bones of %f in a mesh of 10 get %i cells: %s", (length, cells) => {
  const { mesh, skeleton } = chain(length);
  expect(detailResolution(mesh, skeleton, 88)).toBe(cells);
});

test("a single joint has the default", () => {
  const { mesh } = chain(1);
  const skeleton = { names: ["a"], parents: Int32Array.of(-1), positions: new Float32Array(3) };
  expect(detailResolution(mesh, skeleton, 88)).toBe(88);
});
