import { distanceOf } from "../math/vec3.ts";
import { findContacts, touchingVertices } from "../mesh/contacts.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { TORN_LENGTH, TORN_RATIO } from "../repair/mend-tears.ts";
import { forwardKinematics } from "../skeleton/pose.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { linearBlend } from "../weights/deform.ts";
import type { SkinWeights, WeightRow } from "../weights/skin-weights.ts";
import type { ExtremePose } from "./extreme-poses.ts";

/** One of the poses of a check. */
export interface CheckedPose extends ExtremePose {
  /** Fraction of the edges that tear. */
  torn: number;
  /** Largest mean gap of a loose part, in longest sides. */
  gap: number;
  /** Volume of the posed mesh over that of the bind pose. */
  volume: number;
}

/** A loose part that touches another. */
export interface TouchingPart {
  part: number;
  vertices: Int32Array;
  /** Those of its vertices that touch another part. */
  touching: Int32Array;
}

/** Largest fraction of the vertices, and smallest number of them, of a loose part. */
const BODY = 0.5;
const MIN_VERTICES = 4;

/** Returns the loose parts that touch another part. */
export function touchingParts(mesh: Mesh): TouchingPart[] {
  const contacts = findContacts(mesh);
  const V = vertexCount(mesh);
  return contacts.members.flatMap((vertices, part) => {
    if (vertices.length > BODY * V || vertices.length < MIN_VERTICES) return [];
    const touching = touchingVertices(contacts, part);
    return touching.length === 0 ? [] : [{ part, vertices, touching }];
  });
}

/** Edges that can grow, and the number of all edges. */
export interface Edges {
  /** E×2 vertices. */
  ends: Int32Array;
  /** E, lengths in the bind pose. */
  rest: Float64Array;
  count: number;
}

/** Returns the edges whose ends have different rows. */
export function stretchableEdges({ positions, triangles }: Mesh, rows: WeightRow[]): Edges {
  const ends = new Int32Array(triangles.length * 2);
  const rest = new Float64Array(triangles.length);
  let [kept, count] = [0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let corner = 0; corner < 3; corner++) {
      const a = triangles[t + corner];
      const b = triangles[t + ((corner + 1) % 3)];
      if (a > b) continue;
      count++;
      if (rows[a] === rows[b]) continue;
      ends[kept * 2] = a;
      ends[kept * 2 + 1] = b;
      rest[kept++] = distanceOf(positions, a, b);
    }
  }
  return { ends: ends.subarray(0, kept * 2), rest: rest.subarray(0, kept), count };
}

/** Poses a mesh, and measures how far its edges and parts separate. */
export function measurePose(
  mesh: Mesh,
  skeleton: Skeleton,
  weights: SkinWeights,
  { edges, parts }: { edges: Edges; parts: TouchingPart[] },
  pose: { joints: number[]; rotations: Float32Array },
): CheckedPose {
  const { positions, triangles } = mesh;
  const posed = linearBlend(positions, weights, forwardKinematics(skeleton, pose.rotations));
  const { ends, rest: lengths } = edges;
  let torn = 0;
  for (let e = 0; e < lengths.length; e++) {
    const growth = distanceOf(posed, ends[e * 2], ends[e * 2 + 1]) - lengths[e];
    if (growth > TORN_RATIO * lengths[e] && growth > TORN_LENGTH) torn++;
  }
  const { nearest } = findContacts(mesh);
  let gap = 0;
  for (const { touching } of parts) {
    let sum = 0;
    for (const v of touching) {
      const other = nearest[v];
      sum += Math.max(0, distanceOf(posed, v, other) - distanceOf(positions, v, other));
    }
    gap = Math.max(gap, sum / touching.length);
  }
  const rest = volumeOf(positions, triangles);
  const volume = Math.abs(rest) > 1e-6 ? volumeOf(posed, triangles) / rest : 1;
  return { ...pose, torn: torn / Math.max(1, edges.count), gap, volume };
}

/** Signed volume of a closed mesh; the origin cancels out. */
function volumeOf(positions: Float32Array, triangles: Uint32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t] * 3, triangles[t + 1] * 3, triangles[t + 2] * 3];
    sum +=
      positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1]) +
      positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2]) +
      positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  return sum / 6;
}
