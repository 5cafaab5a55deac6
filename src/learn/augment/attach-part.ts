import { takeRows } from "../../math/arrays.ts";
import { type Random, randomDirection } from "../../math/random.ts";
import { connectedComponents, vertexNeighbors } from "../../mesh/adjacency.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { carriedWeight, pick, type Weighted } from "./weighted.ts";

/** A separate part of a character: a hat, a button, a weapon. */
export type LoosePart = Mesh;

/** Range of vertices of a loose part. */
const FEWEST = 8;
const MOST = 600;

/** Returns up to `limit` small loose parts of a mesh, largest first. */
export function looseParts({ mesh }: Pick<Weighted, "mesh">, limit = 4): LoosePart[] {
  const V = mesh.positions.length / 3;
  const { component, count } = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const vertices: number[][] = Array.from({ length: count }, () => []);
  component.forEach((part, vertex) => {
    vertices[part].push(vertex);
  });
  return vertices
    .filter((list) => list.length >= FEWEST && list.length <= Math.min(MOST, V / 2))
    .sort((a, b) => b.length - a.length)
    .slice(0, limit)
    .map((list) => cutOut(mesh, list));
}

/**
 * Attaches a loose part of another character, rotated at random, at a twentieth to a third of its size; it
 * follows the joint at its position.
 */
export function attachPart(character: Weighted, part: LoosePart, random: Random): Weighted {
  const { mesh, weights } = character;
  const vertex = attachmentVertex(character, random);
  const joint = weights.joints[vertex * weights.influences];
  const placed = placePart(part, mesh.positions.subarray(vertex * 3, vertex * 3 + 3), random);
  const V = mesh.positions.length / 3;
  const added = placed.length / 3;
  const { influences } = weights;
  const joints = new Uint16Array((V + added) * influences);
  const values = new Float32Array((V + added) * influences);
  joints.set(weights.joints);
  values.set(weights.weights);
  for (let row = V; row < V + added; row++) {
    joints[row * influences] = joint;
    values[row * influences] = 1;
  }
  return {
    ...character,
    mesh: {
      ...mesh,
      positions: Float32Array.from([...mesh.positions, ...placed]),
      triangles: Uint32Array.from([
        ...mesh.triangles,
        ...part.triangles.map((corner) => corner + V),
      ]),
    },
    weights: { influences, joints, weights: values },
  };
}

/** A random vertex that follows one joint: first the joint, so that small ones are chosen too. */
function attachmentVertex(character: Weighted, random: Random): number {
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

/** Rotates, scales and moves a part so that it touches a point from a random side. */
function placePart(part: LoosePart, at: Float32Array, random: Random): Float32Array {
  const { positions } = part;
  const rotated = rotateAtRandom(positions, random);
  let reach = 0;
  for (let i = 0; i < rotated.length; i += 3) {
    reach = Math.max(reach, Math.hypot(rotated[i], rotated[i + 1], rotated[i + 2]));
  }
  const size = (0.025 * (20 / 3) ** random()) / Math.max(reach, 1e-6);
  const side = randomDirection(random);
  const away = random() * reach * size;
  return rotated.map((value, i) => value * size + at[i % 3] + side[i % 3] * away);
}

function rotateAtRandom(positions: Float32Array, random: Random): Float32Array {
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

function cutOut(mesh: Mesh, vertices: number[]): LoosePart {
  const indexOf = new Map(vertices.map((vertex, at) => [vertex, at]));
  const triangles: number[] = [];
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const corners = [0, 1, 2].map((corner) => indexOf.get(mesh.triangles[i + corner]));
    if (corners.every((corner) => corner !== undefined)) triangles.push(...(corners as number[]));
  }
  return {
    positions: takeRows(mesh.positions, Int32Array.from(vertices), 3),
    triangles: Uint32Array.from(triangles),
  };
}
