import type { Vec3 } from "../src/math/vec3.ts";
import type { Mesh } from "../src/mesh/mesh.ts";

/**
 * A closed surface of rings, each connected to the next and the last to the first, like a torus.
 *
 * Triangles face outward if the rings run down the outside and up the inside, and angles from +z to +x. Positions
 * on both sides are computed by the same arithmetic: a symmetric `place` yields a symmetric mesh.
 *
 * @param place the point of a ring at an angle
 */
export function ringMesh(
  rings: number,
  around: number,
  place: (ring: number, angle: number) => Vec3,
): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const vertex = (ring: number, i: number) => (ring % rings) * around + (i % around);
  for (let ring = 0; ring < rings; ring++) {
    for (let i = 0; i < around; i++) {
      // Angles from -180 to 180 degrees.
      positions.push(...place(ring, ((i - around / 2) / around) * 2 * Math.PI));
      const quad = [
        vertex(ring, i),
        vertex(ring + 1, i),
        vertex(ring + 1, i + 1),
        vertex(ring, i + 1),
      ];
      triangles.push(quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
