import type { Character } from "../../src/character/character.ts";
import { add, cross, normalize, scale, subtract, type Vec3 } from "../../src/math/vec3.ts";
import type { Weigh } from "../body-part.ts";
import { otherSide, type Rig } from "../rig.ts";
import { sculpt } from "../sculpt.ts";
import { ball, flipped, type Shape } from "./shapes.ts";

/** Finish of a surface: how it reflects light. */
export type Finish = "matte" | "satin" | "gloss" | "glow";

/** A color, or the color at a point of the surface. */
export type Paint = string | ((p: Vec3) => string);

/** One closed surface of a figure. */
export interface Piece {
  shape: Shape;
  paint: Paint;
  weigh: Weigh;
  finish: Finish;
}

/** A figure: its character, and the look of each vertex. */
export interface Figure {
  character: Character;
  /** V×3, linear. */
  colors: Float32Array;
  /** F, the finish of each triangle. */
  finishes: Finish[];
}

/** Collects the pieces of a figure. */
export interface Builder {
  pieces: Piece[];
  add(shape: Shape, paint: Paint, weigh: Weigh | string, finish?: Finish): void;
  /** Adds a piece on both sides; the given one is the left. */
  pair(shape: Shape, paint: Paint, weigh: Weigh | string, finish?: Finish): void;
  build(name: string, rig: Rig): Figure;
}

/** Weights that are the same all over a piece. */
export function shared(shares: Record<string, number>): Weigh {
  return (_, give) => {
    for (const [joint, share] of Object.entries(shares)) give(joint, share);
  };
}

const weighBy = (weigh: Weigh | string): Weigh =>
  typeof weigh === "string" ? (_, give) => give(weigh, 1) : weigh;

/** Starts a figure. */
export function figure(): Builder {
  const pieces: Piece[] = [];
  const add: Builder["add"] = (shape, paint, weigh, finish = "matte") => {
    pieces.push({ shape, paint, weigh: weighBy(weigh), finish });
  };
  return {
    pieces,
    add,
    pair(shape, paint, weigh, finish) {
      add(shape, paint, weigh, finish);
      const own = weighBy(weigh);
      add(
        flipped(shape),
        typeof paint === "string" ? paint : ([x, y, z]) => paint([-x, y, z]),
        (p, give) => own([-p[0], p[1], p[2]], (joint, share) => give(otherSide(joint), share)),
        finish,
      );
    },
    build: (name, rig) => build(name, rig, pieces),
  };
}

function build(name: string, rig: Rig, pieces: Piece[]): Figure {
  const shells = pieces.map(({ shape, weigh }) => ({
    mesh: {
      positions: Float32Array.from(shape.points.flat()),
      triangles: Uint32Array.from(shape.triangles),
    },
    weigh,
  }));
  const colors = pieces.flatMap(({ shape, paint }) =>
    shape.points.flatMap((p) => linear(typeof paint === "string" ? paint : paint(p))),
  );
  return {
    character: sculpt(name, rig, shells),
    colors: Float32Array.from(colors),
    finishes: pieces.flatMap(({ shape, finish }) =>
      new Array<Finish>(shape.triangles.length / 3).fill(finish),
    ),
  };
}

/** Red, green and blue in linear light, of a color such as #ff8800. */
export function linear(color: string): Vec3 {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Vec3;
}

/** Mixes two colors. */
export function blend(a: string, b: string, t: number): string {
  const share = Math.min(1, Math.max(0, t));
  const value = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  const hex = [1, 3, 5].map((at) =>
    Math.round(value(a, at) + share * (value(b, at) - value(a, at)))
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${hex.join("")}`;
}

/** The point on the front of a shape at x, y, and the surface normal there. */
export function onFront(
  { points, triangles }: Shape,
  x: number,
  y: number,
): { at: Vec3; out: Vec3 } {
  let best: { at: Vec3; out: Vec3 } | undefined;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [points[triangles[i]], points[triangles[i + 1]], points[triangles[i + 2]]];
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (Math.abs(area) < 1e-14) continue;
    const u = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area;
    const v = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area;
    if (u < 0 || v < 0 || u + v > 1) continue;
    const z = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]);
    if (best && best.at[2] >= z) continue;
    best = { at: [x, y, z], out: normalize(cross(subtract(b, a), subtract(c, a))) };
  }
  if (!best) throw new Error(`onFront: there is no surface at ${x}, ${y}.`);
  return best;
}

/** A disc with a bulge on a surface: half width, half height, bulge; raised by `lift`. */
export function patch(
  { at, out }: { at: Vec3; out: Vec3 },
  [wide, high, bulge]: Vec3,
  lift = 0,
  n = 4,
): Shape {
  const up: Vec3 = Math.abs(out[1]) > 0.95 ? [0, 0, -1] : [0, 1, 0];
  const right = normalize(cross(up, out));
  const top = cross(out, right);
  const center = add(at, scale(out, lift));
  return ball([0, 0, 0], 1, {
    n,
    warp: ([x, y, z]) =>
      add(center, add(scale(right, wide * x), add(scale(top, high * y), scale(out, bulge * z)))),
  });
}
