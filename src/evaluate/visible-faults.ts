import type { Character } from "../character/character.ts";
import { findSides } from "../character/symmetry.ts";
import { distanceOf } from "../math/vec3.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { findContacts, touchingVertices } from "../mesh/contacts.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { helperJoints, ORDINARY } from "../skeleton/helper-joints.ts";
import { jointCount } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import { type SkinWeights, weightPerJoint } from "../weights/skin-weights.ts";
import { scoringPoses } from "./deformation-error.ts";

/** Faults that are visible when the character moves, counted against the artist's weights. */
export interface VisibleFaults {
  /** Joints the artist used, and the ones among them with almost no weight. */
  usedJoints: number;
  deadJoints: number;
  /** Dead joints that end a limb: leaves with a parent that are not helpers. */
  deadEnds: number;
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

/** Visible faults over several characters, as fractions. */
export interface VisibleFractions {
  /** Of all joints the artists used. */
  dead: number;
  /** Of all loose parts that touch another. */
  floating: number;
  /** Of the edges of a character, averaged over characters. */
  torn: number;
  /** Of the vertices on one side, averaged over characters. */
  across: number;
}

/** Formats a fraction for a table, in percent, or a dash. */
export function formatFraction(value: number): string {
  return Number.isFinite(value) ? (100 * value).toFixed(2) : "–";
}

/** Labels of the fractions in tables. */
export const VISIBLE_LABELS: Readonly<Record<keyof VisibleFractions, string>> = {
  dead: "Dead joints %",
  floating: "Floating parts %",
  torn: "Torn edges %",
  across: "Across %",
};

/** Sums dead joints and floating parts over characters; averages the others. NaN without characters. */
export function visibleFractions(faults: readonly VisibleFaults[]): VisibleFractions {
  const total = (count: (one: VisibleFaults) => number) =>
    faults.reduce((sum, one) => sum + count(one), 0);
  const of = faults.length;
  if (of === 0)
    return { dead: Number.NaN, floating: Number.NaN, torn: Number.NaN, across: Number.NaN };
  return {
    dead:
      total((one) => one.deadJoints) /
      Math.max(
        1,
        total((one) => one.usedJoints),
      ),
    floating:
      total((one) => one.floatingParts) /
      Math.max(
        1,
        total((one) => one.touchingParts),
      ),
    torn: total((one) => one.tornEdges / Math.max(1, one.edges)) / of,
    across: total((one) => one.crossedVertices / Math.max(1, one.sidedVertices)) / of,
  };
}

/** Minimum weight of a used joint: a sum over vertices, or a fraction of the vertex count. */
const USED_WEIGHT = 3;
const USED_FRACTION = 0.002;
/** A used joint is dead below this fraction of the artist's sum. */
const DEAD_FRACTION = 0.05;
/** Minimum number of vertices of a part. */
const SMALLEST_PART = 4;
/** Minimum gap of a floating part, and maximum gap with the artist's weights, in longest sides. */
const FLOATING = 0.03;
const CLOSED = 0.012;
/** A torn edge grows by more than this multiple of its length and this many longest sides. */
const TORN_RATIO = 2;
const TORN_LENGTH = 0.02;
/** Minimum distance of a sided vertex from the mirror plane, in longest sides. */
const SIDED = 0.03;
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
  const contacts = contactPairs(mesh);
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
): Pick<VisibleFaults, "usedJoints" | "deadJoints" | "deadEnds"> {
  const J = jointCount(skeleton);
  const [ours, theirs] = [weightPerJoint(predicted, J), weightPerJoint(artist, J)];
  const minWeight = Math.max(USED_WEIGHT, USED_FRACTION * vertexCount(mesh));
  const used = [...theirs.keys()].filter((joint) => theirs[joint] >= minWeight);
  const dead = used.filter((joint) => ours[joint] < DEAD_FRACTION * theirs[joint]);
  const kinds = helperJoints(skeleton);
  const isEnd = (joint: number) =>
    kinds[joint] === ORDINARY && skeleton.parents[joint] >= 0 && !skeleton.parents.includes(joint);
  return {
    usedJoints: used.length,
    deadJoints: dead.length,
    deadEnds: dead.filter(isEnd).length,
  };
}

/** Pairs of a vertex of a part and the nearest vertex of another, and their distances at rest. */
type Contact = { pairs: number[]; rest: number[] };

/** Returns the contacts of each part that touches another, except the largest part. */
function contactPairs(mesh: Mesh): Contact[] {
  const contacts = findContacts(mesh);
  const sizes = contacts.members.map(({ length }) => length);
  const largest = sizes.indexOf(Math.max(...sizes));
  return sizes.flatMap((size, part) => {
    if (part === largest || size < SMALLEST_PART) return [];
    const touching = [...touchingVertices(contacts, part)];
    if (touching.length === 0) return [];
    const pairs = touching.flatMap((v) => [v, contacts.nearest[v]]);
    return [
      { pairs, rest: touching.map((v) => distanceOf(mesh.positions, v, contacts.nearest[v])) },
    ];
  });
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
  const sides = findSides(character);
  if (!sides) return { sidedVertices: 0, crossedVertices: 0 };
  const { axis, offset: middle } = sides.plane;
  const across = ({ influences, joints, weights }: SkinWeights, v: number, side: number) => {
    let sum = 0;
    for (let slot = v * influences; slot < (v + 1) * influences; slot++) {
      if (sides.joints[joints[slot]] === -side) sum += weights[slot];
    }
    return sum;
  };
  let [sidedVertices, crossedVertices] = [0, 0];
  for (let v = 0; v < vertexCount(character.mesh); v++) {
    const offset = character.mesh.positions[v * 3 + axis] - middle;
    if (Math.abs(offset) <= SIDED) continue;
    sidedVertices++;
    const side = Math.sign(offset);
    if (across(predicted, v, side) >= CROSSED && across(artist, v, side) < UNCROSSED) {
      crossedVertices++;
    }
  }
  return { sidedVertices, crossedVertices };
}
