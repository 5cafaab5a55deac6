/** Lists of integers of varying length, stored end to end: list i is items[starts[i] .. starts[i + 1] - 1]. */
export interface Lists {
  /** N+1. */
  starts: Int32Array;
  items: Int32Array;
}
