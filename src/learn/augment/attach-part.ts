import { inverseIndex, joinArrays, listsOf, takeRows } from "../../math/arrays.ts";
import { power } from "../../math/power.ts";
import { type Random, randomDirection } from "../../math/random.ts";
import { connectedComponents, vertexNeighbors } from "../../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../../mesh/mesh.ts";
import { emptyWeights } from "../../weights/skin-weights.ts";
import { carriedWeight, pick, type Weighted } from "./weighted.ts";

/** A separate piece of a character, such as a hat, a button or a weapon. */
export type LoosePart = Mesh;

/** Minimum and maximum vertices of a loose part. */
const MIN_VERTICES = 8;
const MAX_VERTICES = 600;

/**
 * Returns up to `limit` small loose parts of a mesh, largest first.
 *
 * @returns up to `limit` of them, largest first
 */
export function looseParts({ mesh }: Pick<Weighted, "mesh">, limit = 4): LoosePart[] {
  const V = vertexCount(mesh);
  const { component, count } = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const { starts, items } = listsOf(component, count);
  return Array.from({ length: count }, (_, part) => items.slice(starts[part], starts[part + 1]))
    .filter((list) => list.length >= MIN_VERTICES && list.length <= Math.min(MAX_VERTICES, V / 2))
    .sort((a, b) => b.length - a.length)
    .slice(0, limit)
    .map((list) => cutOut(mesh, list));
}

/**
 * Attaches a loose part of another character, rotated at random, a twentieth to a third of its
 * size, and bound to the joint that moves the vertex it touches.
 */
export function attachPart(character: Weighted, part: LoosePart, random: Random): Weighted {
  const { mesh, weights } = character;
  const vertex = randomVertex(character, random);
  const { influences } = weights;
  const joint = weights.joints[vertex * influences];
  const placed = placePart(part, mesh.positions.subarray(vertex * 3, vertex * 3 + 3), random);
  const V = vertexCount(mesh);
  const all = emptyWeights(V + placed.length / 3, influences);
  all.joints.set(weights.joints);
  all.weights.set(weights.weights);
  for (let slot = V * influences; slot < all.joints.length; slot += influences) {
    all.joints[slot] = joint;
    all.weights[slot] = 1;
  }
  const triangles = part.triangles.map((corner) => corner + V);
  return {
    ...character,
    mesh: {
      ...mesh,
      positions: joinArrays(Float32Array, [mesh.positions, placed]),
      triangles: joinArrays(Uint32Array, [mesh.triangles, triangles]),
    },
    weights: all,
  };
}

/**
 * Returns a random vertex; the joint is drawn first, so that small joints are as likely as large
 * ones.
 */
function randomVertex(character: Weighted, random: Random): number {
  const { weights } = character;
  const { influences } = weights;
  const carried = carriedWeight(character);
  const busy = [...carried.keys()].filter((joint) => carried[joint] > 0);
  const joint = pick(busy, random);
  const rows: number[] = [];
  for (let v = 0; v * influences < weights.joints.length; v++) {
    if (weights.weights[v * influences] > 0 && weights.joints[v * influences] === joint)
      rows.push(v);
  }
  const V = weights.joints.length / influences;
  return rows.length > 0 ? pick(rows, random) : Math.floor(random() * V);
}

/** Rotates, scales and moves the part so that it touches a point from a random side. */
function placePart(part: LoosePart, at: Float32Array, random: Random): Float32Array {
  const turned = rotateRandomly(part.positions, random);
  let reach = 0;
  for (let i = 0; i < turned.length; i += 3) {
    reach = Math.max(reach, Math.hypot(turned[i], turned[i + 1], turned[i + 2]));
  }
  const size = (0.025 * power(20 / 3, random())) / Math.max(reach, 1e-6);
  const side = randomDirection(random);
  const away = random() * reach * size;
  return turned.map((value, i) => value * size + at[i % 3] + side[i % 3] * away);
}

/** Centers points and rotates them about a random axis by a random angle. */
function rotateRandomly(positions: Float32Array, random: Random): Float32Array {
  const count = positions.length / 3;
  const center = [0, 0, 0];
  positions.forEach((value, i) => {
    center[i % 3] += value / count;
  });
  const [x, y, z] = randomDirection(random);
  const angle = 2 * Math.PI * random();
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const out = new Float32Array(positions.length);
  for (let i = 0; i < out.length; i += 3) {
    const [px, py, pz] = [0, 1, 2].map((axis) => positions[i + axis] - center[axis]);
    const dot = (x * px + y * py + z * pz) * (1 - c);
    out[i] = c * px + s * (y * pz - z * py) + dot * x;
    out[i + 1] = c * py + s * (z * px - x * pz) + dot * y;
    out[i + 2] = c * pz + s * (x * py - y * px) + dot * z;
  }
  return out;
}

function cutOut(mesh: Mesh, vertices: Int32Array): LoosePart {
  const index = inverseIndex(vertices, vertexCount(mesh));
  const triangles: number[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const corners = [0, 1, 2].map((corner) => index[mesh.triangles[i + corner]]);
    if (corners.every((corner) => corner >= 0)) triangles.push(...corners);
  }
  return {
    positions: takeRows(mesh.positions, vertices, 3),
    triangles: Uint32Array.from(triangles),
  };
}
