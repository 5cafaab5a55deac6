import { type HollowSpace, UNREACHED_HOLLOW, UNREACHED_MESH } from "./hollow-space.ts";

/** State of a search: the level of each cell, and the cells reached in order. */
export interface SearchFront {
  space: HollowSpace;
  /** Padded cells: steps to the cell, an UNREACHED value, or CLOSED. */
  levels: Uint16Array;
  hollow: Int32Array;
  hollowCount: number;
  mesh: Int32Array;
  meshCount: number;
  /** Per part, the phase that fills it, or -1. */
  owner: Int32Array;
}

/**
 * Expands hollow cells of one level to all six neighbors, except mesh cells of other phases.
 *
 * Unrolled by hand: a loop over the steps, or a version without branches, takes twice as long.
 */
export function expandHollow(search: SearchFront, from: number, to: number, next: number): void {
  const { levels, hollow, mesh, owner } = search;
  const { row, layer, parts, meshParts } = search.space;
  const one = meshParts <= 1;
  // Locals, because bundlers and test runners may turn imported constants into property reads.
  const freeHollow = UNREACHED_HOLLOW;
  const freeMesh = UNREACHED_MESH;
  let { hollowCount, meshCount } = search;
  for (let i = from; i < to; i++) {
    const cell = hollow[i];
    let n: number;
    let value: number;
    n = cell - 1;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
    n = cell + 1;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
    n = cell - row;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
    n = cell + row;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
    n = cell - layer;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
    n = cell + layer;
    value = levels[n];
    if (value >= freeMesh) {
      if (value === freeHollow) {
        levels[n] = next;
        hollow[hollowCount++] = n;
      } else if (one || owner[parts[n]] === owner[parts[cell]]) {
        levels[n] = next;
        mesh[meshCount++] = n;
      }
    }
  }
  search.hollowCount = hollowCount;
  search.meshCount = meshCount;
}

/** Expands mesh cells of one level to their mesh neighbors. */
export function expandMesh(search: SearchFront, from: number, to: number, next: number): void {
  const { levels, mesh } = search;
  const { row, layer } = search.space;
  const freeMesh = UNREACHED_MESH;
  let count = search.meshCount;
  for (let i = from; i < to; i++) {
    const cell = mesh[i];
    let n: number;
    n = cell - 1;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
    n = cell + 1;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
    n = cell - row;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
    n = cell + row;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
    n = cell - layer;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
    n = cell + layer;
    if (levels[n] === freeMesh) {
      levels[n] = next;
      mesh[count++] = n;
    }
  }
  search.meshCount = count;
}
