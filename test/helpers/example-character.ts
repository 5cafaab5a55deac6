import type { Character } from "../../src/character/character.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

/**
 * A small character for tests: a closed tube of `rings` rings of 8 vertices along a chain of joints that
 * rises and bends, with a side branch; weights blend linearly between neighboring joints.
 */
export function exampleCharacter(
  name = "tube",
  rings = 12,
  joints = 4,
): Character & { weights: SkinWeights } {
  const around = 8;
  const positions: number[] = [];
  const triangles: number[] = [];
  const slots: number[] = [];
  const shares: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const t = ring / (rings - 1);
    for (let i = 0; i < around; i++) {
      const angle = (i / around) * 2 * Math.PI;
      const radius = ring % (rings - 1) === 0 ? 0.03 : 0.08 + 0.02 * Math.sin(5 * t);
      positions.push(t, 0.3 * t * t + radius * Math.cos(angle), radius * Math.sin(angle));
      const place = t * (joints - 1);
      const low = Math.min(joints - 2, Math.floor(place));
      const high = place - low;
      slots.push(...(high > 0.5 ? [low + 1, low] : [low, low + 1]));
      shares.push(Math.max(high, 1 - high), Math.min(high, 1 - high));
      if (ring + 1 === rings) continue;
      const [a, b] = [ring * around + i, ring * around + ((i + 1) % around)];
      triangles.push(a, b, a + around, b, b + around, a + around);
    }
  }
  for (const start of [0, (rings - 1) * around]) {
    for (let i = 1; i + 1 < around; i++) triangles.push(start, start + i, start + i + 1);
  }
  const places = Array.from({ length: joints }, (_, j) => j / (joints - 1));
  return {
    name,
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    skeleton: {
      names: [...places.map((_, j) => `spine${j}`), "hand.L"],
      parents: Int32Array.of(...places.map((_, j) => j - 1), 1),
      positions: Float32Array.from([...places.flatMap((t) => [t, 0.3 * t * t, 0]), 0.4, 0.2, 0.1]),
    },
    weights: {
      influences: 2,
      joints: Uint16Array.from(slots, (joint, i) => (shares[i] > 0 ? joint : 0)),
      weights: Float32Array.from(shares),
    },
  };
}
