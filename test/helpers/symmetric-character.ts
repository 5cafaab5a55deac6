import type { Character } from "../../src/character/character.ts";
import { createRandom } from "../../src/math/random.ts";
import type { Skeleton } from "../../src/skeleton/skeleton.ts";
import { type SkinWeights, weightsFromDense } from "../../src/weights/skin-weights.ts";

const COLUMNS = 7;
const ROWS = 8;

const JOINTS: [name: string, parent: number, x: number, y: number][] = [
  ["root", -1, 0, 0],
  ["spine", 0, 0, 0.5],
  ["head", 1, 0, 1],
  ["head_end", 2, 0, 1.3],
  ["arm.L", 1, 0.3, 0.8],
  ["hand.L", 4, 0.7, 0.8],
  ["arm.R", 1, -0.3, 0.8],
  ["hand.R", 6, -0.7, 0.8],
  ["footIK.L", 0, 0.3, 0.1],
  ["footIK.R", 0, -0.3, 0.1],
];

/**
 * A cape that is exactly the same on both sides, with three small loose parts next to it, an end marker and two IK
 * helpers. Its artist's weights are symmetric too, with two joints per vertex; the loose parts have none.
 */
export function symmetricCharacter(): Character {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let row = 0; row < ROWS; row++) {
    for (let column = -COLUMNS; column <= COLUMNS; column++) {
      positions.push(column / 8, row / 8, (column * column) / 200 + row / 50);
    }
  }
  const at = (column: number, row: number) => row * (2 * COLUMNS + 1) + column + COLUMNS;
  for (let row = 0; row + 1 < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      for (const side of [1, -1]) {
        const [a, b] = [at(side * column, row), at(side * (column + 1), row)];
        const [c, d] = [at(side * column, row + 1), at(side * (column + 1), row + 1)];
        triangles.push(a, b, d, a, d, c);
      }
    }
  }
  for (const [x, y] of [
    [0.5, 1.2],
    [-0.5, 1.2],
    [0, 1.4],
  ]) {
    const first = positions.length / 3;
    positions.push(x - 0.03, y, 0, x + 0.03, y, 0, x, y + 0.05, 0, x, y, 0.05);
    triangles.push(...[0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3].map((corner) => first + corner));
  }
  const mesh = { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  const skeleton: Skeleton = {
    names: JOINTS.map(([name]) => name),
    parents: Int32Array.from(JOINTS, ([, parent]) => parent),
    positions: Float32Array.from(JOINTS.flatMap(([, , x, y]) => [x, y, 0])),
  };
  return { name: "cape", mesh, skeleton, weights: artistWeights(mesh.positions) };
}

function artistWeights(positions: Float32Array): SkinWeights {
  const vertices = positions.length / 3;
  const table = new Float32Array(vertices * JOINTS.length);
  const jointOf = (name: string) => JOINTS.findIndex(([joint]) => joint === name);
  for (let vertex = 0; vertex < ROWS * (2 * COLUMNS + 1); vertex++) {
    const x = positions[vertex * 3];
    const side = x > 0 ? "L" : "R";
    const rows: [string, number][] =
      x === 0
        ? [
            ["spine", 0.7],
            ["head", 0.3],
          ]
        : Math.abs(x) > 0.5
          ? [
              [`hand.${side}`, Math.abs(x)],
              [`arm.${side}`, 1 - Math.abs(x)],
            ]
          : [
              [`arm.${side}`, Math.abs(x)],
              ["spine", 1 - Math.abs(x)],
            ];
    for (const [name, value] of rows) table[vertex * JOINTS.length + jointOf(name)] = value;
  }
  return weightsFromDense(table, JOINTS.length);
}

/** Weights of a poor method: any joint anywhere. */
export function noisyWeights(vertices: number, joints: number, seed: number): SkinWeights {
  const random = createRandom(seed);
  const table = Float32Array.from({ length: vertices * joints }, () =>
    random() < 0.3 ? 0 : random() ** 4,
  );
  for (let vertex = 0; vertex < vertices; vertex++) table[vertex * joints + 1] += 0.01;
  return weightsFromDense(table, joints);
}
