import { mean } from "../math/arrays.ts";
import { nearestParameter, segmentDistance } from "../math/segment.ts";
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
import type { Exemplar } from "./exemplars.ts";
import { jointDistances, kinship } from "./kinship.ts";

/** Nearness falls to 1/e over this much of a character's size. */
const REACH = 0.15;
/** Bones less near than this tell nothing about a vertex. */
const LEAST_NEAR = 0.02;
/** Vertices whose weights are averaged. */
const NEIGHBORS = 8;
/** Neighbors are looked for at the exemplars' vertices whose nearest bone is among so many nearest. */
const LOOKED_AT = 4;
/** Exemplars less akin are not asked: a vertex of another body is nowhere near the same place on it. */
const LEAST_KINSHIP = 0.5;
/** Keeps the nearest neighbor from outvoting all others where it is all but the same vertex. */
const SOFT = 1e-4;

/** What stands for a vertex: nearness to each shared bone, and place along it. */
interface Described {
  /** V×S×2. */
  features: Float32Array;
  /** V, the nearest of the shared bones. */
  nearest: Int32Array;
}

/** The weights of the vertices most alike, and how alike they are. */
export interface Neighbor {
  row: WeightRow;
  /** Share of their weight that is on joints both have, 0 to 1. */
  known: number;
  /** Distance of the nearest of them, 0 for the same vertex. */
  distance: number;
}

/**
 * Finds for each vertex of a mesh the most alike vertices of exemplars, by where they are among the bones
 * that both skeletons have by name.
 *
 * @param part prepared
 * @returns a function from a vertex to its neighbors' weights, by the joints of `part`; undefined where
 *   no exemplar is akin to `part`
 */
export function neighborFinder(
  part: { mesh: Mesh; skeleton: Skeleton },
  exemplars: Exemplar[],
): ((vertex: number) => Neighbor) | undefined {
  const { names } = part.skeleton;
  const related = exemplars.filter(
    (exemplar) => kinship(part.skeleton, exemplar.skeleton) >= LEAST_KINSHIP,
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
    // Vertices come in patches: what was found last is not far from what will be found next.
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

/** Names of the first that the second has too, each once. */
function sharedNames(names: string[], others: string[]): string[] {
  const known = new Set(others);
  return [...new Set(names)].filter((name) => known.has(name));
}

/**
 * How large a character is by its joints: its box says little, since a hat or a lance makes it larger and all
 * else in it smaller.
 */
function sizeOf(skeleton: Skeleton, shared: string[]): number {
  const joints = shared.map((name) => skeleton.names.indexOf(name));
  return mean(jointDistances(skeleton, joints)) || 1;
}

/** @param scale brings its lengths to those of the character it is compared with */
function describe(
  positions: Float32Array,
  skeleton: Skeleton,
  shared: string[],
  scale: number,
): Described {
  const bones = bonesOf(skeleton);
  const joints = shared.map((name) => skeleton.names.indexOf(name));
  const V = positions.length / 3;
  const S = shared.length;
  const features = new Float32Array(V * S * 2);
  const nearest = new Int32Array(V);
  for (let v = 0; v < V; v++) {
    let most = -1;
    for (let i = 0; i < S; i++) {
      const { distance, place } = onBone(bones, joints[i], positions, v);
      const near = Math.exp((-distance * scale) / REACH);
      const at = (v * S + i) * 2;
      features[at] = near;
      features[at + 1] = near * place;
      if (!(near > most)) continue;
      most = near;
      nearest[v] = i;
    }
  }
  return { features, nearest };
}

/** Straight distance of a vertex to a bone, and where along it the closest point lies. */
function onBone(
  { segments, starts }: ReturnType<typeof bonesOf>,
  bone: number,
  positions: Float32Array,
  vertex: number,
): { distance: number; place: number } {
  const x = positions[vertex * 3];
  const y = positions[vertex * 3 + 1];
  const z = positions[vertex * 3 + 2];
  let least = Infinity;
  let place = 0;
  for (let s = starts[bone]; s < starts[bone + 1]; s++) {
    const distance = segmentDistance(segments, s, x, y, z);
    if (!(distance < least)) continue;
    least = distance;
    place = nearestParameter(segments, s, x, y, z);
  }
  return { distance: least, place };
}

/** A vertex of an exemplar, and the square of its distance to the one it is compared with. */
interface Found {
  exemplar: number;
  vertex: number;
  square: number;
}

/** The exemplars' vertices that have one bone nearest, by how near it is. */
interface Bucket {
  /** n, rising. */
  near: Float64Array;
  /** n, the place along it. */
  along: Float64Array;
  /** n×2: exemplar, vertex. */
  places: Int32Array;
  /** n×S×2: copied, so that they are read in the order they lie in. */
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
      places: Int32Array.from(list.flatMap(({ exemplar, vertex }) => [exemplar, vertex])),
      features,
    };
  });
}

/** The first place in a rising list whose value is not below `least`. */
function firstFrom(values: Float64Array, least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The vertices of the exemplars most alike to one.
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
  const told = bonesNear(mine);
  const search = (bound: number) => {
    const found: Found[] = [];
    let limit = bound;
    for (const column of told.subarray(0, LOOKED_AT)) {
      const { near, along, places, features: theirs } = buckets[column / 2];
      const here = mine[column];
      let above = firstFrom(near, here);
      let below = above - 1;
      for (;;) {
        const down = below >= 0 ? here - near[below] : Infinity;
        const up = above < near.length ? near[above] - here : Infinity;
        // Whoever differs more in this one feature differs more in all of them.
        const least = Math.min(down, up);
        if (!(least < Infinity && least * least <= limit)) break;
        const i = down < up ? below-- : above++;
        if (least * least + (along[i] - mine[column + 1]) ** 2 >= limit) continue;
        const square = squareWithin(mine, theirs, i * S * 2, told, limit);
        if (!(square < limit)) continue;
        insert(found, { exemplar: places[i * 2], vertex: places[i * 2 + 1], square });
        if (found.length === NEIGHBORS) limit = found[NEIGHBORS - 1].square;
      }
    }
    return found;
  };
  if (hint.length < NEIGHBORS) return search(Infinity);
  const squares = hint.map(({ exemplar, vertex: other }) =>
    squareWithin(mine, others[exemplar].features, other * S * 2, told, Infinity),
  );
  const found = search(Math.max(...squares) * (1 + 1e-6) + 1e-12);
  return found.length < NEIGHBORS ? search(Infinity) : found;
}

/** The columns of the bones that tell something about a vertex, the nearest first. */
function bonesNear(mine: Float32Array): Int32Array {
  const columns = new Int32Array(mine.length / 2);
  let count = 0;
  for (let column = 0; column < mine.length; column += 2) {
    const near = mine[column];
    if (!(near > LEAST_NEAR)) continue;
    let at = count++;
    for (; at > 0 && mine[columns[at - 1]] < near; at--) columns[at] = columns[at - 1];
    columns[at] = column;
  }
  return columns.subarray(0, count);
}

/** Squared distance over some columns, or something beyond `limit` where it is farther. */
function squareWithin(
  mine: Float32Array,
  theirs: Float32Array,
  start: number,
  told: Int32Array,
  limit: number,
): number {
  let square = 0;
  for (let i = 0; i < told.length && square < limit; i++) {
    const column = told[i];
    const near = mine[column] - theirs[start + column];
    const place = mine[column + 1] - theirs[start + column + 1];
    square += near * near + place * place;
  }
  return square;
}

/** Keeps the list sorted and at most {@link NEIGHBORS} long; of equals the first stays first. */
function insert(found: Found[], one: Found): void {
  let at = found.length;
  while (at > 0 && found[at - 1].square > one.square) at--;
  if (found.length === NEIGHBORS) found.pop();
  found.splice(at, 0, one);
}

/** How far neighbors are trusted against the network. */
export interface NeighborTrust {
  /** In the same vertex, 0 to 1. */
  most: number;
  /** Neighbors at this distance are trusted 1/e of that. */
  within: number;
}

/** Where nobody knows how alike the examples are. */
export const USUAL_TRUST: NeighborTrust = { most: 0.85, within: 0.15 };

/** Raises weights before they are multiplied, so that neither witness alone rules a joint out. */
const FLOOR = 0.01;

/**
 * The network's weights with what the exemplars' most alike vertices say; the weights themselves where no
 * exemplar is akin.
 */
export function mixNeighbors(
  weights: SkinWeights,
  part: { mesh: Mesh; skeleton: Skeleton },
  exemplars: Exemplar[],
  trust: NeighborTrust = USUAL_TRUST,
): SkinWeights {
  const find = trust.most > 0 ? neighborFinder(part, exemplars) : undefined;
  return find ? mixFound(weights, find, trust) : weights;
}

/**
 * A weighted geometric mean of the network's weights and those of neighbors, which count the more the nearer
 * they are.
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
    return mixedRow(row, other, known * most * Math.exp(-((distance / within) ** 2)));
  });
}

function mixedRow(row: WeightRow, other: WeightRow, trust: number): WeightRow {
  const joints = [...new Set([...row.joints, ...other.joints])];
  const values = joints.map((joint) => {
    const [a, b] = [weightIn(row, joint) + FLOOR, weightIn(other, joint) + FLOOR];
    return Math.max(0, a ** (1 - trust) * b ** trust - FLOOR);
  });
  const kept = joints.map((_, i) => i).filter((i) => values[i] > 0);
  return { joints: kept.map((i) => joints[i]), values: kept.map((i) => values[i]) };
}
