import type { Character } from "../character/character.ts";
import { findSymmetry, mirroredJoints } from "../character/symmetry.ts";
import { distanceOf } from "../math/vec3.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import { type SkinWeights, weightPerJoint } from "../weights/skin-weights.ts";
import { scoringPoses } from "./deformation-error.ts";

/** Faults that are visible when the character moves, counted against the artist's weights. */
export interface VisibleFaults {
  /** Joints the artist used, and the ones among them with almost no weight. */
  usedJoints: number;
  deadJoints: number;
  /** Loose parts that touch another part at rest, and the ones that detach in a pose. */
  touchingParts: number;
  floatingParts: number;
  /** Edges of the mesh, and the ones that tear in a pose only with the predicted weights. */
  edges: number;
  tornEdges: number;
  /**
   * Vertices clearly on one side of a symmetric character, and the ones that follow joints of the
   * other.
   */
  sidedVertices: number;
  crossedVertices: number;
}

/** Minimum weight of a used joint: a sum over vertices, or a fraction of the vertex count. */
const USED_WEIGHT = 3;
const USED_FRACTION = 0.002;
/** A used joint is dead below this fraction of the artist's sum. */
const DEAD_FRACTION = 0.05;
/** Minimum number of vertices of a part. */
const SMALLEST_PART = 4;
/** Maximum distance at rest of touching vertices, in longest sides, and how many must touch. */
const TOUCHING = 0.015;
const TOUCHING_VERTICES = 3;
/** Minimum gap of a floating part, and maximum gap with the artist's weights, in longest sides. */
const FLOATING = 0.03;
const CLOSED = 0.012;
/** A torn edge grows by more than this multiple of its length and this many longest sides. */
const TORN_RATIO = 2;
const TORN_LENGTH = 0.02;
/** Minimum distance of a sided vertex from the mirror plane, in longest sides. */
const SIDED = 0.03;
/**
 * Maximum distance of a joint from its mirror image, and the fraction of joints that must have one.
 */
const SAME_JOINT = 0.02;
const SYMMETRIC = 0.8;
/** Minimum predicted weight on the other side, and the artist's maximum there. */
const CROSSED = 0.2;
const UNCROSSED = 0.02;

/**
 * Counts the visible faults of predicted weights (V rows) in the poses a character is scored in.
 *
 * @param character welded, longest side 1; its name seeds the poses
 */
export function visibleFaults(
  character: Pick<Character, "name" | "mesh" | "skeleton">,
  predicted: SkinWeights,
  artist: SkinWeights,
): VisibleFaults {
  const { mesh } = character;
  const contacts = findContacts(mesh);
  const edges = findEdges(mesh);
  const [ours, theirs] = [predicted, artist].map(() => ({
    openings: new Float64Array(contacts.length),
    torn: new Uint8Array(edges.length / 2),
  }));
  for (const pose of scoringPoses(character)) {
    for (const [weights, found] of [
      [predicted, ours],
      [artist, theirs],
    ] as const) {
      const posed = linearBlend(mesh.positions, weights, pose);
      contacts.forEach((contact, i) => {
        found.openings[i] = Math.max(found.openings[i], openingOf(contact, posed));
      });
      markTorn(edges, mesh.positions, posed, found.torn);
    }
  }
  const isFloating = (open: number, i: number) => open > FLOATING && theirs.openings[i] < CLOSED;
  return {
    ...countDead(character, predicted, artist),
    touchingParts: contacts.length,
    floatingParts: ours.openings.filter(isFloating).length,
    edges: edges.length / 2,
    tornEdges: ours.torn.reduce((sum, torn, i) => sum + (torn & ~theirs.torn[i] & 1), 0),
    ...countCrossed(character, predicted, artist),
  };
}

function countDead(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  predicted: SkinWeights,
  artist: SkinWeights,
): Pick<VisibleFaults, "usedJoints" | "deadJoints"> {
  const J = jointCount(skeleton);
  const [ours, theirs] = [weightPerJoint(predicted, J), weightPerJoint(artist, J)];
  const minWeight = Math.max(USED_WEIGHT, USED_FRACTION * vertexCount(mesh));
  const used = [...theirs.keys()].filter((joint) => theirs[joint] >= minWeight);
  const dead = used.filter((joint) => ours[joint] < DEAD_FRACTION * theirs[joint]);
  return { usedJoints: used.length, deadJoints: dead.length };
}

/** Pairs of a vertex of a part and the nearest vertex of another, and their distances at rest. */
type Contact = { pairs: number[]; rest: number[] };

/** Returns the contacts of each part that touches another, except the largest part. */
function findContacts(mesh: Mesh): Contact[] {
  const { positions } = mesh;
  const V = vertexCount(mesh);
  const { count, component } = connectedComponents(vertexNeighbors(mesh.triangles, V));
  if (count < 2) return [];
  const sizes = new Int32Array(count);
  for (const part of component) sizes[part]++;
  const largest = sizes.indexOf(Math.max(...sizes));
  const nearest = nearestOfOtherParts(positions, component);
  const contacts = Array.from({ length: count }, (): Contact => ({ pairs: [], rest: [] }));
  for (let v = 0; v < V; v++) {
    if (nearest.vertex[v] < 0) continue;
    contacts[component[v]].pairs.push(v, nearest.vertex[v]);
    contacts[component[v]].rest.push(nearest.distance[v]);
  }
  return contacts.filter(
    ({ rest }, part) =>
      part !== largest && sizes[part] >= SMALLEST_PART && rest.length >= TOUCHING_VERTICES,
  );
}

/** Returns the nearest vertex of another part within `TOUCHING` for each vertex, or -1. */
function nearestOfOtherParts(positions: Float32Array, component: Int32Array) {
  const V = component.length;
  const cells = new Map<string, number[]>();
  const cellOf = (v: number) =>
    [0, 1, 2].map((axis) => Math.floor(positions[v * 3 + axis] / TOUCHING));
  for (let v = 0; v < V; v++) {
    const key = cellOf(v).join();
    const cell = cells.get(key);
    if (cell) cell.push(v);
    else cells.set(key, [v]);
  }
  const vertex = new Int32Array(V).fill(-1);
  const distance = new Float64Array(V).fill(TOUCHING);
  for (let v = 0; v < V; v++) {
    const [x, y, z] = cellOf(v);
    for (let i = 0; i < 27; i++) {
      const key = `${x + (i % 3) - 1},${y + (Math.floor(i / 3) % 3) - 1},${z + Math.floor(i / 9) - 1}`;
      for (const other of cells.get(key) ?? []) {
        if (component[other] === component[v]) continue;
        const d = distanceOf(positions, v, other);
        if (d < distance[v] || (d === distance[v] && vertex[v] < 0)) {
          distance[v] = d;
          vertex[v] = other;
        }
      }
    }
  }
  return { vertex, distance };
}

/** Returns the mean growth of the distance between touching vertices. */
function openingOf({ pairs, rest }: Contact, posed: Float32Array): number {
  let sum = 0;
  rest.forEach((distance, i) => {
    sum += Math.max(0, distanceOf(posed, pairs[2 * i], pairs[2 * i + 1]) - distance);
  });
  return sum / rest.length;
}

/** Returns each edge once (E×2). */
function findEdges(mesh: Mesh): Int32Array {
  const { starts, items } = vertexNeighbors(mesh.triangles, vertexCount(mesh));
  const edges = new Int32Array(items.length);
  let written = 0;
  for (let v = 0; v + 1 < starts.length; v++) {
    for (let i = starts[v]; i < starts[v + 1]; i++) {
      if (items[i] < v) continue;
      edges[written++] = v;
      edges[written++] = items[i];
    }
  }
  return edges.subarray(0, written);
}

function markTorn(edges: Int32Array, rest: Float32Array, posed: Float32Array, torn: Uint8Array) {
  for (let e = 0; e < torn.length; e++) {
    const [a, b] = [edges[2 * e], edges[2 * e + 1]];
    const length = distanceOf(rest, a, b);
    const growth = distanceOf(posed, a, b) - length;
    if (growth > TORN_RATIO * length && growth > TORN_LENGTH) torn[e] = 1;
  }
}

function countCrossed(
  character: Pick<Character, "name" | "mesh" | "skeleton">,
  predicted: SkinWeights,
  artist: SkinWeights,
): Pick<VisibleFaults, "sidedVertices" | "crossedVertices"> {
  const symmetry = findSymmetry(character, 0);
  if (mirroredJoints(character.skeleton, symmetry, SAME_JOINT) < SYMMETRIC) {
    return { sidedVertices: 0, crossedVertices: 0 };
  }
  const { twins, plane } = symmetry;
  const { positions } = character.mesh;
  const sideOf = (points: Float32Array, i: number) => points[i * 3 + plane.axis] - plane.offset;
  // Joints on the mirror plane or without a mirror image belong to no side.
  const jointSides = Array.from(twins, (twin, joint) =>
    twin >= 0 && twin !== joint ? Math.sign(sideOf(character.skeleton.positions, joint)) : 0,
  );
  const across = ({ influences, joints, weights }: SkinWeights, v: number, side: number) => {
    let sum = 0;
    for (let slot = v * influences; slot < (v + 1) * influences; slot++) {
      if (jointSides[joints[slot]] === -side) sum += weights[slot];
    }
    return sum;
  };
  let [sidedVertices, crossedVertices] = [0, 0];
  for (let v = 0; v < vertexCount(character.mesh); v++) {
    const offset = sideOf(positions, v);
    if (Math.abs(offset) <= SIDED) continue;
    sidedVertices++;
    const side = Math.sign(offset);
    if (across(predicted, v, side) >= CROSSED && across(artist, v, side) < UNCROSSED) {
      crossedVertices++;
    }
  }
  return { sidedVertices, crossedVertices };
}
