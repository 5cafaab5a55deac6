import type { Character } from "../character/character.ts";
import { findSides } from "../character/symmetry.ts";
import { segmentDistance } from "../math/vec3.ts";
import { findContacts } from "../mesh/contacts.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { readRows } from "../repair/hold-together.ts";
import { findTears, TORN_LENGTH, type TornEdge } from "../repair/mend-tears.ts";
import { bonesOf } from "../skeleton/bones.ts";
import { helperJoints, ORDINARY } from "../skeleton/helper-joints.ts";
import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import { createJointMotion } from "../weights/deform.ts";
import { type SkinWeights, type WeightRow, weightPerJoint } from "../weights/skin-weights.ts";
import { choosePoses } from "./extreme-poses.ts";
import {
  type CheckedPose,
  measurePose,
  stretchableEdges,
  type TouchingPart,
  touchingParts,
} from "./measure-pose.ts";

/**
 * Faults that are visible when a character moves: `floating`, a loose part detaches from the surface it
 * sits on; `torn`, edges stretch to a multiple of their length; `idle`, the joint at the end of a limb
 * moves nothing; `across`, one side of the body follows joints of the other; `volume`, a pose flattens
 * the body.
 *
 * @example
 * const { doubts } = await skin(character);
 * console.log(doubts.poses.findings.filter(({ fault }) => fault === "floating"));
 */
export const POSE_FAULTS = ["floating", "torn", "idle", "across", "volume"] as const;
/**
 * A reason of the pose check; see {@link POSE_FAULTS}.
 *
 * @example
 * const fault: PoseFault = "torn";
 * const { doubts } = await skin(character);
 * console.log(doubts.poses.findings.some((finding) => finding.fault === fault));
 */
export type PoseFault = (typeof POSE_FAULTS)[number];

/** One visible fault. */
export interface PoseFinding {
  fault: PoseFault;
  /** The joint that shows the fault when it rotates; for `idle`, the joint itself. */
  joint: number;
  /** Affected vertices of the mesh, in order. */
  vertices: Int32Array;
  /** The loose part, for `floating`; see `findContacts`. */
  part?: number;
  /** Fraction of the vertices of the character, 0 to 1. */
  extent: number;
  /**
   * Largest gap or growth of an edge in longest sides of the mesh; for `across` the mean weight on the
   * other side, for `volume` the lost fraction, for `idle` 1.
   */
  amount: number;
  /** Index of the pose that shows it. */
  pose: number;
}

/** The result of {@link checkPoses}. */
export interface PoseCheck {
  /** At most eight, worst first. */
  poses: CheckedPose[];
  /** Worst first; empty if the character passed. */
  findings: PoseFinding[];
}

/** Limits of the check, chosen on training characters of skeletons that the network had not seen (docs/lab/visible.md). */
const LIMITS = {
  /** Gap of a part with at least this fraction of touching vertices, and gap of any part. */
  seated: 0.2,
  gap: 0.043,
  anyGap: 0.05,
  /** Fraction of torn edges around a joint. */
  torn: 0.015,
  /**
   * Surface of a joint that should move something, and its weight if it is idle, in multiples of the minimum of
   * a used joint. The surface is what a network expects, or else the vertices nearest to the joint.
   */
  expected: { surface: 0.8, idle: 0.3 },
  nearest: { surface: 0.7, idle: 0.12 },
  /** Weight on the other side of a vertex, its distance from the plane, and the fraction of vertices. */
  across: 0.2,
  sided: 0.03,
  acrossVertices: 0.05,
  /** Lost fraction of the volume. */
  volume: 0.4,
};

/** Minimum weight of a used joint, in vertices and as a fraction of them. */
const USED_WEIGHT = 3;
const USED_FRACTION = 0.002;

/** Vertices whose nearest bone is searched; a sample of larger meshes. */
const SAMPLED = 3000;

/**
 * Looks for faults of the weights in eight extreme poses of the character's own joints. The joints and
 * directions that separate the surface most come first; this is found without posing (see `JointMotion`),
 * then confirmed by posing the mesh.
 *
 * @param character welded, longest side 1
 * @param weights V rows that sum to 1
 * @param expected a network's weights before smoothing and pruning, which show the surface of each joint
 */
export function checkPoses(
  { mesh, skeleton }: Pick<Character, "mesh" | "skeleton">,
  weights: SkinWeights,
  expected?: SkinWeights,
): PoseCheck {
  const V = vertexCount(mesh);
  const rows = readRows(weights);
  const parts = touchingParts(mesh);
  const tears = findTears(mesh, skeleton, rows);
  const found: Omit<PoseFinding, "pose">[] = [
    ...floatingParts(mesh, skeleton, rows, parts),
    ...tornRegions(tears, V, mesh.triangles.length / 2),
    ...idleEnds(mesh, skeleton, weights, expected),
    ...acrossMiddle({ mesh, skeleton }, rows),
  ];
  const shown = found.map((finding) => ({
    joint: finding.joint,
    severity: severityOf({ ...finding, pose: 0 }),
    vertex: finding.vertices.length > 0 ? finding.vertices[0] : undefined,
  }));
  const poses = choosePoses(mesh, skeleton, weights, shown);
  const edges = stretchableEdges(mesh, rows);
  const measured = poses.map((pose) =>
    measurePose(mesh, skeleton, weights, { edges, parts }, pose),
  );
  const findings = found.map((finding): PoseFinding => {
    const pose = poses.findIndex(({ joints }) => joints.includes(finding.joint));
    return { ...finding, pose: Math.max(0, pose) };
  });
  measured.forEach((pose, index) => {
    if (1 - pose.volume <= LIMITS.volume) return;
    const joint = pose.joints[0] ?? 0;
    const amount = 1 - pose.volume;
    findings.push({
      fault: "volume",
      joint,
      vertices: new Int32Array(0),
      extent: 1,
      amount,
      pose: index,
    });
  });
  return worstFirst(measured, findings);
}

/** How bad a finding is, for sorting and for comparing two checks: multiples of its limit. */
export function severityOf({ fault, amount, extent }: PoseFinding): number {
  if (fault === "floating") return amount / LIMITS.gap;
  if (fault === "torn") return (amount / TORN_LENGTH) * (1 + 10 * extent);
  if (fault === "across") return 2 + 10 * extent;
  return fault === "idle" ? 1.5 : amount / LIMITS.volume;
}

function worstFirst(poses: CheckedPose[], findings: PoseFinding[]): PoseCheck {
  const badness = poses.map(
    (pose, index) =>
      findings.reduce((sum, f) => sum + (f.pose === index ? severityOf(f) : 0), 0) +
      pose.torn +
      pose.gap,
  );
  const order = [...poses.keys()].sort((a, b) => badness[b] - badness[a] || a - b);
  return {
    poses: order.map((index) => poses[index]),
    findings: findings
      .map((finding) => ({ ...finding, pose: Math.max(0, order.indexOf(finding.pose)) }))
      .sort((a, b) => severityOf(b) - severityOf(a)),
  };
}

function floatingParts(
  mesh: Mesh,
  skeleton: Skeleton,
  rows: WeightRow[],
  parts: TouchingPart[],
): Omit<PoseFinding, "pose">[] {
  const { nearest } = findContacts(mesh);
  const motion = createJointMotion(skeleton, mesh.positions);
  return parts.flatMap(({ part, vertices, touching }) => {
    const pairs = Array.from(touching, (v) => [rows[v], rows[nearest[v]], v] as const);
    const { length: amount, joint } = motion.meanGrowth(pairs);
    const isSeated = touching.length >= LIMITS.seated * vertices.length;
    if (amount <= (isSeated ? LIMITS.gap : LIMITS.anyGap)) return [];
    const extent = vertices.length / rows.length;
    return [{ fault: "floating", joint, vertices, part, extent, amount } as const];
  });
}

/** Groups torn edges by the joint that shows them. */
function tornRegions(tears: TornEdge[], V: number, edges: number): Omit<PoseFinding, "pose">[] {
  const byJoint = new Map<number, TornEdge[]>();
  for (const tear of tears) {
    const list = byJoint.get(tear.joint);
    if (list) list.push(tear);
    else byJoint.set(tear.joint, [tear]);
  }
  return [...byJoint].flatMap(([joint, torn]) => {
    if (torn.length <= LIMITS.torn * edges) return [];
    const vertices = Int32Array.from(new Set(torn.flatMap(({ a, b }) => [a, b]))).sort();
    const amount = torn.reduce((max, { growth }) => Math.max(max, growth), 0);
    return [{ fault: "torn", joint, vertices, extent: vertices.length / V, amount } as const];
  });
}

/** Finds ends of limbs that move nothing although they have surface of their own. */
function idleEnds(
  mesh: Mesh,
  skeleton: Skeleton,
  weights: SkinWeights,
  expected: SkinWeights | undefined,
): Omit<PoseFinding, "pose">[] {
  const V = vertexCount(mesh);
  const J = jointCount(skeleton);
  const used = Math.max(USED_WEIGHT, USED_FRACTION * V);
  const weight = weightPerJoint(weights, J);
  const kinds = helperJoints(skeleton);
  const children = childrenOf(skeleton);
  const claims = expected && weightPerJoint(expected, J);
  const nearest = claims ? undefined : nearestVertices(mesh, skeleton);
  const limits = claims ? LIMITS.expected : LIMITS.nearest;
  return children.flatMap((below, joint) => {
    if (below.length > 0 || kinds[joint] !== ORDINARY) return [];
    const own = claims ? claims[joint] : (nearest![joint].length * V) / Math.min(V, SAMPLED);
    if (own < limits.surface * used || weight[joint] >= limits.idle * used) return [];
    const vertices = claims ? verticesOf(expected, joint) : Int32Array.from(nearest![joint]);
    const extent = Math.min(1, own / V);
    return [{ fault: "idle", joint, vertices, extent, amount: 1 } as const];
  });
}

/** Vertices in which a joint has at least a tenth of the weight. */
function verticesOf({ influences, joints, weights }: SkinWeights, joint: number): Int32Array {
  const found: number[] = [];
  for (let slot = 0; slot < joints.length; slot++) {
    if (joints[slot] === joint && weights[slot] >= 0.1) found.push(Math.floor(slot / influences));
  }
  return Int32Array.from(found);
}

/** For each joint, the (sampled) vertices whose nearest bone is its own; leaves win ties. */
export function nearestVertices(mesh: Mesh, skeleton: Skeleton): number[][] {
  const { segments, starts } = bonesOf(skeleton);
  const children = childrenOf(skeleton);
  const lists: number[][] = children.map(() => []);
  const V = vertexCount(mesh);
  const step = Math.max(1, V / SAMPLED);
  for (let at = 0; at < V; at += step) {
    const v = Math.floor(at);
    const [x, y, z] = mesh.positions.subarray(v * 3, v * 3 + 3);
    let [best, closest] = [-1, Infinity];
    for (let joint = 0; joint < children.length; joint++) {
      for (let s = starts[joint]; s < starts[joint + 1]; s++) {
        const distance = segmentDistance(segments, s, x, y, z);
        const isTie = Math.abs(distance - closest) <= 1e-6 && children[joint].length === 0;
        if (!isTie && !(distance < closest)) continue;
        closest = Math.min(closest, distance);
        best = joint;
      }
    }
    if (best >= 0) lists[best].push(v);
  }
  return lists;
}

function acrossMiddle(
  character: Pick<Character, "mesh" | "skeleton">,
  rows: WeightRow[],
): Omit<PoseFinding, "pose">[] {
  const sides = findSides(character);
  if (!sides) return [];
  const { axis, offset } = sides.plane;
  const found: number[] = [];
  const byJoint = new Map<number, number>();
  let total = 0;
  rows.forEach(({ joints, values }, v) => {
    const from = character.mesh.positions[v * 3 + axis] - offset;
    if (Math.abs(from) <= LIMITS.sided) return;
    let sum = 0;
    joints.forEach((joint, slot) => {
      if (sides.joints[joint] === -Math.sign(from)) sum += values[slot];
    });
    if (sum < LIMITS.across) return;
    found.push(v);
    total += sum;
    joints.forEach((joint, slot) => {
      if (sides.joints[joint] !== -Math.sign(from)) return;
      byJoint.set(joint, (byJoint.get(joint) ?? 0) + values[slot]);
    });
  });
  if (found.length <= LIMITS.acrossVertices * rows.length) return [];
  const [joint] = [...byJoint].reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  const vertices = Int32Array.from(found);
  const extent = found.length / rows.length;
  return [{ fault: "across", joint, vertices, extent, amount: total / found.length }];
}

/** Describes a finding in one sentence, with its size and the joint that shows it. */
export function findingText(finding: PoseFinding, names: readonly string[]): string {
  const percent = (fraction: number) => `${(100 * fraction).toFixed(fraction < 0.1 ? 1 : 0)} %`;
  const { fault, amount, extent, vertices } = finding;
  const joint = names[finding.joint];
  const count = `${vertices.length} ${vertices.length === 1 ? "vertex" : "vertices"}`;
  switch (fault) {
    case "floating":
      return `A loose part of ${count} (${percent(extent)} of the character) opens a gap of ${percent(amount)} of the size when ${joint} rotates.`;
    case "torn":
      return `The surface tears at ${count} (${percent(extent)}) when ${joint} rotates; edges grow by up to ${percent(amount)} of the size.`;
    case "idle":
      return `${joint} ends a limb but moves nothing; about ${percent(extent)} of the surface belongs to it.`;
    case "across":
      return `${count} (${percent(extent)}) follow joints of the other side, above all ${joint}.`;
    case "volume":
      return `The body loses ${percent(amount)} of its volume when ${joint} rotates.`;
  }
}

/** What `fix` does about a fault, in the imperative; undefined if nothing. */
export const REMEDY_TEXT: Readonly<Record<PoseFault, string | undefined>> = {
  floating: "let the part follow the surface it touches",
  torn: "smooth the weights there",
  idle: "give the joint its surface",
  across: "give the weight to the joints of the same side",
  volume: undefined,
};
