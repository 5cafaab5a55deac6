/** Quantization steps of a quaternion component; a degree is precise enough for a shared pose. */
const STEPS = 127;

/**
 * Encodes a pose for addresses: the index of each rotated joint and three components of its quaternion, in
 * base 64; empty at rest.
 *
 * @param rotations J×4 unit quaternions
 */
export function sparsePose(rotations: Float32Array): string {
  const bytes: number[] = [];
  for (let joint = 0; joint * 4 < rotations.length; joint++) {
    const [x, y, z, w] = rotations.subarray(joint * 4, joint * 4 + 4);
    if (Math.hypot(x, y, z) < 1 / STEPS) continue;
    const sign = w < 0 ? -1 : 1;
    bytes.push(joint & 255, joint >> 8);
    for (const value of [x, y, z]) bytes.push((Math.round(sign * value * STEPS) + 256) & 255);
  }
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Decodes such a pose into rotations, in place; stops at damaged text. */
export function withPose(rotations: Float32Array, text: string): void {
  let bytes: number[];
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    bytes = [...letters].map((letter) => letter.charCodeAt(0));
  } catch {
    return;
  }
  for (let at = 0; at + 5 <= bytes.length; at += 5) {
    const joint = bytes[at] + 256 * bytes[at + 1];
    if (joint * 4 >= rotations.length) return;
    const [x, y, z] = bytes.slice(at + 2, at + 5).map((byte) => ((byte << 24) >> 24) / STEPS);
    const rest = 1 - x * x - y * y - z * z;
    const size = rest < 0 ? Math.hypot(x, y, z) : 1;
    rotations.set([x / size, y / size, z / size, Math.sqrt(Math.max(0, rest))], joint * 4);
  }
}
