import type { Mesh } from "../src/mesh/mesh.ts";
import type { SignedDistance } from "./signed-distance.ts";

/** Bounds of the search for a surface. */
export interface Box {
  min: ArrayLike<number>;
  max: ArrayLike<number>;
}

/** Cells along one side of a block, which is skipped if the surface is far away. */
const BLOCK = 4;

/** Maximum gradient of a shape's value relative to the true distance; stretched shapes exceed 1. */
const STEEPEST = 2;

/** The eight corners of a cell, x fastest. */
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [c & 1, (c >> 1) & 1, c >> 2]);

/** The twelve edges of a cell as pairs of corners. */
const EDGES = [0, 1, 2].flatMap((axis) =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((c) => !(c & (1 << axis))).map((c) => [c, c | (1 << axis)]),
);

/**
 * Extracts the surface of a solid as triangles: one vertex per cell that the surface crosses, one quad per crossed
 * grid edge.
 *
 * The mesh is closed if the solid is inside the box, with each edge between two triangles; triangles face outward.
 * Quads are split along their shorter diagonal.
 *
 * Based on: Gibson. Constrained Elastic Surface Nets. 1998.
 *
 * @param cell side of a cell, in units of the shape
 */
export function surfaceNets(shape: SignedDistance, box: Box, cell: number): Mesh {
  const grid = sampleGrid(shape, box, cell);
  fillSaddles(grid, cell);
  const { positions, vertexOf } = placeVertices(grid, cell);
  return {
    positions: Float32Array.from(positions),
    triangles: joinVertices(grid, positions, vertexOf),
  };
}

/** Values at the corners of all cells, x fastest; in blocks far from the surface only the sign is right. */
interface Samples {
  size: number[];
  origin: number[];
  values: Float64Array;
}

function sampleGrid(shape: SignedDistance, box: Box, cell: number): Samples {
  const size = [0, 1, 2].map(
    (axis) => BLOCK * Math.ceil(((box.max[axis] - box.min[axis]) / cell + 3) / BLOCK) + 1,
  );
  // The middle of the box is a corner of the grid, so that a symmetric shape yields a symmetric mesh.
  const origin = [0, 1, 2].map(
    (axis) => (box.min[axis] + box.max[axis]) / 2 - ((size[axis] - 1) / 2) * cell,
  );
  const [nx, ny, nz] = size;
  const values = new Float64Array(nx * ny * nz).fill(Number.NaN);
  const half = (BLOCK * cell) / 2;
  const reach = half * Math.sqrt(3) * STEEPEST;
  for (let z = 0; z + 1 < nz; z += BLOCK) {
    for (let y = 0; y + 1 < ny; y += BLOCK) {
      for (let x = 0; x + 1 < nx; x += BLOCK) {
        const middle = [x, y, z].map((i, axis) => origin[axis] + i * cell + half);
        const d = shape(middle[0], middle[1], middle[2]);
        fillBlock(values, size, [x, y, z], (i, j, k) =>
          Math.abs(d) > reach
            ? d
            : shape(origin[0] + i * cell, origin[1] + j * cell, origin[2] + k * cell),
        );
      }
    }
  }
  return { size, origin, values };
}

/** Fills the corners of one block, including its border; border values that are already set are kept. */
function fillBlock(
  values: Float64Array,
  size: number[],
  start: number[],
  value: (i: number, j: number, k: number) => number,
): void {
  for (let k = start[2]; k <= start[2] + BLOCK; k++) {
    for (let j = start[1]; j <= start[1] + BLOCK; j++) {
      for (let i = start[0]; i <= start[0] + BLOCK; i++) {
        const at = i + size[0] * (j + size[1] * k);
        if (Number.isNaN(values[at])) values[at] = value(i, j, k);
      }
    }
  }
}

/**
 * If the inside and outside corners of a cell's face alternate, two sheets would share an edge of the mesh. Moves
 * the corner nearest to the surface inside, until no such face is left.
 */
function fillSaddles({ size, values }: Samples, cell: number): void {
  const steps = [1, size[0], size[0] * size[1]];
  let found = true;
  while (found) {
    found = false;
    for (let at = 0; at + steps[0] + steps[1] + steps[2] < values.length; at++) {
      for (let axis = 0; axis < 3; axis++) {
        const [u, v] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]];
        const inside = values[at] < 0;
        if (values[at + u + v] < 0 !== inside) continue;
        if (values[at + u] < 0 === inside || values[at + v] < 0 === inside) continue;
        const outer = inside ? [at + u, at + v] : [at, at + u + v];
        const nearest = values[outer[0]] <= values[outer[1]] ? outer[0] : outer[1];
        values[nearest] = -0.1 * cell;
        found = true;
      }
    }
  }
}

/** One vertex per crossed cell: the mean of the crossings on its edges. */
function placeVertices(
  { size, origin, values }: Samples,
  cell: number,
): { positions: number[]; vertexOf: Int32Array } {
  const [nx, ny, nz] = size;
  const vertexOf = new Int32Array(values.length).fill(-1);
  const positions: number[] = [];
  const corner = CORNERS.map(([x, y, z]) => x + nx * (y + ny * z));
  for (let z = 0; z + 1 < nz; z++) {
    for (let y = 0; y + 1 < ny; y++) {
      for (let x = 0; x + 1 < nx; x++) {
        const at = x + nx * (y + ny * z);
        let inside = 0;
        for (const offset of corner) if (values[at + offset] < 0) inside++;
        if (inside === 0 || inside === 8) continue;
        vertexOf[at] = positions.length / 3;
        const mean = meanCrossing(values, at, corner);
        positions.push(
          origin[0] + (x + mean[0]) * cell,
          origin[1] + (y + mean[1]) * cell,
          origin[2] + (z + mean[2]) * cell,
        );
      }
    }
  }
  return { positions, vertexOf };
}

function meanCrossing(values: Float64Array, at: number, corner: number[]): number[] {
  const sum = [0, 0, 0];
  let count = 0;
  for (const [a, b] of EDGES) {
    const [va, vb] = [values[at + corner[a]], values[at + corner[b]]];
    if (va < 0 === vb < 0) continue;
    const t = va / (va - vb);
    for (let axis = 0; axis < 3; axis++) {
      sum[axis] += CORNERS[a][axis] + t * (CORNERS[b][axis] - CORNERS[a][axis]);
    }
    count++;
  }
  return sum.map((value) => value / count);
}

/** Two triangles around each crossed grid edge, from the four cells that share it. */
function joinVertices(
  { size, values }: Samples,
  positions: number[],
  vertexOf: Int32Array,
): Uint32Array {
  const steps = [1, size[0], size[0] * size[1]];
  const triangles: number[] = [];
  for (let at = 0; at < values.length; at++) {
    for (let axis = 0; axis < 3; axis++) {
      const end = at + steps[axis];
      if (end >= values.length || values[at] < 0 === values[end] < 0) continue;
      const [u, v] = [steps[(axis + 1) % 3], steps[(axis + 2) % 3]];
      const quad = [at - u - v, at - v, at, at - u].map((c) => vertexOf[c]);
      // The surface faces from inside to outside: along the axis if the near end is inside.
      pushQuad(triangles, positions, values[at] < 0 ? quad : quad.reverse());
    }
  }
  return Uint32Array.from(triangles);
}

function pushQuad(triangles: number[], positions: number[], [a, b, c, d]: number[]): void {
  const square = (p: number, q: number) =>
    [0, 1, 2].reduce(
      (sum, axis) => sum + (positions[p * 3 + axis] - positions[q * 3 + axis]) ** 2,
      0,
    );
  if (square(a, c) <= square(b, d)) triangles.push(a, b, c, a, c, d);
  else triangles.push(a, b, d, b, c, d);
}
