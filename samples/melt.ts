import { type SignedDistance, smoothMin } from "./signed-distance.ts";

/** Maximum gradient of a shape's value relative to the true distance; stretched shapes exceed 1. */
const STEEPEST = 1.6;

/**
 * The union of many shapes with fillets, fast for many queries: space is divided into blocks, each with a list of
 * the shapes that can matter there.
 *
 * @param blend width of the fillets; 0 leaves edges where shapes meet
 * @param block side of a block
 */
export function melt(shapes: SignedDistance[], blend: number, block: number): SignedDistance {
  if (shapes.length === 1) return shapes[0];
  const near = new Map<number, SignedDistance[]>();
  const reach = 2 * STEEPEST * (block / 2) * Math.sqrt(3) + blend;
  const nearAt = (i: number, j: number, k: number): SignedDistance[] => {
    const [x, y, z] = [(i + 0.5) * block, (j + 0.5) * block, (k + 0.5) * block];
    const far = shapes.map((shape) => shape(x, y, z));
    const least = Math.min(...far);
    return shapes.filter((_, s) => far[s] <= least + reach);
  };
  return (x, y, z) => {
    const i = Math.floor(x / block);
    const j = Math.floor(y / block);
    const k = Math.floor(z / block);
    // Unique within 512 blocks to each side of the origin.
    const key = ((k + 512) * 1024 + (j + 512)) * 1024 + (i + 512);
    let list = near.get(key);
    if (!list) {
      list = nearAt(i, j, k);
      near.set(key, list);
    }
    let d = list[0](x, y, z);
    for (let s = 1; s < list.length; s++) {
      const other = list[s](x, y, z);
      d = blend > 0 ? smoothMin(d, other, blend) : Math.min(d, other);
    }
    return d;
  };
}
