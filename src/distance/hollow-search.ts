import { neighborSteps } from "../voxel/voxel-grid.ts";
import { expandHollow, expandMesh, type SearchFront } from "./expand-front.ts";
import { grown, type HollowSpace, UNREACHED_HOLLOW, UNREACHED_MESH } from "./hollow-space.ts";

/**
 * Lab notes. Times are of one thread; `bench/results/distance.csv` has the current ones.
 *
 * - All phases of Algorithm 1 (the first search and its restarts) run in one sweep over levels. A
 *   phase fills whole parts, so its cells are known before their distances; the restart cell is the
 *   nearest, so restarts come in order of level; hence a restart from level l may join the sweep
 *   when it reaches l. What must be forbidden is a hollow cell of a later phase entering a mesh cell
 *   that an earlier phase owns but has not reached yet (`owner`).
 * - One sweep makes both early exits exact: when all wanted cells are reached, and when no unreached
 *   cell holds a vertex that could still take the bone among its K nearest (`expiring`). The second
 *   saves about a third for 200 bones at 128 cells; it does nothing for fewer than K bones.
 * - For a closed body with bones inside, the outside is never visited: it is a region of its own,
 *   which only a restart would enter, and one connected wall needs none. Open bodies and bones that
 *   leave the body flood the outside; there the time goes.
 * - Hollow and mesh cells have queues of their own, so the kind of the cell taken is known and the
 *   neighbor's value alone decides: one load per neighbor. Writing the six steps out doubled the
 *   speed in open space (see `expandHollow`).
 * - Resetting walks the queues when little was visited and copies the blank grid when much was.
 * - Memory is two bytes a cell and thread for levels, two for what is wanted, four per visited cell
 *   for the queues. Sparse storage was weighed for 256 cells and above and left: at 256 the whole
 *   search takes under 100 MB a thread, and the time goes to cells that are visited, which a sparse
 *   grid would have to hold as well.
 * - Considered and not built: bits for 32 bones in a word (fronts of different bones meet a cell at
 *   different levels, so words are nearly empty), runs of cells along x (a front of six-neighbor
 *   steps crosses a row in one or two cells), and the K-labels-per-cell search, which is not exact
 *   here because restarts belong to a bone.
 */
export interface HollowSearch extends SearchFront {
  /** `levels` before the search; not in shared memory. */
  blank: Uint16Array;
  steps: Int32Array;
  phases: number;
  /** Mesh components no phase fills yet. */
  unowned: number;
  seeds: Int32Array;
  /** Level of the seed cells. */
  firstLevel: number;
  /** Padded cells: the last level at which a mesh cell's level is still wanted, 0 if never. */
  wanted: Uint16Array;
  /** Per level, how many unreached cells are wanted up to that level and no longer; 0 between searches. */
  expiring: Int32Array;
}

/** One bone's search. */
export interface SearchTask {
  /** Padded seed cells, each once. */
  seeds: Int32Array;
  /** Level of the seeds, 0 unless the bone lies outside the grid. */
  firstLevel: number;
  /** Whether seeds that are all mesh cells may step into hollow cells (the paper's may not). */
  leaveWall: boolean;
  /** The cells whose levels are wanted: padded mesh cells. */
  wantedCells: Int32Array;
  /** Per wanted cell, the last level that is of use, 1 to MAX_LEVEL. */
  lastLevels: Uint16Array;
}

/** Levels are 16 bits; a path longer than this many cells (a maze) counts as this long. */
export const MAX_LEVEL = 0xfff0;

/** Scratch memory for searches in a space; one per thread. */
export function createHollowSearch(space: HollowSpace): HollowSearch {
  return {
    space,
    levels: space.blank.slice(),
    blank: ownCopy(space.blank),
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

/** The array itself, or a copy where it is in shared memory, from which copying is many times slower. */
function ownCopy(array: Uint16Array): Uint16Array {
  return array.buffer instanceof ArrayBuffer ? array : array.slice();
}

/**
 * Finds the level (length in cells of the HollowDist path) of every wanted mesh cell for one bone;
 * the result is in `search.levels` until {@link resetSearch}.
 *
 * Equal, cell by cell, to Algorithm 1 of the paper with 6 neighbors; restarts take the nearest
 * reached mesh cell that touches an unreached hollow cell, the lowest index among equals.
 */
export function searchHollow(search: HollowSearch, task: SearchTask): void {
  let left = postWants(search, task);
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

/** Notes up to which level each cell is wanted; returns how many are at the first level. */
function postWants(search: HollowSearch, task: SearchTask): number {
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

/** Makes `search.levels` blank again, at a cost proportional to the cells visited. */
export function resetSearch(search: HollowSearch): void {
  const { levels, hollow, mesh, space, hollowCount, meshCount } = search;
  if ((hollowCount + meshCount) * COPY_GAIN > levels.length) {
    levels.set(search.blank);
  } else {
    for (let i = 0; i < hollowCount; i++) levels[hollow[i]] = UNREACHED_HOLLOW;
    for (let i = 0; i < meshCount; i++) levels[mesh[i]] = UNREACHED_MESH;
    // Seeds that may leave the wall are queued as hollow whatever they are.
    for (const seed of search.seeds) levels[seed] = space.blank[seed];
  }
  search.hollowCount = 0;
  search.meshCount = 0;
  search.phases = 0;
  if (space.meshParts > 1) search.owner.fill(-1);
}

/** Copying the whole grid in order is about this much faster per cell than writing here and there. */
const COPY_GAIN = 16;

/** Queues the seeds and gives their parts to phase 0; returns the wanted cells among them. */
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
      own(search, space.parts[seed]);
      if (leaveWall) ownAround(search, seed);
    }
  }
  search.phases = 1;
  return reached;
}

/** Gives a part, and the mesh components a hollow region touches, to the current phase. */
function own(search: HollowSearch, part: number): void {
  const { owner, space, phases } = search;
  if (part < 0 || owner[part] >= 0) return;
  owner[part] = phases;
  if (part < space.meshParts) {
    search.unowned--;
    return;
  }
  const { starts, items } = space.touched;
  const region = part - space.meshParts;
  for (let i = starts[region]; i < starts[region + 1]; i++) own(search, items[i]);
}

/** Gives the hollow regions next to a cell to the current phase. */
function ownAround(search: HollowSearch, cell: number): void {
  for (const step of search.steps) own(search, search.space.parts[cell + step]);
}

/** Starts a new phase at each mesh cell of a level, lowest index first, that touches a new region. */
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

/** Queues the hollow cells of new regions next to a mesh cell, as a phase of their own. */
function enterRegions(search: HollowSearch, cell: number, next: number): void {
  const { levels, steps, owner } = search;
  const { parts } = search.space;
  reserve(search, 6);
  for (let s = 0; s < 6; s++) {
    const n = cell + steps[s];
    const part = parts[n];
    // Two neighbors may lie in one region: the second finds it owned by this very phase.
    if (part < 0 || (owner[part] >= 0 && owner[part] !== search.phases)) continue;
    if (levels[n] !== UNREACHED_HOLLOW) continue;
    own(search, part);
    levels[n] = next;
    search.hollow[search.hollowCount++] = n;
  }
  search.phases++;
}

/** Makes room for `extra` more cells in both queues. */
function reserve(search: HollowSearch, extra: number): void {
  const { hollow, hollowCount, mesh, meshCount } = search;
  if (hollowCount + extra > hollow.length) search.hollow = grown(hollow, hollowCount + extra);
  if (meshCount + extra > mesh.length) search.mesh = grown(mesh, meshCount + extra);
}

/** How many of the mesh cells queued from `from` on are wanted. */
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
