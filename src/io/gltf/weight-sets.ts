/** Rows of weights, as numbers of any kind. */
export interface StoredRows {
  /** I, slots per vertex. */
  influences: number;
  /** V×I. */
  joints: ArrayLike<number>;
  /** V×I. */
  weights: Float32Array | Uint16Array | Uint8Array;
}

/** One pair of JOINTS_n and WEIGHTS_n, V×4 each. */
export interface WeightSet {
  joints: Uint8Array | Uint16Array;
  weights: Float32Array | Uint16Array | Uint8Array;
}

/**
 * Lays rows out in sets of four, as glTF wants them, as many as any row uses and at least one; a slot
 * without weight names joint 0.
 *
 * @param toSkin the index in the skin of a row's joint
 * @param isSmall whether joints fit into bytes
 * @param least sets to make, used or not
 */
export function weightSets(
  { influences, joints, weights }: StoredRows,
  toSkin: (joint: number) => number,
  isSmall = false,
  least = 1,
): WeightSet[] {
  const count = weights.length / influences;
  let last = 0;
  for (let i = 0; i < weights.length; i++)
    if (weights[i] > 0) last = Math.max(last, i % influences);
  return Array.from({ length: Math.max(Math.floor(last / 4) + 1, least) }, (_, n) => {
    const set = {
      joints: isSmall ? new Uint8Array(count * 4) : new Uint16Array(count * 4),
      weights: new (weights.constructor as new (size: number) => typeof weights)(count * 4),
    };
    for (let vertex = 0; vertex < count; vertex++) {
      for (let slot = 0; slot < 4 && n * 4 + slot < influences; slot++) {
        const at = vertex * influences + n * 4 + slot;
        if (!(weights[at] > 0)) continue;
        set.weights[vertex * 4 + slot] = weights[at];
        set.joints[vertex * 4 + slot] = toSkin(joints[at]);
      }
    }
    return set;
  });
}

/** Whether an attribute is of a set that is not among the first `sets`. */
export function isSpareSet(semantic: string, sets: number): boolean {
  const set = /^(?:JOINTS|WEIGHTS)_(\d+)$/.exec(semantic);
  return set !== null && Number(set[1]) >= sets;
}
