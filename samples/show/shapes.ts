import { add, cross, length, normalize, scale, subtract, type Vec3 } from "../../src/math/vec3.ts";

/** A closed surface under construction. */
export interface Shape {
  points: Vec3[];
  triangles: number[];
}

/** A cross section of a tube: its center, its half widths along the side and across it. */
export interface Ring {
  at: Vec3;
  r: number | [side: number, across: number];
  /** Exponent of the superellipse: 2 is round, 4 nearly a box; default 2. */
  p?: number;
}

/** Options for {@link tube}. */
export interface TubeOptions {
  /** Vertices around; default 12. */
  sides?: number;
  /** Rings from one given ring to the next; default 2. */
  steps?: number;
  /** Direction of the first half width; default +x. */
  side?: Vec3;
  /** Height of the caps as a fraction of the half width; 0 is flat with a small bevel; default 0.7. */
  caps?: number | [start: number, end: number];
  /** Whether rings are joined by straight lines instead of a smooth curve. */
  isStraight?: boolean;
  /** Transforms each point afterwards. */
  warp?: (p: Vec3) => Vec3;
}

const catmullRom = (a: number, b: number, c: number, d: number, t: number) =>
  b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));

const halfWidths = ({ r }: Ring): [number, number] => (typeof r === "number" ? [r, r] : r);

/** A closed tube of quads through cross sections, with rounded ends. */
export function tube(rings: Ring[], options: TubeOptions = {}): Shape {
  const { sides = 12, steps = 2, side = [1, 0, 0], caps = 0.7, isStraight, warp } = options;
  const [startCap, endCap] = typeof caps === "number" ? [caps, caps] : caps;
  const rows = rings.map((ring) => [...ring.at, ...halfWidths(ring), ring.p ?? 2]);
  const fine: number[][] = [];
  for (let i = 0; i + 1 < rows.length; i++) {
    const [a, b, c, d] = [rows[i - 1] ?? rows[i], rows[i], rows[i + 1], rows[i + 2] ?? rows[i + 1]];
    for (let k = 0; k < steps; k++) {
      const t = k / steps;
      fine.push(
        b.map((value, j) =>
          isStraight ? value + t * (c[j] - value) : catmullRom(a[j], value, c[j], d[j], t),
        ),
      );
    }
  }
  fine.push(rows[rows.length - 1]);
  const count = fine.length;
  const shape: Shape = { points: [], triangles: [] };
  const centers = fine.map(([x, y, z]): Vec3 => [x, y, z]);
  const along = centers.map((_, i) =>
    normalize(subtract(centers[Math.min(i + 1, count - 1)], centers[Math.max(i - 1, 0)])),
  );
  const loops: number[][] = [];
  const addLoop = (i: number, shrink: number, shift: number) => {
    const [, , , a, b, p] = fine[i];
    const across = normalize(cross(along[i], side));
    const first = cross(across, along[i]);
    const center = add(centers[i], scale(along[i], shift));
    const loop: number[] = [];
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * (k + 0.5)) / sides;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const bend = (v: number) => Math.sign(v) * Math.abs(v) ** (2 / p);
      const point = add(
        add(center, scale(first, shrink * Math.max(1e-5, a) * bend(c))),
        scale(across, shrink * Math.max(1e-5, b) * bend(s)),
      );
      loop.push(shape.points.push(point) - 1);
    }
    loops.push(loop);
  };
  const domes = (height: number): [number, number][] =>
    height > 0
      ? [0.95, 0.45].map((angle) => [Math.cos(angle), height * Math.sin(angle)])
      : [
          [0.9, 0.1],
          [1, 0.03],
        ];
  const widthAt = (i: number) => Math.min(fine[i][3], fine[i][4]);
  const startPole = shape.points.push(
    subtract(centers[0], scale(along[0], (startCap || 0.1) * widthAt(0))),
  );
  for (const [shrink, high] of domes(startCap)) addLoop(0, shrink, -high * widthAt(0));
  for (let i = 0; i < count; i++) addLoop(i, 1, 0);
  for (const [shrink, high] of domes(endCap).reverse()) {
    addLoop(count - 1, shrink, high * widthAt(count - 1));
  }
  const last = count - 1;
  const endPole = shape.points.push(
    add(centers[last], scale(along[last], (endCap || 0.1) * widthAt(last))),
  );
  for (let k = 0; k < sides; k++) {
    const n = (k + 1) % sides;
    shape.triangles.push(startPole - 1, loops[0][n], loops[0][k]);
    shape.triangles.push(endPole - 1, loops[loops.length - 1][k], loops[loops.length - 1][n]);
  }
  for (let i = 0; i + 1 < loops.length; i++) joinLoops(shape, loops[i], loops[i + 1]);
  return outward(warp ? warped(shape, warp) : shape);
}

function joinLoops(shape: Shape, low: number[], high: number[]): void {
  for (let k = 0; k < low.length; k++) {
    const n = (k + 1) % low.length;
    shape.triangles.push(low[k], low[n], high[n], low[k], high[n], high[k]);
  }
}

/** A ball of quads, as an inflated cube: `radii` along the axes, `p` 2 is round and 4 nearly a box. */
export function ball(
  center: Vec3,
  radii: number | Vec3,
  { n = 5, p = 2, warp }: { n?: number; p?: number; warp?: (p: Vec3) => Vec3 } = {},
): Shape {
  const size: Vec3 = typeof radii === "number" ? [radii, radii, radii] : radii;
  const shape: Shape = { points: [], triangles: [] };
  const known = new Map<string, number>();
  const vertex = (cube: Vec3): number => {
    const key = cube.join();
    let index = known.get(key);
    if (index === undefined) {
      // Equal angles rather than equal steps on the cube.
      const q = cube.map((value) => Math.tan((Math.PI / 4) * (value / n)));
      const far = q.reduce((sum, value) => sum + Math.abs(value) ** p, 0) ** (1 / p);
      const unit = q.map((value) => value / far);
      const point = unit.map((value, i) => center[i] + size[i] * value) as Vec3;
      index = shape.points.push(warp ? warp(point) : point) - 1;
      known.set(key, index);
    }
    return index;
  };
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-n, n]) {
      const at = (u: number, v: number): number => {
        const cube: Vec3 = [0, 0, 0];
        cube[axis] = sign;
        cube[(axis + 1) % 3] = u;
        cube[(axis + 2) % 3] = v;
        return vertex(cube);
      };
      for (let u = -n; u < n; u += 2) {
        for (let v = -n; v < n; v += 2) {
          const quad = [at(u, v), at(u + 2, v), at(u + 2, v + 2), at(u, v + 2)];
          if (sign < 0) quad.reverse();
          shape.triangles.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
        }
      }
    }
  }
  return shape;
}

/** A sheet of cloth or skin with a thickness; `place` maps 0..1 × 0..1 to its middle. */
export function sheet(
  place: (u: number, v: number) => Vec3,
  [nu, nv]: [number, number],
  thickness: number | ((u: number, v: number) => number),
): Shape {
  const shape: Shape = { points: [], triangles: [] };
  const thick = typeof thickness === "number" ? () => thickness : thickness;
  const e = 1e-3;
  const layer = (sign: number) =>
    Array.from({ length: nu + 1 }, (_, i) =>
      Array.from({ length: nv + 1 }, (_, j) => {
        const [u, v] = [i / nu, j / nv];
        const du = subtract(place(Math.min(1, u + e), v), place(Math.max(0, u - e), v));
        const dv = subtract(place(u, Math.min(1, v + e)), place(u, Math.max(0, v - e)));
        const normal = cross(du, dv);
        const unit = length(normal) > 1e-12 ? normalize(normal) : ([0, 0, 1] as Vec3);
        const half = 0.5 * thick(u, v);
        return shape.points.push(add(place(u, v), scale(unit, sign * half))) - 1;
      }),
    );
  const [front, back] = [layer(1), layer(-1)];
  const quad = (a: number, b: number, c: number, d: number) =>
    shape.triangles.push(a, b, c, a, c, d);
  for (let i = 0; i < nu; i++) {
    for (let j = 0; j < nv; j++) {
      quad(front[i][j], front[i + 1][j], front[i + 1][j + 1], front[i][j + 1]);
      quad(back[i][j + 1], back[i + 1][j + 1], back[i + 1][j], back[i][j]);
    }
  }
  for (let i = 0; i < nu; i++) {
    quad(front[i + 1][0], front[i][0], back[i][0], back[i + 1][0]);
    quad(front[i][nv], front[i + 1][nv], back[i + 1][nv], back[i][nv]);
  }
  for (let j = 0; j < nv; j++) {
    quad(front[0][j], front[0][j + 1], back[0][j + 1], back[0][j]);
    quad(front[nu][j + 1], front[nu][j], back[nu][j], back[nu][j + 1]);
  }
  return outward(shape);
}

/** A closed band of cloth around a body, such as a skirt: rings down the outside and up the inside. */
export function skirt(
  rings: Ring[],
  thickness: number,
  {
    sides = 24,
    steps = 2,
    ripple,
  }: { sides?: number; steps?: number; ripple?: (angle: number, t: number) => number } = {},
): Shape {
  const fine: { at: Vec3; r: [number, number] }[] = [];
  for (let i = 0; i + 1 < rings.length; i++) {
    for (let k = 0; k < steps || (i + 2 === rings.length && k === steps); k++) {
      const t = k / steps;
      const mix = (pick: (ring: Ring) => number) => {
        const at = (j: number) => pick(rings[Math.min(rings.length - 1, Math.max(0, j))]);
        return catmullRom(at(i - 1), at(i), at(i + 1), at(i + 2), t);
      };
      fine.push({
        at: [mix(({ at }) => at[0]), mix(({ at }) => at[1]), mix(({ at }) => at[2])],
        r: [mix((ring) => halfWidths(ring)[0]), mix((ring) => halfWidths(ring)[1])],
      });
    }
  }
  const shape: Shape = { points: [], triangles: [] };
  const loop = (index: number, inset: number): number[] => {
    const { at, r } = fine[index];
    return Array.from({ length: sides }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.5)) / sides;
      const wave = 1 + (ripple?.(angle, index / (fine.length - 1)) ?? 0);
      return (
        shape.points.push([
          at[0] + (r[0] - inset) * wave * Math.sin(angle),
          at[1],
          at[2] + (r[1] - inset) * wave * Math.cos(angle),
        ]) - 1
      );
    });
  };
  const loops = [
    ...fine.map((_, i) => loop(i, 0)),
    ...fine.map((_, i) => loop(fine.length - 1 - i, thickness)),
  ];
  loops.forEach((low, i) => {
    joinLoops(shape, low, loops[(i + 1) % loops.length]);
  });
  return outward(shape);
}

/** Transforms each point. */
export function warped({ points, triangles }: Shape, warp: (p: Vec3) => Vec3): Shape {
  return { points: points.map(warp), triangles };
}

/** Rotates a shape about a center by degrees, about x, then y, then z. */
export function turned(shape: Shape, center: Vec3, degrees: Vec3): Shape {
  return warped(shape, (p) => {
    let [x, y, z] = subtract(p, center);
    const [a, b, c] = degrees.map((value) => (value * Math.PI) / 180);
    [y, z] = [y * Math.cos(a) - z * Math.sin(a), y * Math.sin(a) + z * Math.cos(a)];
    [x, z] = [x * Math.cos(b) + z * Math.sin(b), z * Math.cos(b) - x * Math.sin(b)];
    [x, y] = [x * Math.cos(c) - y * Math.sin(c), x * Math.sin(c) + y * Math.cos(c)];
    return add(center, [x, y, z]);
  });
}

/** The mirror image of a shape on the other side of the body. */
export function flipped({ points, triangles }: Shape): Shape {
  const turnedAround = triangles.slice();
  for (let i = 0; i < turnedAround.length; i += 3) {
    [turnedAround[i + 1], turnedAround[i + 2]] = [turnedAround[i + 2], turnedAround[i + 1]];
  }
  return { points: points.map(([x, y, z]): Vec3 => [-x, y, z]), triangles: turnedAround };
}

/** Orients triangles outward. */
function outward(shape: Shape): Shape {
  const { points, triangles } = shape;
  let volume = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [points[triangles[i]], points[triangles[i + 1]], points[triangles[i + 2]]];
    const n = cross(b, c);
    volume += a[0] * n[0] + a[1] * n[1] + a[2] * n[2];
  }
  if (volume >= 0) return shape;
  const { triangles: reversed } = flipped(shape);
  return { points, triangles: reversed };
}
