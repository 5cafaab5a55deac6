/** Hops are counted up to here; anything further is "far". */
export const MAX_HOPS = 7;

/**
 * Joints between each two bones along the skeleton, up to {@link MAX_HOPS}.
 *
 * @param parents B
 * @returns B×B
 */
export function boneHops(parents: Int32Array): Uint8Array {
  const count = parents.length;
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  parents.forEach((parent, bone) => {
    if (parent < 0) return;
    neighbours[parent].push(bone);
    neighbours[bone].push(parent);
  });
  const hops = new Uint8Array(count * count).fill(MAX_HOPS);
  for (let source = 0; source < count; source++) {
    hops[source * count + source] = 0;
    let front = [source];
    for (let step = 1; step < MAX_HOPS && front.length > 0; step++) {
      const next: number[] = [];
      for (const bone of front) {
        for (const other of neighbours[bone]) {
          if (hops[source * count + other] <= step) continue;
          hops[source * count + other] = step;
          next.push(other);
        }
      }
      front = next;
    }
  }
  return hops;
}
