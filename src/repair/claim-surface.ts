import { helperJoints } from "../skeleton/helper-joints.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { sumOf, type WeightRow, weightIn } from "../weights/skin-weights.ts";

/** A weight below this fraction of the row's largest is not seen when the character moves. */
const SEEN = 0.25;

/** Returns the part of a row that is seen when the character moves; the row itself if that is all of it. */
export function visibleRow(row: WeightRow): WeightRow {
  const least = SEEN * row.values.reduce((max, value) => Math.max(max, value), 0);
  if (row.values.every((value) => value >= least)) return row;
  const slots = [...row.values.keys()].filter((slot) => row.values[slot] >= least);
  const sum = slots.reduce((total, slot) => total + row.values[slot], 0);
  return {
    joints: slots.map((slot) => row.joints[slot]),
    values: slots.map((slot) => row.values[slot] / sum),
  };
}

/** A joint is idle if less than this fraction of its weight can be seen. */
const IDLE = 0.5;
/** Steps of the search for a factor: enough that rounding of the positions does not show. */
const STEPS = 24;
/** A weight is raised by at most this factor: a joint that needs more has no surface to speak of. */
const MAX_FACTOR = 4;
/** Minimum weight of a joint with surface of its own: in vertices, and as a fraction of them. */
const OWN_WEIGHT = 0.1;
const OWN_FRACTION = 0.0001;

/**
 * Returns the joints that move nothing visible although the weights give them surface: a toe, an eyelid or
 * an ear with a small weight in many rows and the largest in none. Helpers (see `helperJoints`) do not count.
 */
export function idleJoints(skeleton: Skeleton, rows: readonly WeightRow[]): number[] {
  const kinds = helperJoints(skeleton);
  const total = new Float64Array(kinds.length);
  const seen = new Float64Array(kinds.length);
  for (const row of rows) {
    const largest = Math.max(...row.values);
    let visible = 0;
    for (const value of row.values) if (value >= SEEN * largest) visible += value;
    row.joints.forEach((joint, slot) => {
      total[joint] += row.values[slot];
      if (row.values[slot] >= SEEN * largest) seen[joint] += row.values[slot] / visible;
    });
  }
  const least = Math.max(OWN_WEIGHT, OWN_FRACTION * rows.length);
  return [...total.keys()].filter(
    (joint) => kinds[joint] === 0 && total[joint] >= least && seen[joint] < IDLE * total[joint],
  );
}

/**
 * Raises the weight of {@link idleJoints} where they are strongest, until {@link IDLE} of their expected
 * weight can be seen. A network's small weights are an honest estimate of how much surface a joint owns;
 * pruning would remove all of it.
 *
 * @param rows V rows, changed in place; rows are replaced, not modified
 * @param given joints to raise; all idle joints by default
 * @returns the changed vertices
 */
export function claimSurface(
  skeleton: Skeleton,
  rows: WeightRow[],
  given: readonly number[] = idleJoints(skeleton, rows),
): number[] {
  const changed = new Set<number>();
  const lists = new Map(given.map((joint) => [joint, [] as number[]]));
  rows.forEach(({ joints }, v) => {
    for (const joint of joints) lists.get(joint)?.push(v);
  });
  for (const [joint, vertices] of lists) {
    const total = vertices.reduce((sum, v) => sum + weightIn(rows[v], joint), 0);
    const isEnough = (factor: number) =>
      vertices.reduce((sum, v) => sum + seenOf(rows[v], joint, factor), 0) >= IDLE * total;
    let [low, high] = [1, 2];
    while (high < MAX_FACTOR && !isEnough(high)) [low, high] = [high, high * 2];
    for (let step = 0; step < STEPS; step++) {
      const middle = Math.sqrt(low * high);
      if (isEnough(middle)) high = middle;
      else low = middle;
    }
    for (const v of vertices) {
      rows[v] = scaled(rows[v], joint, high);
      changed.add(v);
    }
  }
  return [...changed];
}

/** The visible part of a joint's weight in a row, if that weight were `factor` times as large. */
function seenOf({ joints, values }: WeightRow, joint: number, factor: number): number {
  let [largest, own] = [0, 0];
  for (let slot = 0; slot < joints.length; slot++) {
    const value = joints[slot] === joint ? values[slot] * factor : values[slot];
    if (joints[slot] === joint) own = value;
    if (value > largest) largest = value;
  }
  if (own < SEEN * largest) return 0;
  let visible = 0;
  for (let slot = 0; slot < joints.length; slot++) {
    const value = joints[slot] === joint ? own : values[slot];
    if (value >= SEEN * largest) visible += value;
  }
  return own / visible;
}

function scaled(row: WeightRow, joint: number, factor: number): WeightRow {
  const values = row.values.map((value, slot) =>
    row.joints[slot] === joint ? value * factor : value,
  );
  const sum = sumOf({ joints: row.joints, values });
  return { joints: [...row.joints], values: values.map((value) => value / sum) };
}
