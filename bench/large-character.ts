import { MeshoptSimplifier } from "meshoptimizer/simplifier";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import type { Mesh } from "../src/mesh/mesh.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";

/**
 * A sample with about `triangles` triangles and exactly `joints` joints. The sample is simplified to the count
 * divided by a power of four, then each triangle is subdivided into four; bones are halved, or joints omitted.
 */
export async function largeCharacter(
  name: string,
  triangles: number,
  joints: number,
): Promise<Character> {
  await MeshoptSimplifier.ready;
  const { character } = prepareCharacter(makeSample(name));
  let { mesh, skeleton } = character;
  const rounds = Math.max(
    0,
    Math.ceil(Math.log(triangles / (mesh.triangles.length / 3)) / Math.log(4)),
  );
  const start = Math.round(triangles / 4 ** rounds);
  const [kept] = MeshoptSimplifier.simplify(mesh.triangles, mesh.positions, 3, start * 3, 1);
  mesh = compact({ positions: mesh.positions, triangles: kept });
  for (let round = 0; round < rounds; round++) mesh = quarter(mesh);
  while (skeleton.parents.length < joints) skeleton = halveBones(skeleton, joints);
  return { name: `${name} ${triangles} ${joints}`, mesh, skeleton: keepFirst(skeleton, joints) };
}

function compact({ positions, triangles }: Mesh): Mesh {
  const place = new Map<number, number>();
  for (const v of triangles) if (!place.has(v)) place.set(v, place.size);
  const out = new Float32Array(place.size * 3);
  for (const [from, to] of place) out.set(positions.subarray(from * 3, from * 3 + 3), to * 3);
  return { positions: out, triangles: triangles.map((v) => place.get(v)!) };
}

/** Subdivides each triangle into four, with a small bump on each new vertex, so that detail follows the count. */
function quarter({ positions, triangles }: Mesh): Mesh {
  const points = Array.from(positions);
  const middles = new Map<number, number>();
  const count = positions.length / 3;
  const middle = (a: number, b: number): number => {
    const key = Math.min(a, b) * count + Math.max(a, b);
    const known = middles.get(key);
    if (known !== undefined) return known;
    const at = points.length / 3;
    const bump = 1 + 1e-3 * Math.sin(at * 12.9898);
    for (let k = 0; k < 3; k++) points.push(((points[a * 3 + k] + points[b * 3 + k]) / 2) * bump);
    middles.set(key, at);
    return at;
  };
  const out = new Uint32Array(triangles.length * 4);
  for (let f = 0; f < triangles.length; f += 3) {
    const [a, b, c] = triangles.subarray(f, f + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    out.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], f * 4);
  }
  return { positions: Float32Array.from(points), triangles: out };
}

/** Inserts a joint in the middle of the longest bones until there are at most `most`. */
function halveBones({ names, parents, positions }: Skeleton, most: number): Skeleton {
  const length = (j: number) =>
    parents[j] < 0
      ? -1
      : Math.hypot(...[0, 1, 2].map((k) => positions[j * 3 + k] - positions[parents[j] * 3 + k]));
  const order = [...parents.keys()].filter((j) => parents[j] >= 0);
  order.sort((a, b) => length(b) - length(a) || a - b);
  const chosen = order.slice(0, Math.min(most - parents.length, Math.ceil(order.length / 4)));
  const split = [...parents];
  const points = [...positions];
  for (const j of chosen) {
    for (let k = 0; k < 3; k++) points.push((points[j * 3 + k] + points[split[j] * 3 + k]) / 2);
    split.push(split[j]);
    split[j] = split.length - 1;
  }
  return {
    names: [...names, ...chosen.map((_, i) => `split ${names.length + i}`)],
    parents: Int32Array.from(split),
    positions: Float32Array.from(points),
  };
}

/** The first joints, each below its nearest kept ancestor. */
function keepFirst({ names, parents, positions }: Skeleton, count: number): Skeleton {
  const kept = parents.slice(0, count).map((parent) => {
    let ancestor = parent;
    while (ancestor >= count) ancestor = parents[ancestor];
    return ancestor;
  });
  return { names: names.slice(0, count), parents: kept, positions: positions.slice(0, count * 3) };
}
