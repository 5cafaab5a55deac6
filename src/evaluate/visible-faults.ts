import type { Character } from "../character/character.ts";
import { findSymmetry } from "../character/symmetry.ts";
import { distanceOf } from "../math/vec3.ts";
import { connectedComponents, vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { MirrorPlane } from "../skeleton/joint-pairs.ts";
import { jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { scoringPoses } from "./deformation-error.ts";

/** What a person sees when the character moves, counted against the artist's weights. */
export interface VisibleFaults {
  /** Joints the artist used, and those of them that receive next to nothing. */
  usedJoints: number;
  deadJoints: number;
  /** Loose parts that touch another part at rest, and those of them that come off in a pose. */
  touchingParts: number;
  floatingParts: number;
  /** Edges of the mesh, and those that tear in a pose where the artist's do not. */
  edges: number;
  tornEdges: number;
  /** Vertices clearly on one side of a symmetric character, and those that follow joints of the other. */
  sidedVertices: number;
  crossedVertices: number;
}

/** A joint counts as used from this weight, summed over vertices, or this fraction of the vertices. */
const USED_WEIGHT = 3;
const USED_FRACTION = 0.002;
/** A used joint is dead below this fraction of the artist's sum. */
const DEAD_FRACTION = 0.05;
/** Parts of fewer vertices are ignored. */
const SMALLEST_PART = 4;
/** Distance at rest, in longest sides, within which vertices of two parts touch, and how many must. */
const TOUCHING = 0.015;
const TOUCHING_VERTICES = 3;
/** Opening, in longest sides, from which a part floats, and below which the artist's part is closed. */
const FLOATING = 0.03;
const CLOSED = 0.012;
/** An edge is torn if it grows by more than this many times its length and by this many longest sides. */
const TORN_RATIO = 2;
const TORN_LENGTH = 0.02;
/** Distance from the middle, in longest sides, from which a vertex is clearly on one side. */
const SIDED = 0.03;
/** Distance of a joint from the mirrored position of its image, and the fraction of joints that must have one. */
const SAME_JOINT = 0.02;
const SYMMETRIC = 0.8;
/** Weight on the other side that is a fault, and below which the artist has none there. */
const CROSSED = 0.2;
const UNCROSSED = 0.02;

/**
 * Counts the faults of weights that people see in the poses a character is scored in.
 *
 * @param character welded, longest side 1; its name is the seed of the poses
 * @param predicted V rows
 * @param artist V rows
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
  const isFloating = (_: unknown, i: number) =>
    ours.openings[i] > FLOATING && theirs.openings[i] < CLOSED;
  return {
    ...countDead(character, predicted, artist),
    touchingParts: contacts.length,
    floatingParts: contacts.filter(isFloating).length,
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
  const [ours, theirs] = [predicted, artist].map(({ joints, weights }) => {
    const sums = new Float64Array(jointCount(skeleton));
    weights.forEach((weight, slot) => {
      sums[joints[slot]] += weight;
    });
    return sums;
  });
  const min = Math.max(USED_WEIGHT, USED_FRACTION * vertexCount(mesh));
  const used = [...theirs.keys()].filter((joint) => theirs[joint] >= min);
  const dead = used.filter((joint) => ours[joint] < DEAD_FRACTION * theirs[joint]);
  return { usedJoints: used.length, deadJoints: dead.length };
}

/** Where a part touches others: pairs of a vertex of the part and the nearest vertex of another part. */
interface Contact {
  /** Two vertices per pair. */
  pairs: number[];
  /** Distance at rest per pair. */
  rest: number[];
}

/** The contacts of every part but the largest that touches another. */
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

/** For each vertex the nearest vertex of another part within reach, -1 if there is none. */
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

/** Mean growth of the distance between touching vertices. */
function openingOf({ pairs, rest }: Contact, posed: Float32Array): number {
  let sum = 0;
  rest.forEach((distance, i) => {
    sum += Math.max(0, distanceOf(posed, pairs[2 * i], pairs[2 * i + 1]) - distance);
  });
  return sum / rest.length;
}

/** E×2, each edge once. */
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
  const { twins, plane } = findSymmetry(character, 0);
  if (!isSymmetric(character.skeleton, twins, plane))
    return { sidedVertices: 0, crossedVertices: 0 };
  const { positions } = character.mesh;
  const sideOf = (points: Float32Array, i: number) => points[i * 3 + plane.axis] - plane.offset;
  // Joints in the middle, and those without an image, belong to no side.
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

/** Whether nearly all joints stand at the mirrored position of another one, or of themselves. */
function isSymmetric({ positions }: Skeleton, twins: Int32Array, { axis, offset }: MirrorPlane) {
  const mirrored = twins.filter((twin, joint) => {
    if (twin < 0) return false;
    const image = positions.slice(joint * 3, joint * 3 + 3);
    image[axis] = 2 * offset - image[axis];
    const [x, y, z] = image.map((value, i) => value - positions[twin * 3 + i]);
    return Math.hypot(x, y, z) <= SAME_JOINT;
  });
  return mirrored.length >= SYMMETRIC * twins.length;
}
