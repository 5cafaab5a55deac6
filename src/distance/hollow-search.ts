import { neighborSteps } from "../voxel/voxel-grid.ts";
import { expandHollow, expandMesh, type SearchFront } from "./expand-front.ts";
import { grown, type HollowSpace, UNREACHED_HOLLOW, UNREACHED_MESH } from "./hollow-space.ts";

/**
 * State of one bone's search; times are in `bench/results/distance.csv`.
 *
 * - All phases of Algorithm 1 (the first search and its restarts) run in one sweep over levels. A phase fills
 *   whole parts, so its cells are known before their distances; the restart cell is the nearest, so restarts
 *   come in order of level, and a restart from level l can join the sweep when it reaches l. A hollow cell of
 *   a later phase must not enter a mesh cell that an earlier phase owns but has not reached yet (`owner`).
 * - One sweep makes both early exits exact: when all wanted cells are reached, and when no unreached cell holds
 *   a vertex that could still take the bone among its K nearest (`expiring`).
 * - For a closed body with bones inside, the outside is a region that only a restart would enter, and one
 *   connected wall needs none. Open bodies and bones that leave the body flood the outside.
 * - Hollow and mesh cells have separate queues, so that the neighbor's value alone decides.
 * - A sparse grid would not save memory: the time goes to visited cells, which it would have to hold as well.
 */
export interface HollowSearch extends SearchFront {
  /** `levels` before the search; not in shared memory. */
  blank: Uint16Array;
  steps: Int32Array;
  phases: number;
  /** Mesh components that no phase fills yet. */
  unowned: number;
  seeds: Int32Array;
  firstLevel: number;
  /** Padded cells: the last level at which a mesh cell's level is of use, 0 if never. */
  wanted: Uint16Array;
  /** Per level, the number of unreached cells whose last useful level it is; 0 between searches. */
  expiring: Int32Array;
}

/** One bone's search. */
export interface SearchTask {
  /** Padded seed cells, each once. */
  seeds: Int32Array;
  /** Level of the seeds, 0 unless the bone lies outside the grid. */
  firstLevel: number;
  /** Whether seeds that are all mesh cells may step into hollow cells (not in the paper). */
  leaveWall: boolean;
  /** Padded mesh cells whose levels are wanted. */
  wantedCells: Int32Array;
  /** Per wanted cell, the last useful level, 1 to MAX_LEVEL. */
  lastLevels: Uint16Array;
}

/** Levels have 16 bits; longer paths are clamped to this. */
export const MAX_LEVEL = 0xfff0;

/** Allocates memory for searches in a space; one per thread. */
export function createHollowSearch(space: HollowSpace): HollowSearch {
  return {
    space,
    levels: space.blank.slice(),
    // Copying out of shared memory is many times slower.
    blank: space.blank.buffer instanceof ArrayBuffer ? space.blank : space.blank.slice(),
    steps: neighborSteps(space.row, space.layer),
    hollow: new Int32Array(1024 + (space.blank.length >> 2)),
    hollowCount: 0,
    mesh: new Int32Array(1024 + (space.blank.length >> 4)),
    meshCount: 0,
    owner: new Int32Array(space.partCount).fill(-1),
    phases: 0,
    unowned: 0,
    seeds: new Int32Array(0),
    firstLevel: 0,
    wanted: new Uint16Array(space.blank.length),
    expiring: new Int32Array(MAX_LEVEL + 1),
  };
}

/**
 * Finds the level (length in cells of the HollowDist path) of every wanted mesh cell for one bone; the result
 * is in `search.levels` until {@link resetSearch}.
 *
 * Equal, cell by cell, to Algorithm 1 of the paper with 6 neighbors; restarts take the nearest reached mesh
 * cell that touches an unreached hollow cell, the lowest index among equals.
 */
export function searchHollow(search: HollowSearch, task: SearchTask): void {
  let left = requestLevels(search, task);
  left -= plantSeeds(search, task);
  let hollowFrom = 0;
  let meshFrom = 0;
  for (let level = task.firstLevel; left > 0; level++) {
    const hollowTo = search.hollowCount;
    const meshTo = search.meshCount;
    if (hollowFrom === hollowTo && meshFrom === meshTo) break;
    if (level < MAX_LEVEL) left -= search.expiring[level];
    const next = Math.min(level + 1, MAX_LEVEL);
    if (search.unowned > 0) restart(search, meshFrom, meshTo, next);
    reserve(search, (hollowTo - hollowFrom + meshTo - meshFrom) * 6);
    expandHollow(search, hollowFrom, hollowTo, next);
    expandMesh(search, meshFrom, meshTo, next);
    left -= countWanted(search, meshTo, next);
    hollowFrom = hollowTo;
    meshFrom = meshTo;
  }
  for (const last of task.lastLevels) search.expiring[last] = 0;
}

/** Records the last useful level of each wanted cell; returns how many are wanted at the first level. */
function requestLevels(search: HollowSearch, task: SearchTask): number {
  const { wanted, expiring } = search;
  const { wantedCells, lastLevels, firstLevel } = task;
  let left = 0;
  for (let i = 0; i < wantedCells.length; i++) {
    wanted[wantedCells[i]] = lastLevels[i];
    if (lastLevels[i] < firstLevel) continue;
    expiring[lastLevels[i]]++;
    left++;
  }
  return left;
}

/** Resets `search.levels`, at a cost proportional to the cells visited. */
export function resetSearch(search: HollowSearch): void {
  const { levels, hollow, mesh, space, hollowCount, meshCount } = search;
  if ((hollowCount + meshCount) * COPY_GAIN > levels.length) {
    levels.set(search.blank);
  } else {
    for (let i = 0; i < hollowCount; i++) levels[hollow[i]] = UNREACHED_HOLLOW;
    for (let i = 0; i < meshCount; i++) levels[mesh[i]] = UNREACHED_MESH;
    // Seeds that may leave the wall are queued as hollow, even if they are mesh cells.
    for (const seed of search.seeds) levels[seed] = space.blank[seed];
  }
  search.hollowCount = 0;
  search.meshCount = 0;
  search.phases = 0;
  if (space.meshParts > 1) search.owner.fill(-1);
}

/** Factor by which copying the whole grid is faster per cell than random writes. */
const COPY_GAIN = 16;

/** Queues the seeds and claims their parts for phase 0; returns the number of wanted cells among them. */
function plantSeeds(search: HollowSearch, task: SearchTask): number {
  const { space, levels, wanted, expiring } = search;
  const { seeds, firstLevel } = task;
  let reached = 0;
  const leaveWall = task.leaveWall && seeds.every((seed) => space.blank[seed] === UNREACHED_MESH);
  search.seeds = seeds;
  search.firstLevel = firstLevel;
  reserve(search, seeds.length);
  for (const seed of seeds) {
    levels[seed] = firstLevel;
    if (wanted[seed] > 0 && wanted[seed] >= firstLevel) {
      expiring[wanted[seed]]--;
      reached++;
    }
    const inWall = space.blank[seed] === UNREACHED_MESH;
    if (inWall && !leaveWall) search.mesh[search.meshCount++] = seed;
    else search.hollow[search.hollowCount++] = seed;
  }
  search.unowned = 0;
  if (space.meshParts > 1) {
    search.unowned = space.meshParts;
    for (const seed of seeds) {
      claimPart(search, space.parts[seed]);
      if (leaveWall) for (const step of search.steps) claimPart(search, space.parts[seed + step]);
    }
  }
  search.phases = 1;
  return reached;
}

/** Claims a part, and the mesh components that a hollow region touches, for the current phase. */
function claimPart(search: HollowSearch, part: number): void {
  const { owner, space, phases } = search;
  if (part < 0 || owner[part] >= 0) return;
  owner[part] = phases;
  if (part < space.meshParts) {
    search.unowned--;
    return;
  }
  const { starts, items } = space.touched;
  const region = part - space.meshParts;
  for (let i = starts[region]; i < starts[region + 1]; i++) claimPart(search, items[i]);
}

/** Starts a new phase at each mesh cell of a level that touches a new region, lowest index first. */
function restart(search: HollowSearch, from: number, to: number, next: number): void {
  const cells: number[] = [];
  for (let i = from; i < to; i++) {
    if (touchesNewRegion(search, search.mesh[i])) cells.push(search.mesh[i]);
  }
  cells.sort((a, b) => a - b);
  for (const cell of cells) {
    if (search.unowned === 0) return;
    if (touchesNewRegion(search, cell)) enterRegions(search, cell, next);
  }
}

function touchesNewRegion(search: HollowSearch, cell: number): boolean {
  const { steps, owner } = search;
  const { parts } = search.space;
  for (let s = 0; s < 6; s++) {
    const part = parts[cell + steps[s]];
    if (part >= 0 && owner[part] < 0) return true;
  }
  return false;
}

/** Queues the hollow cells of new regions next to a mesh cell, as a separate phase. */
function enterRegions(search: HollowSearch, cell: number, next: number): void {
  const { levels, steps, owner } = search;
  const { parts } = search.space;
  reserve(search, 6);
  for (let s = 0; s < 6; s++) {
    const n = cell + steps[s];
    const part = parts[n];
    // Two neighbors may lie in one region: the second finds it claimed by this phase.
    if (part < 0 || (owner[part] >= 0 && owner[part] !== search.phases)) continue;
    if (levels[n] !== UNREACHED_HOLLOW) continue;
    claimPart(search, part);
    levels[n] = next;
    search.hollow[search.hollowCount++] = n;
  }
  search.phases++;
}

/** Grows both queues by at least `extra` cells. */
function reserve(search: HollowSearch, extra: number): void {
  const { hollow, hollowCount, mesh, meshCount } = search;
  if (hollowCount + extra > hollow.length) search.hollow = grown(hollow, hollowCount + extra);
  if (meshCount + extra > mesh.length) search.mesh = grown(mesh, meshCount + extra);
}

/** Counts the wanted cells among the mesh cells queued from `from` on. */
function countWanted(search: HollowSearch, from: number, level: number): number {
  const { mesh, meshCount, wanted, expiring } = search;
  let reached = 0;
  for (let i = from; i < meshCount; i++) {
    const last = wanted[mesh[i]];
    if (last >= level) {
      expiring[last]--;
      reached++;
    }
  }
  return reached;
}
