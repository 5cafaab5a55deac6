import { MinHeap } from "../math/min-heap.ts";
import { distanceOf } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { emptyWeights, type SkinWeights } from "../weights/skin-weights.ts";
import type { Character } from "./character.ts";

/**
 * Splits the longest edges of a coarse character until it has `minVertices` vertices; a new vertex gets the mean
 * weights of the ends of its edge. The paper trains on no mesh below 1K.
 */
export function subdivideCharacter(character: Character, minVertices = 1000): Character {
  const { mesh, parents } = subdivideTo(character.mesh, minVertices);
  if (parents.length === 0) return character;
  const finer: Character = { ...character, mesh };
  if (character.weights) finer.weights = midpointWeights(character.weights, parents);
  return finer;
}

/**
 * Appends the mean of two earlier rows for each new vertex.
 *
 * @param parents N×2, as returned by a subdivision
 */
function midpointWeights(weights: SkinWeights, parents: Int32Array): SkinWeights {
  const rows: [number, number][][] = [];
  const before = weights.joints.length / weights.influences;
  for (let v = 0; v < before; v++) {
    const row: [number, number][] = [];
    for (let i = v * weights.influences; i < (v + 1) * weights.influences; i++) {
      if (weights.weights[i] > 0) row.push([weights.joints[i], weights.weights[i]]);
    }
    rows.push(row);
  }
  for (let i = 0; i < parents.length; i += 2) {
    rows.push(meanRow(rows[parents[i]], rows[parents[i + 1]]));
  }
  const influences = rows.reduce((max, row) => Math.max(max, row.length), 1);
  const out = emptyWeights(rows.length, influences);
  rows.forEach((row, v) => {
    row.forEach(([joint, weight], i) => {
      out.joints[v * influences + i] = joint;
      out.weights[v * influences + i] = weight;
    });
  });
  return out;
}

function meanRow(a: [number, number][], b: [number, number][]): [number, number][] {
  const sum = new Map<number, number>();
  for (const [joint, weight] of [...a, ...b]) sum.set(joint, (sum.get(joint) ?? 0) + weight / 2);
  return [...sum].sort((x, y) => y[1] - x[1] || x[0] - y[0]);
}

/** A finer mesh, and the mapping of vertex values to it. */
interface Subdivision {
  /** The first vertices are those of the coarse mesh. */
  mesh: Mesh;
  /** (V' - V)×2, the two vertices that each new vertex lies midway between; always earlier ones. */
  parents: Int32Array;
}

/**
 * Splits the longest edges at their midpoints until the mesh has `minVertices` vertices.
 *
 * All triangles at an edge are split with it, so no crack opens, and the surface does not move. A mesh that
 * is large enough is returned as it is; one without edges of positive length stays small.
 */
export function subdivideTo(mesh: Mesh, minVertices = 1000): Subdivision {
  const before = vertexCount(mesh);
  const splitter = createSplitter(mesh);
  let count = before;
  while (count < minVertices && splitter.splitLongest()) count++;
  return count === before ? { mesh, parents: new Int32Array(0) } : splitter.result();
}

function createSplitter(mesh: Mesh): { splitLongest(): boolean; result(): Subdivision } {
  const positions = Array.from(mesh.positions);
  const triangles: number[] = [];
  const parents: number[] = [];
  const edges: { a: number; b: number; around: number[] }[] = [];
  const edgeIds = new Map<number, number>();
  const longest = new MinHeap();

  const edgeId = (a: number, b: number): number => {
    const low = Math.min(a, b);
    const key = low * 2 ** 26 + Math.max(a, b);
    let id = edgeIds.get(key);
    if (id === undefined) {
      id = edges.length;
      edgeIds.set(key, id);
      edges.push({ a: low, b: Math.max(a, b), around: [] });
      longest.push(-distanceOf(positions, a, b), id);
    }
    return id;
  };
  const addTriangle = (a: number, b: number, c: number, at = triangles.length / 3): void => {
    triangles[at * 3] = a;
    triangles[at * 3 + 1] = b;
    triangles[at * 3 + 2] = c;
    if (a === b || b === c || c === a) return;
    for (const id of [edgeId(a, b), edgeId(b, c), edgeId(c, a)]) edges[id].around.push(at);
  };
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    addTriangle(mesh.triangles[i], mesh.triangles[i + 1], mesh.triangles[i + 2]);
  }

  const splitLongest = (): boolean => {
    if (longest.size === 0 || longest.peekKey() === 0) return false;
    const { a, b, around } = edges[longest.pop()];
    const middle = positions.length / 3;
    for (let axis = 0; axis < 3; axis++) {
      positions.push((positions[a * 3 + axis] + positions[b * 3 + axis]) / 2);
    }
    parents.push(a, b);
    for (const triangle of around) {
      const corners = triangles.slice(triangle * 3, triangle * 3 + 3);
      for (let i = 0; i < 3; i++) {
        const list = edges[edgeId(corners[i], corners[(i + 1) % 3])].around;
        // The edge being split keeps its list: it is obsolete after this loop.
        if (list !== around) list.splice(list.indexOf(triangle), 1);
      }
      const [first, second] = [a, b].map((end) => corners.map((c) => (c === end ? middle : c)));
      addTriangle(first[0], first[1], first[2], triangle);
      addTriangle(second[0], second[1], second[2]);
    }
    return true;
  };
  const result = (): Subdivision => ({
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    parents: Int32Array.from(parents),
  });
  return { splitLongest, result };
}
