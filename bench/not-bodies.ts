/** Solids that are not bodies, for the training of `chooseTemplate`. */
import type { Random } from "../src/math/random.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import { box } from "../test/helpers/box.ts";
import { joinMeshes } from "../test/helpers/join-meshes.ts";

const COPIES = 8;

/** Scales a mesh along each axis by up to a fifth. */
export function stretched(mesh: Mesh, random: Random): Mesh {
  const scale = [0, 1, 2].map(() => 0.83 + 0.37 * random());
  return { ...mesh, positions: mesh.positions.map((value, i) => value * scale[i % 3]) };
}

type Point = readonly [number, number, number];

/** An ellipsoid; with few rings, a box or a cone-like solid. */
function ball([x, y, z]: Point, [a, b, c]: Point, { rings = 8, around = 12 } = {}): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= rings; i++) {
    const [s, t] = [Math.sin((Math.PI * i) / rings), Math.cos((Math.PI * i) / rings)];
    for (let j = 0; j < around; j++) {
      const angle = (2 * Math.PI * (j + 0.5)) / around;
      positions.push(x + a * s * Math.cos(angle), y + b * t, z + c * s * Math.sin(angle));
      const next = (j + 1) % around;
      if (i < rings) {
        const [p, q] = [i * around + j, i * around + next];
        triangles.push(p, q, p + around, q, q + around, p + around);
      }
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** A box by its center and half its sides. */
const block = (at: Point, half: Point): Mesh =>
  box(
    at.map((value, axis) => value - half[axis]),
    at.map((value, axis) => value + half[axis]),
  );

/** Balls, blocks, cars, trees, houses and cushions. A long solid counts as a snake, because one chain suits it. */
export function notBodies(random: Random): { name: string; kind: "none" | "snake"; mesh: Mesh }[] {
  const r = (low: number, high: number) => low + (high - low) * random();
  const none = (name: string, make: () => Mesh) =>
    Array.from({ length: COPIES }, () => ({ name, kind: "none" as const, mesh: make() }));
  const snake = (name: string, make: () => Mesh) =>
    Array.from({ length: COPIES }, () => ({ name, kind: "snake" as const, mesh: make() }));
  return [
    ...none("ball", () => ball([0, 0, 0], [r(0.6, 1), r(0.6, 1), r(0.6, 1)])),
    ...none("block", () => block([0, 0, 0], [r(0.4, 1), r(0.3, 1), r(0.4, 1)])),
    ...none("car", () => {
      const [w, l] = [r(0.35, 0.5), r(0.8, 1.1)];
      const wheel = (x: number, z: number) => ball([x, 0.18, z], [0.08, 0.18, 0.18]);
      return joinMeshes(
        block([0, 0.35, 0], [w, 0.17, l]),
        block([0, 0.6, r(-0.2, 0.1)], [w * 0.9, r(0.12, 0.2), l * r(0.4, 0.6)]),
        ...[-1, 1].flatMap((x) => [-0.6, 0.6].map((z) => wheel(x * w, z * l))),
      );
    }),
    ...none("tree", () =>
      joinMeshes(
        ball([0, 0.5, 0], [r(0.06, 0.12), 0.55, r(0.06, 0.12)], { rings: 6 }),
        ball([r(-0.1, 0.1), r(1, 1.4), r(-0.1, 0.1)], [r(0.4, 0.7), r(0.4, 0.7), r(0.4, 0.7)]),
      ),
    ),
    ...none("house", () =>
      joinMeshes(
        block([0, 0.4, 0], [r(0.4, 0.8), 0.4, r(0.4, 0.8)]),
        ball([0, 0.8, 0], [0.8, r(0.3, 0.6), 0.8], { rings: 2, around: 4 }),
      ),
    ),
    ...none("cushion", () => ball([0, 0, 0], [r(0.7, 1), r(0.1, 0.3), r(0.7, 1)])),
    ...snake("rod", () => block([0, 0, 0], [r(0.05, 0.13), r(0.05, 0.13), 1])),
    ...snake("worm", () => ball([0, 0, 0], [r(0.06, 0.14), r(0.06, 0.14), 1])),
    ...snake("rod across", () => block([0, 0, 0], [1, r(0.05, 0.13), r(0.05, 0.13)])),
  ];
}
