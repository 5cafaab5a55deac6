import { boundsOf, longestSide } from "../math/aabb.ts";
import { partBoxes } from "../mesh/adjacency.ts";
import { type Contacts, findContacts, touchingVertices } from "../mesh/contacts.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { createJointMotion } from "../weights/deform.ts";
import { addRow, type WeightRow } from "../weights/skin-weights.ts";

/** When a loose part follows one joint. */
const RULES = {
  /** Its mean weight on the joint; a lower one suffices if that joint is heaviest in `agreed` of the vertices. */
  oneJoint: 0.8,
  oneJointAgreed: 0.65,
  agreed: 0.9,
  /** Its mean weight on the joint if it is large. */
  oneJointLarge: 0.9,
  /** With this mean weight, it follows the joint even if a gap opens, as boots that touch each other do. */
  sure: 0.9,
  /** Otherwise the gap to the surface it touches is at most this many longest sides of the mesh. */
  gap: 0.02,
  /** A part with a smaller fraction of touching vertices is a limb, which bends where it touches. */
  seated: 0.4,
  /** A part with more of the vertices is not seated on anything, */
  large: 0.15,
  /** and with more than this it is the body itself. */
  body: 0.5,
  /** A joint may lose this fraction of its weight to rigid parts, and this to a large one. */
  lost: 0.4,
  lostToLarge: 0.7,
};

/**
 * Makes loose parts follow one joint, as artists paint plates, buttons and eyes, unless that would detach
 * the part from the surface it sits on, or take most of another joint's weight. All vertices of such a part
 * share one row object. Larger parts come first, so that a gem follows the brooch that follows the dress.
 *
 * @param mesh welded
 * @param rows V rows, changed in place; rows are replaced, not modified
 */
export function seatLooseParts(mesh: Mesh, skeleton: Skeleton, rows: WeightRow[]): void {
  const contacts = findContacts(mesh);
  const { members, nearest } = contacts;
  const motion = createJointMotion(skeleton, mesh.positions);
  const size = longestSide(boundsOf(mesh.positions));
  const total = new Float64Array(skeleton.parents.length);
  const lost = new Float64Array(total.length);
  for (const row of rows) addTo(total, row);
  for (const part of largestFirst(members)) {
    const vertices = members[part];
    if (vertices.length > RULES.body * rows.length) continue;
    const one = sharedJoint(vertices, rows);
    const isLarge = vertices.length > RULES.large * rows.length;
    if (!one || (isLarge && one.weight < RULES.oneJointLarge)) continue;
    const weight = new Float64Array(total.length);
    for (const v of vertices) addTo(weight, rows[v]);
    weight[one.joint] = 0;
    const row: WeightRow = { joints: [one.joint], values: [1] };
    const most = isLarge ? RULES.lostToLarge : RULES.lost;
    if (weight.some((own, joint) => own > 0.5 && lost[joint] + own > most * total[joint])) continue;
    if (!isLarge) {
      const touching = touchingVertices(contacts, part);
      if (one.weight < RULES.sure && touching.length > 0) {
        const gap = (rowOf: (v: number) => WeightRow) =>
          motion.meanGrowth(Array.from(touching, (v) => [rowOf(v), rows[nearest[v]], v] as const))
            .length;
        const rigid = gap(() => row);
        if (rigid > RULES.gap * size && rigid > gap((v) => rows[v])) continue;
      }
    }
    weight.forEach((own, joint) => {
      lost[joint] += own;
    });
    for (const v of vertices) rows[v] = row;
  }
}

/** A part this small, in longest sides, does not bend where it sits. */
const SMALL = 0.08;
/** Maximum gap of a part that bends, in longest sides, and how much of its border closes it. */
const OPEN = 0.025;
const CLOSING = 0.6;

/**
 * Closes the gaps of loose parts that bend: vertices that touch another part follow it, mostly. Rigid parts
 * stay rigid.
 *
 * @param parts to close; by default all in which a gap opens
 * @returns the changed vertices
 */
export function closeGaps(
  mesh: Mesh,
  skeleton: Skeleton,
  rows: WeightRow[],
  parts?: readonly number[],
): number[] {
  const contacts = findContacts(mesh);
  const motion = createJointMotion(skeleton, mesh.positions);
  const size = longestSide(boundsOf(mesh.positions));
  const boxes = partBoxes(mesh.positions, contacts.parts);
  const changed: number[] = [];
  for (const part of parts ?? largestFirst(contacts.members).slice(1)) {
    const touching = touchingVertices(contacts, part);
    const pairs = Array.from(touching, (v) => [rows[v], rows[contacts.nearest[v]], v] as const);
    const [first] = contacts.members[part];
    if (contacts.members[part].every((v) => rows[v] === rows[first])) continue;
    if (!parts && motion.meanGrowth(pairs).length < OPEN * size) continue;
    const follow = (v: number, under: WeightRow) => {
      const row: WeightRow = { joints: [], values: [] };
      addRow(row, rows[v], 1 - CLOSING);
      addRow(row, under, CLOSING);
      rows[v] = row;
      changed.push(v);
    };
    // A small seated part follows as a whole: a ring, a brooch.
    const isSmall = longestSide(boxes[part]) <= SMALL * size;
    const isSeated = isSmall && touching.length >= RULES.seated * contacts.members[part].length;
    const mean: WeightRow = { joints: [], values: [] };
    for (const [, under] of pairs) addRow(mean, under, 1 / pairs.length);
    for (const [, under, v] of pairs) follow(v, under);
    if (!isSeated) continue;
    for (const v of contacts.members[part]) if (contacts.nearest[v] < 0) follow(v, mean);
  }
  return changed;
}

/**
 * Lets a part follow the surface it touches as one piece: all its vertices get the mean row of the touched
 * vertices.
 *
 * @returns the changed vertices; none if the part touches nothing
 */
export function followSurface(mesh: Mesh, rows: WeightRow[], part: number): number[] {
  const contacts = findContacts(mesh);
  const touching = touchingVertices(contacts, part);
  if (touching.length === 0) return [];
  const row: WeightRow = { joints: [], values: [] };
  for (const v of touching) addRow(row, rows[contacts.nearest[v]], 1 / touching.length);
  for (const v of contacts.members[part]) rows[v] = row;
  return [...contacts.members[part]];
}

function largestFirst(members: Contacts["members"]): number[] {
  return [...members.keys()].sort((a, b) => members[b].length - members[a].length || a - b);
}

/** Returns the joint that a part follows, with its mean weight; undefined for parts that bend. */
function sharedJoint(
  vertices: Int32Array,
  rows: readonly WeightRow[],
): { joint: number; weight: number } | undefined {
  const mean: WeightRow = { joints: [], values: [] };
  const first = new Map<number, number>();
  for (const v of vertices) {
    const { joints, values } = rows[v];
    addRow(mean, rows[v], 1 / vertices.length);
    const heaviest = joints[values.indexOf(Math.max(...values))];
    first.set(heaviest, (first.get(heaviest) ?? 0) + 1);
  }
  const weight = Math.max(...mean.values);
  const joint = mean.joints[mean.values.indexOf(weight)];
  const agreed = (first.get(joint) ?? 0) >= RULES.agreed * vertices.length;
  const least = agreed ? RULES.oneJointAgreed : RULES.oneJoint;
  return weight >= least ? { joint, weight } : undefined;
}

function addTo(sums: Float64Array, { joints, values }: WeightRow): void {
  for (let slot = 0; slot < joints.length; slot++) sums[joints[slot]] += values[slot];
}
