import { boundsOf, longestSide } from "../math/aabb.ts";
import { distance, lerp, segmentDistance, subtract, type Vec3 } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type Bones, bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { buildGrid } from "../voxel/build-grid.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { leafTails, walkSegment } from "../voxel/voxelize-bones.ts";
import { type BodyDepth, bodyDepth, cellCenter } from "./body-depth.ts";
import { alongLine } from "./fit-by-roles.ts";
import { type InsideCells, insideCells, searchInside } from "./inside-search.ts";
import { depthAt } from "./joint-doubts.ts";

/** Cells along the longest side: ears are a few cells thick. */
const RESOLUTION = 64;
/** Length of the shortest chain, in longest sides: of an ear, and on the trunk. */
const SHORTEST = 0.06;
const ON_TRUNK = 0.1;
/** Shortest chain on an arm, a leg or a wing, which has a bone already: a sleeve, a sword. */
const ON_LIMB = 0.15;
const HEAD = /head|neck/i;
const LIMB = /arm|hand|leg|foot|toe|wing|fin|upper|lower/i;
/** A part sticks out of its limb by this many depths of the limb. */
const STICKING_OUT = 0.7;
/** A bone explains what is within this many of its radii, and within this many longest sides. */
const RADII = 1.5;
const THIN = 0.03;
/** A chain is this many times longer than thick. */
const SLENDER = 1.3;
/** A skirt or cape: at most this deep in cells, and this much of its length goes down; */
const SHEET_DEPTH = 1.7;
const HANGING = 0.6;
/** it has at least this length, and a chain every few joints of this distance, in longest sides. */
const SHEET_LENGTH = 0.12;
const SHEET_SPACING = 0.06;
/** Distance between the chains of a sheet. */
const SHEET_APART = 0.1;
/** Distance between joints in thicknesses, and the most joints of a chain. */
const SPACING = 1.5;
const MOST_JOINTS = 8;
const MOST_CHAINS = 12;
/** Parts that are looked at. */
const MOST_TRIES = 40;
/** Two chains are a pair if their ends mirror each other, and a chain is in the middle, within this. */
const SAME = 0.06;
const MIDDLE = 0.04;
/** Rounds in which a path is smoothed. */
const SMOOTHING = 6;

/** A chain of joints for a part of the body that no bone explains. */
export interface GrownChain {
  name: string;
  /** Indices of its joints in the skeleton, from the body outwards. */
  joints: number[];
}

/** A path through a part that sticks out. */
interface Shoot {
  /** The joint whose bone it leaves. */
  parent: number;
  /** Points from the surface of that limb to the tip. */
  line: Vec3[];
  thickness: number;
  /** Whether it hangs like cloth. */
  isSheet: boolean;
}

/**
 * Adds a chain of joints for each part of a body that no bone explains: tails, ears, hair, the hem of a skirt,
 * loose parts that hang on it. A part counts if its tip is far from all bones through the body.
 *
 * @param mesh y up, facing +z
 * @param skeleton fitted into the mesh
 * @example
 * const { skeleton, chains } = growChains(mesh, fitTemplate(mesh, "biped", meshDepth(mesh)));
 * console.log(chains.map(({ name }) => name)); // ["tail", "ear_L", "ear_R"]
 */
export function growChains(
  mesh: Mesh,
  skeleton: Skeleton,
): { skeleton: Skeleton; chains: GrownChain[] } {
  const box = boundsOf(mesh.positions);
  const size = longestSide(box);
  if (!(size > 0) || skeleton.names.length === 0) return { skeleton, chains: [] };
  const middle = (box.min[0] + box.max[0]) / 2;
  const grid = buildGrid(mesh, skeleton, { resolution: RESOLUTION });
  const body = bodyDepth(grid);
  const isInside = (point: Vec3) => depthAt(body, ...point) > 0;
  const shoots = paired(findShoots(body, skeleton, size), skeleton, { middle, size, isInside });
  return addChains(skeleton, shoots, { middle, size });
}

/** Finds the parts that stick out, the longest first. */
function findShoots({ grid, depths }: BodyDepth, skeleton: Skeleton, size: number): Shoot[] {
  const inside = insideCells(grid, depths);
  const outside = Uint8Array.from(depths, (depth) => (depth > 0 ? 0 : 1));
  const bones = bonesOf(skeleton, leafTails(skeleton, grid, outside));
  const owner = boneOwners(grid, bones, depths);
  const known = knownCells(grid, inside, bones, size);
  const starts = [...owner.keys()].filter((cell) => owner[cell] >= 0 && depths[cell] > 0);
  const shoots: Shoot[] = [];
  for (let i = 0; i < MOST_TRIES && shoots.length < MOST_CHAINS && starts.length > 0; i++) {
    const { away, came } = reachAll(grid, inside, starts);
    let tip = -1;
    for (const cell of inside.cells) {
      if (!known[cell] && (tip < 0 || away[cell] > away[tip])) tip = cell;
    }
    if (tip < 0) break;
    const path: number[] = [];
    for (let at = tip; at >= 0; at = came[at]) path.unshift(at);
    const base = path[0];
    const first = path.findIndex((cell) => !known[cell]);
    const out = path.slice(Math.max(0, first - Math.round(depths[base])));
    const line = smoothed(out.map((cell) => cellCenter(grid, cell)));
    const length = lengthOf(line);
    const region = regionOf(inside, known, tip);
    // The thickness of a cylinder with the volume of the part and this length.
    const round = Math.sqrt(
      (1.27 * region.length * grid.size * grid.size * grid.size) / (length || 1),
    );
    const depth = region.reduce((sum, cell) => sum + depths[cell], 0) / region.length;
    const sheet = 2 * depth * grid.size;
    const isHanging = line[0][1] - line[line.length - 1][1] > HANGING * length;
    const isSheet = depth <= SHEET_DEPTH && isHanging && length >= SHEET_LENGTH * size;
    const thickness = isSheet ? SHEET_SPACING * size : Math.max(round, sheet);
    const gone = (away[tip] / 10 - depths[base]) * grid.size;
    const isOut = gone >= Math.max(SHORTEST * size, STICKING_OUT * depths[base] * grid.size);
    const limb = skeleton.names[owner[base]];
    const usual = isSheet || HEAD.test(limb) ? SHORTEST : LIMB.test(limb) ? ON_LIMB : ON_TRUNK;
    const least = Math.max(usual * size, SLENDER * thickness);
    const isChain = isOut && length >= least;
    if (!isChain || !isSheet) for (const cell of region) known[cell] = 1;
    if (!isChain) continue;
    if (isSheet) markNear(grid, region, line, { known, reach: SHEET_APART * size });
    for (const cell of path) if (owner[cell] < 0) owner[cell] = owner[base];
    starts.push(...path);
    shoots.push({ parent: owner[base], line, thickness, isSheet });
  }
  return shoots;
}

/** The unexplained cells around a tip, connected. */
function regionOf({ isInside, offsets }: InsideCells, known: Uint8Array, tip: number): number[] {
  const region = [tip];
  const seen = new Set(region);
  for (const cell of region) {
    for (const offset of offsets) {
      const next = cell + offset;
      if (!isInside[next] || known[next] || seen.has(next)) continue;
      seen.add(next);
      region.push(next);
    }
  }
  return region;
}

/**
 * Marks the cells that a bone explains: those within a few radii of it, where the radius of a bone is the median
 * distance of the cells that are nearest to it.
 */
function knownCells(grid: VoxelGrid, inside: InsideCells, bones: Bones, size: number): Uint8Array {
  const B = bones.starts.length - 1;
  const nearest = new Int32Array(grid.cells.length);
  const away = new Float32Array(grid.cells.length);
  const lists: number[][] = Array.from({ length: B }, () => []);
  for (const cell of inside.cells) {
    const center = cellCenter(grid, cell);
    let least = Infinity;
    for (let bone = 0; bone < B; bone++) {
      for (let s = bones.starts[bone]; s < bones.starts[bone + 1]; s++) {
        const apart = segmentDistance(bones.segments, s, ...center);
        if (apart < least) [nearest[cell], least] = [bone, apart];
      }
    }
    away[cell] = least;
    lists[nearest[cell]].push(least);
  }
  const radii = lists.map((list) => list.sort((a, b) => a - b)[list.length >> 1] ?? 0);
  return Uint8Array.from(away, (apart, cell) =>
    apart <= Math.max(RADII * radii[nearest[cell]], THIN * size) ? 1 : 0,
  );
}

/** Marks the cells near a line as explained. */
function markNear(
  grid: VoxelGrid,
  cells: readonly number[],
  line: readonly Vec3[],
  { known, reach }: { known: Uint8Array; reach: number },
): void {
  for (const cell of cells) {
    const center = cellCenter(grid, cell);
    if (line.some((point) => distance(point, center) < reach)) known[cell] = 1;
  }
}

/** Returns the joint whose bone passes through each cell, -1 elsewhere. */
function boneOwners(
  grid: VoxelGrid,
  { segments, starts }: Bones,
  depths: Float32Array,
): Int32Array {
  const owner = new Int32Array(depths.length).fill(-1);
  for (let joint = 0; joint + 1 < starts.length; joint++) {
    for (let s = starts[joint]; s < starts[joint + 1]; s++) {
      const from = segments.subarray(s * 6, s * 6 + 3);
      const to = segments.subarray(s * 6 + 3, s * 6 + 6);
      walkSegment(grid, from, to, (cell) => {
        if (owner[cell] < 0) owner[cell] = joint;
        return true;
      });
    }
  }
  return owner;
}

/** Measures distances from some cells to all others; a loose part is reached from its nearest cell. */
function reachAll(grid: VoxelGrid, inside: InsideCells, starts: readonly number[]) {
  const found = searchInside(inside, grid.cells.length, starts);
  for (;;) {
    const lost = inside.cells.filter((cell) => found.away[cell] < 0);
    if (lost.length === 0) return found;
    const reached = inside.cells.filter((cell) => found.away[cell] >= 0);
    if (reached.length === 0) return found;
    const [from, to] = nearestCells(grid, reached, lost);
    const part = searchInside(inside, grid.cells.length, [to]);
    for (const cell of lost) {
      if (part.away[cell] < 0) continue;
      found.away[cell] = found.away[from] + part.away[cell];
      found.came[cell] = cell === to ? from : part.came[cell];
    }
  }
}

/** The nearest pair of cells of two sets. */
function nearestCells(grid: VoxelGrid, a: Int32Array, b: Int32Array): [number, number] {
  let best: [number, number] = [a[0], b[0]];
  let least = Infinity;
  const centers = Array.from(a, (cell) => cellCenter(grid, cell));
  // Every few cells of large sets suffice.
  const [stepA, stepB] = [a, b].map(({ length }) => Math.ceil(length / 1500));
  for (let j = 0; j < b.length; j += stepB) {
    const point = cellCenter(grid, b[j]);
    for (let i = 0; i < a.length; i += stepA) {
      const apart = distance(centers[i], point);
      if (apart < least) [best, least] = [[a[i], b[j]], apart];
    }
  }
  return best;
}

function lengthOf(line: readonly Vec3[]): number {
  return line.slice(1).reduce((sum, point, i) => sum + distance(point, line[i]), 0);
}

function smoothed(points: Vec3[]): Vec3[] {
  let line = points;
  for (let round = 0; round < SMOOTHING; round++) {
    line = line.map((point, i) => {
      const [before, after] = [line[i - 1], line[i + 1]];
      return before && after ? lerp(point, lerp(before, after, 0.5), 0.5) : point;
    });
  }
  return line;
}

/**
 * Makes chains whose ends mirror each other alike, straightens those in the middle, and adds the missing one of
 * a pair where the body has it.
 */
function paired(
  shoots: readonly Shoot[],
  { names }: Skeleton,
  { middle, size, isInside }: { middle: number; size: number; isInside: (p: Vec3) => boolean },
): Shoot[] {
  const image = (line: readonly Vec3[]) => line.map((p): Vec3 => [2 * middle - p[0], p[1], p[2]]);
  const tipOf = (line: readonly Vec3[]) => line[line.length - 1];
  const otherSide = (joint: number) => {
    const other = names.indexOf(
      names[joint].replace(/[LR]$/, (side) => (side === "L" ? "R" : "L")),
    );
    return other < 0 ? joint : other;
  };
  const used = new Set<Shoot>();
  return shoots.flatMap((shoot) => {
    if (used.has(shoot)) return [];
    used.add(shoot);
    const { line, parent } = shoot;
    if (Math.max(...line.map(([x]) => Math.abs(x - middle))) < MIDDLE * size) {
      return [{ ...shoot, line: line.map(([, y, z]): Vec3 => [middle, y, z]) }];
    }
    if (Math.abs(tipOf(line)[0] - middle) < MIDDLE * size) return [shoot];
    const mirrored = image(line);
    const twin = shoots.find((other) => distance(tipOf(other.line), tipOf(mirrored)) < SAME * size);
    if (twin && used.has(twin)) return [shoot];
    if (twin) used.add(twin);
    const hasTwin = twin || mirrored.every(isInside);
    return hasTwin ? [shoot, { ...shoot, parent: otherSide(parent), line: mirrored }] : [shoot];
  });
}

function addChains(
  skeleton: Skeleton,
  shoots: readonly Shoot[],
  { middle, size }: { middle: number; size: number },
): { skeleton: Skeleton; chains: GrownChain[] } {
  const names = [...skeleton.names];
  const parents = [...skeleton.parents];
  const positions = [...skeleton.positions];
  const taken = new Set<string>();
  const chains = shoots.map((shoot): GrownChain => {
    const { parent, line, thickness } = shoot;
    const length = lengthOf(line);
    const count = Math.round(length / (SPACING * Math.max(thickness, SHORTEST * size * 0.5)));
    const segments = Math.min(MOST_JOINTS, Math.max(1, count));
    const name = freeName(placeName(skeleton, shoot, { middle, size }), taken);
    const joints = Array.from({ length: segments }, (_, i) => {
      const joint = names.length;
      names.push(`${name}_${String(i + 1).padStart(2, "0")}`);
      parents.push(i === 0 ? parent : joint - 1);
      positions.push(...alongLine(line, i / segments));
      return joint;
    });
    return { name, joints };
  });
  return {
    skeleton: {
      names,
      parents: Int32Array.from(parents),
      positions: Float32Array.from(positions),
    },
    chains,
  };
}

/** Names a chain by the limb it leaves and its direction: `tail`, `ear_L`, `cloth_R`. */
function placeName(
  { names, positions }: Skeleton,
  { parent, line, isSheet }: Shoot,
  { middle, size }: { middle: number; size: number },
): string {
  const [start, tip] = [line[0], line[line.length - 1]];
  const [x, y, z] = subtract(tip, start);
  const owner = names[parent].toLowerCase();
  const side =
    tip[0] - middle > MIDDLE * size ? "_L" : tip[0] - middle < -MIDDLE * size ? "_R" : "";
  const length = Math.hypot(x, y, z) || 1;
  if (HEAD.test(owner)) {
    if (y > 0.4 * length) return side ? `ear${side}` : "crest";
    return `hair${side}`;
  }
  const isBehind = z < -0.3 * length || start[2] < positions[parent * 3 + 2] - 0.05 * size;
  if (/hip|pelvis|tail/.test(owner)) {
    if (isBehind && !side && !isSheet && y > -0.9 * length) return "tail";
    return `cloth${side}`;
  }
  if (/spine|chest|shoulder|body/.test(owner)) {
    if (isBehind) return y < -0.5 * length ? `cape${side}` : `back${side}`;
    return `cloth${side}`;
  }
  if (/leg|foot|toe/.test(owner)) return `cloth${side}`;
  return `part${side}`;
}

/** A name that no chain has yet: `hair`, `hair2`. */
function freeName(name: string, taken: Set<string>): string {
  const [stem, side] = [name.replace(/_[LR]$/, ""), /_[LR]$/.exec(name)?.[0] ?? ""];
  let free = name;
  for (let i = 2; taken.has(free); i++) free = `${stem}${i}${side}`;
  taken.add(free);
  return free;
}
