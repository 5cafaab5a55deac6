import { mean } from "../math/arrays.ts";
import { power } from "../math/power.ts";
import { nearestParameter, segmentDistance } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import {
  addWeight,
  mapRows,
  readRow,
  type SkinWeights,
  sumOf,
  type WeightRow,
  weightIn,
} from "../weights/skin-weights.ts";
import { type Exemplar, jointDistances, kinship } from "./exemplars.ts";

/** Distance at which nearness falls to 1/e, relative to a character's size. */
const REACH = 0.15;
/** Bones with less nearness are irrelevant to a vertex. */
const MIN_NEAR = 0.02;
/** Vertices whose weights are averaged. */
const NEIGHBORS = 8;
/** Nearest bones of a vertex whose buckets are searched. */
const SEARCHED = 4;
/** Minimum kinship of exemplars: positions on other bodies do not correspond. */
const MIN_KINSHIP = 0.5;
/** Keeps a nearly identical neighbor from outvoting all others. */
const SOFT = 1e-4;

/** Descriptors of vertices: nearness to each shared bone, and position along it. */
interface Described {
  /** V×S×2. */
  features: Float32Array;
  /** V, the nearest of the shared bones. */
  nearest: Int32Array;
}

/** The weights of the most similar vertices. */
export interface Neighbor {
  row: WeightRow;
  /** Fraction of their weight on joints that both have, 0 to 1. */
  known: number;
  /** Distance of the nearest of them, 0 for the same vertex. */
  distance: number;
}

/**
 * Finds the most similar vertices of exemplars for each vertex of a mesh, by their position relative to the
 * bones that both skeletons have by name.
 *
 * @param part prepared
 * @returns a function from a vertex to its neighbors' weights, by the joints of `part`; undefined if no
 *   exemplar is related to `part`
 */
export function neighborFinder(
  part: { mesh: Mesh; skeleton: Skeleton },
  exemplars: Exemplar[],
): ((vertex: number) => Neighbor) | undefined {
  const { names } = part.skeleton;
  const related = exemplars.filter(
    (exemplar) => kinship(part.skeleton, exemplar.skeleton) >= MIN_KINSHIP,
  );
  const shared = related.reduce((left, { skeleton }) => sharedNames(left, skeleton.names), names);
  if (related.length === 0 || shared.length === 0) return undefined;
  const size = sizeOf(part.skeleton, shared);
  const own = describe(part.mesh.positions, part.skeleton, shared, 1);
  const others = related.map(({ positions, skeleton }) =>
    describe(positions, skeleton, shared, size / sizeOf(skeleton, shared)),
  );
  const buckets = bucketsOf(others, shared.length);
  const joints = related.map(({ skeleton }) => skeleton.names.map((name) => names.indexOf(name)));
  let found: Found[] = [];
  return (vertex) => {
    // Consecutive vertices are close: the last result bounds the next search.
    found = nearestOf(own.features, vertex, shared.length, others, buckets, found);
    const row: WeightRow = { joints: [], values: [] };
    let all = 0;
    for (const { exemplar, vertex: at, square } of found) {
      const other = readRow(related[exemplar].weights, at);
      other.joints.forEach((joint, i) => {
        const mine = joints[exemplar][joint];
        const value = other.values[i] / (square + SOFT);
        all += value;
        if (mine >= 0) addWeight(row, mine, value);
      });
    }
    const sum = sumOf(row);
    row.values = row.values.map((value) => value / sum);
    return { row, known: sum / all, distance: Math.sqrt(found[0]?.square ?? Infinity) };
  };
}

function sharedNames(names: string[], others: string[]): string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => known.has(name));
}

/** The size of a character by its joints: a hat or a lance would distort the bounding box. */
function sizeOf(skeleton: Skeleton, shared: string[]): number {
  const joints = shared.map((name) => skeleton.names.indexOf(name));
  return mean(jointDistances(skeleton, joints)) || 1;
}

/** @param scale normalizes its lengths to those of the character it is compared with */
function describe(positions: Float32Array, skeleton: Skeleton, shared: string[], scale: number) {
  const bones = bonesOf(skeleton);
  const joints = shared.map((name) => skeleton.names.indexOf(name));
  const V = positions.length / 3;
  const S = shared.length;
  const features = new Float32Array(V * S * 2);
  const nearest = new Int32Array(V);
  for (let v = 0; v < V; v++) {
    let max = -1;
    for (let i = 0; i < S; i++) {
      const { distance, along } = onBone(bones, joints[i], positions, v);
      const near = Math.exp((-distance * scale) / REACH);
      const at = (v * S + i) * 2;
      features[at] = near;
      features[at + 1] = near * along;
      if (!(near > max)) continue;
      max = near;
      nearest[v] = i;
    }
  }
  return { features, nearest };
}

/** Euclidean distance of a vertex to a bone, and the parameter of the closest point. */
function onBone(
  { segments, starts }: ReturnType<typeof bonesOf>,
  bone: number,
  positions: Float32Array,
  vertex: number,
): { distance: number; along: number } {
  const [x, y, z] = [positions[vertex * 3], positions[vertex * 3 + 1], positions[vertex * 3 + 2]];
  let min = Infinity;
  let along = 0;
  for (let s = starts[bone]; s < starts[bone + 1]; s++) {
    const distance = segmentDistance(segments, s, x, y, z);
    if (!(distance < min)) continue;
    min = distance;
    along = nearestParameter(segments, s, x, y, z);
  }
  return { distance: min, along };
}

/** A vertex of an exemplar, and its squared distance to the query vertex. */
interface Found {
  exemplar: number;
  vertex: number;
  square: number;
}

/** The exemplars' vertices with one nearest bone, sorted by nearness. */
interface Bucket {
  /** n, ascending. */
  near: Float64Array;
  /** n, the position along it. */
  along: Float64Array;
  /** n×2: exemplar, vertex. */
  sources: Int32Array;
  /** n×S×2: copied, for sequential access. */
  features: Float32Array;
}

function bucketsOf(others: Described[], bones: number): Bucket[] {
  const lists: { near: number; exemplar: number; vertex: number }[][] = [];
  for (let bone = 0; bone < bones; bone++) lists.push([]);
  others.forEach(({ nearest, features }, exemplar) => {
    nearest.forEach((bone, vertex) => {
      lists[bone].push({ near: features[(vertex * bones + bone) * 2], exemplar, vertex });
    });
  });
  return lists.map((list, bone) => {
    list.sort((a, b) => a.near - b.near);
    const width = bones * 2;
    const features = new Float32Array(list.length * width);
    list.forEach(({ exemplar, vertex }, i) => {
      const from = others[exemplar].features;
      features.set(from.subarray(vertex * width, (vertex + 1) * width), i * width);
    });
    return {
      near: Float64Array.from(list, ({ near }) => near),
      along: Float64Array.from(list, (_, i) => features[i * width + bone * 2 + 1]),
      sources: Int32Array.from(list.flatMap(({ exemplar, vertex }) => [exemplar, vertex])),
      features,
    };
  });
}

/** The first index in an ascending list whose value is at least `min`. */
function firstFrom(values: Float64Array, min: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < min) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The vertices of the exemplars most similar to one.
 *
 * @param hint some of them, which bound the search; a poor guess costs time, and changes nothing
 */
function nearestOf(
  features: Float32Array,
  vertex: number,
  S: number,
  others: Described[],
  buckets: Bucket[],
  hint: Found[],
): Found[] {
  const mine = features.subarray(vertex * S * 2, (vertex + 1) * S * 2);
  const relevant = bonesNear(mine);
  const search = (bound: number) => {
    const found: Found[] = [];
    let limit = bound;
    for (const column of relevant.subarray(0, SEARCHED)) {
      const { near, along, sources, features: theirs } = buckets[column / 2];
      const here = mine[column];
      let above = firstFrom(near, here);
      let below = above - 1;
      for (;;) {
        const down = below >= 0 ? here - near[below] : Infinity;
        const up = above < near.length ? near[above] - here : Infinity;
        // The distance in this feature is a lower bound of the total distance.
        const min = Math.min(down, up);
        if (!(min < Infinity && min * min <= limit)) break;
        const i = down < up ? below-- : above++;
        if (min * min + (along[i] - mine[column + 1]) ** 2 >= limit) continue;
        const square = squareWithin(mine, theirs, i * S * 2, relevant, limit);
        if (!(square < limit)) continue;
        insert(found, { exemplar: sources[i * 2], vertex: sources[i * 2 + 1], square });
        if (found.length === NEIGHBORS) limit = found[NEIGHBORS - 1].square;
      }
    }
    return found;
  };
  if (hint.length < NEIGHBORS) return search(Infinity);
  const squares = hint.map(({ exemplar, vertex: other }) =>
    squareWithin(mine, others[exemplar].features, other * S * 2, relevant, Infinity),
  );
  const found = search(Math.max(...squares) * (1 + 1e-6) + 1e-12);
  return found.length < NEIGHBORS ? search(Infinity) : found;
}

/** The columns of the bones relevant to a vertex, the nearest first. */
function bonesNear(mine: Float32Array): Int32Array {
  const columns = new Int32Array(mine.length / 2);
  let count = 0;
  for (let column = 0; column < mine.length; column += 2) {
    const near = mine[column];
    if (!(near > MIN_NEAR)) continue;
    let at = count++;
    for (; at > 0 && mine[columns[at - 1]] < near; at--) columns[at] = columns[at - 1];
    columns[at] = column;
  }
  return columns.subarray(0, count);
}

/** Squared distance over some columns, or a value beyond `limit` if it is larger. */
function squareWithin(
  mine: Float32Array,
  theirs: Float32Array,
  start: number,
  relevant: Int32Array,
  limit: number,
): number {
  let square = 0;
  for (let i = 0; i < relevant.length && square < limit; i++) {
    const column = relevant[i];
    const near = mine[column] - theirs[start + column];
    const along = mine[column + 1] - theirs[start + column + 1];
    square += near * near + along * along;
  }
  return square;
}

/** Keeps the list sorted and at most {@link NEIGHBORS} long; ties keep their order. */
function insert(found: Found[], one: Found): void {
  let at = found.length;
  while (at > 0 && found[at - 1].square > one.square) at--;
  if (found.length === NEIGHBORS) found.pop();
  found.splice(at, 0, one);
}

/** Trust in neighbors relative to the network. */
export interface NeighborTrust {
  /** Trust at distance 0, 0 to 1. */
  most: number;
  /** Distance at which trust falls to 1/e. */
  within: number;
}

/** Default if the similarity of the examples is unknown. */
export const DEFAULT_TRUST: NeighborTrust = { most: 0.85, within: 0.15 };

/** Added to weights before they are multiplied, so that neither source alone excludes a joint. */
const FLOOR = 0.01;

/** Mixes the network's weights with those of the most similar exemplar vertices, if any are related. */
export function mixNeighbors(
  weights: SkinWeights,
  part: { mesh: Mesh; skeleton: Skeleton },
  exemplars: Exemplar[],
  trust: NeighborTrust = DEFAULT_TRUST,
): SkinWeights {
  const find = trust.most > 0 ? neighborFinder(part, exemplars) : undefined;
  return find ? mixFound(weights, find, trust) : weights;
}

/**
 * Returns a weighted geometric mean of the network's weights and those of neighbors, by their distance.
 *
 * @param find from a vertex to its neighbors
 */
export function mixFound(
  weights: SkinWeights,
  find: (vertex: number) => Neighbor,
  { most, within }: NeighborTrust,
): SkinWeights {
  return mapRows(weights, weights.influences, (row, vertex) => {
    const { row: other, known, distance } = find(vertex);
    if (other.joints.length === 0) return row;
    return blendRows(row, other, known * most * Math.exp(-((distance / within) ** 2)));
  });
}

function blendRows(row: WeightRow, other: WeightRow, trust: number): WeightRow {
  const joints = [...new Set([...row.joints, ...other.joints])];
  const values = joints.map((joint) => {
    const [a, b] = [weightIn(row, joint) + FLOOR, weightIn(other, joint) + FLOOR];
    return Math.max(0, power(a, 1 - trust) * power(b, trust) - FLOOR);
  });
  const kept = joints.map((_, i) => i).filter((i) => values[i] > 0);
  return { joints: kept.map((i) => joints[i]), values: kept.map((i) => values[i]) };
}
