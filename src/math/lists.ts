/** Lists of integers of varying length, stored end to end: list i is items[starts[i] .. starts[i + 1] - 1]. */
export interface Lists {
  /** N+1. */
  starts: Int32Array;
  items: Int32Array;
}

/**
 * The members of each group, in ascending order.
 *
 * @param groups N, the group of each member, -1 for one in none
 */
export function listsOf(groups: Int32Array, count: number): Lists {
  const starts = new Int32Array(count + 1);
  for (const group of groups) if (group >= 0) starts[group + 1]++;
  for (let group = 0; group < count; group++) starts[group + 1] += starts[group];
  const cursor = starts.slice();
  const items = new Int32Array(starts[count]);
  for (let member = 0; member < groups.length; member++) {
    if (groups[member] >= 0) items[cursor[groups[member]]++] = member;
  }
  return { starts, items };
}

/** Where each of N numbers stands in a list that has it once; -1 where it does not. */
export function placesIn(list: ArrayLike<number>, N: number): Int32Array {
  const places = new Int32Array(N).fill(-1);
  for (let i = 0; i < list.length; i++) places[list[i]] = i;
  return places;
}
