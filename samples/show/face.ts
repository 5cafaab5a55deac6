import { add, lerp, scale, type Vec3 } from "../../src/math/vec3.ts";
import { type Builder, blend, onFront, patch } from "./figure.ts";
import { type Shape, tube } from "./shapes.ts";

/** Look of a face; lengths are in the units of the figure. */
export interface FaceSpec {
  joint: string;
  eye: { x: number; y: number; wide: number; high: number; iris: string; white?: string };
  brow?: { color: string; lift: number; tilt: number; thick: number };
  mouth?: { y: number; wide: number; smile: number; color: string; thick?: number };
  cheek?: { x: number; y: number; size: number; color: string };
}

/** Adds eyes, brows, cheeks and a mouth to the front of a head. */
export function addFace(to: Builder, head: Shape, spec: FaceSpec): void {
  const { joint, eye, brow, mouth, cheek } = spec;
  const { wide, high } = eye;
  const spot = onFront(head, eye.x, eye.y);
  // Eyes look more forward than the side of the head faces.
  const place = { at: spot.at, out: lerp(spot.out, [0, 0, 1], 0.35) };
  const look = (dx: number, dy: number) => ({
    ...place,
    at: add(place.at, [dx * wide, dy * high, 0]),
  });
  to.pair(patch(place, [wide * 1.1, high * 1.09, wide * 0.3], 0, 4), "#2a1d1a", joint, "satin");
  to.pair(
    patch(place, [wide, high, wide * 0.34], wide * 0.06, 4),
    eye.white ?? "#fbf8f2",
    joint,
    "gloss",
  );
  const inner = look(-0.1, -0.02);
  const shade = (p: Vec3) => blend(eye.iris, "#0b0a12", 0.6 + ((p[1] - inner.at[1]) / high) * 0.9);
  to.pair(
    patch(inner, [wide * 0.74, high * 0.8, wide * 0.2], wide * 0.27, 3),
    shade,
    joint,
    "gloss",
  );
  to.pair(
    patch(inner, [wide * 0.36, high * 0.42, wide * 0.12], wide * 0.4, 2),
    "#0a0910",
    joint,
    "gloss",
  );
  for (const side of [1, -1]) {
    // The light comes from one side, so the highlights are not mirrored.
    const at: Vec3 = [side * inner.at[0] + wide * 0.22, inner.at[1] + high * 0.3, inner.at[2]];
    const out: Vec3 = [side * inner.out[0], inner.out[1], inner.out[2]];
    to.add(
      patch({ at, out }, [wide * 0.2, high * 0.2, wide * 0.1], wide * 0.46, 2),
      "#ffffff",
      joint,
      "glow",
    );
  }
  if (brow) {
    const bar = [-1, -0.4, 0.4, 1].map((t) => {
      const x = eye.x + t * wide * 1.05;
      const y = eye.y + high * 1.3 + brow.lift + brow.tilt * t - 0.35 * brow.thick * t * t;
      const { at, out } = onFront(head, Math.max(0.004, x), y);
      return {
        at: add(at, scale(out, 0.3 * brow.thick)),
        r: [brow.thick * (t === 1 ? 0.5 : 1), brow.thick * 0.7] as [number, number],
      };
    });
    to.pair(tube(bar, { side: [0, 1, 0], sides: 8, steps: 2 }), brow.color, joint);
  }
  if (mouth) {
    const thick = mouth.thick ?? 0.006;
    const line = [-1, -0.6, 0, 0.6, 1].map((t) => {
      const { at } = onFront(head, t * mouth.wide, mouth.y + mouth.smile * t * t);
      return { at, r: thick * (Math.abs(t) === 1 ? 0.6 : 1) };
    });
    to.add(tube(line, { side: [0, 1, 0], sides: 8, steps: 2 }), mouth.color, joint);
  }
  if (cheek) {
    to.pair(
      patch(onFront(head, cheek.x, cheek.y), [cheek.size, cheek.size * 0.7, 0.004], 0.001, 4),
      cheek.color,
      joint,
    );
  }
}
