import { boundsOf, longestSide } from "../math/aabb.ts";
import { connectedComponents, partBoxes, vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { copyRow, emptyWeights, type SkinWeights } from "./skin-weights.ts";
import { averageWeights } from "./smooth-weights.ts";

/** When a loose part moves rigidly. */
export interface IslandRules {
  /** A part with this mean weight on one joint follows it: a plate of armor, a robot's arm. */
  oneJoint: number;
  /** So does a part if this fraction of its vertices has that joint as the heaviest. */
  agreed: number;
  /** A part this small, in longest sides of the mesh, never bends: a button, an eye. */
  small: number;
}

const ISLAND_RULES: IslandRules = { oneJoint: 0.6, agreed: 0.9, small: 0.1 };

/** A part with more of the vertices is the body itself and is never rigid. */
const LARGEST_LOOSE = 0.5;

/**
 * Makes loose parts move rigidly: all vertices of such a part get one row.
 *
 * A part whose weight is mostly on one joint, or whose vertices nearly all have it as the heaviest, follows it
 * alone; a small part between joints gets the mean of its rows, so that it stays on its surface. Other parts (a
 * sleeve, and a part with more than half of the vertices) bend and keep their rows.
 *
 * @param mesh welded; parts are its connected components
 * @param weights V rows that sum to 1
 */
export function rigidIslands(
  weights: SkinWeights,
  mesh: Mesh,
  rules: IslandRules = ISLAND_RULES,
): SkinWeights {
  const V = vertexCount(mesh);
  const parts = connectedComponents(vertexNeighbors(mesh.triangles, V));
  const means = averageWeights(weights, parts.component, parts.count);
  const sizes = partBoxes(mesh.positions, parts).map(longestSide);
  const small = rules.small * longestSide(boundsOf(mesh.positions));
  const counts = new Int32Array(parts.count);
  const first = new Int32Array(parts.count);
  parts.component.forEach((part, vertex) => {
    counts[part]++;
    const heaviest = weights.joints[vertex * weights.influences];
    if (heaviest === means.joints[part * means.influences]) first[part]++;
  });
  const followsOne = (part: number): boolean =>
    means.weights[part * means.influences] >= rules.oneJoint ||
    first[part] >= rules.agreed * counts[part];
  const influences = Math.max(weights.influences, means.influences);
  const out = emptyWeights(V, influences);
  parts.component.forEach((part, vertex) => {
    const loose = counts[part] <= LARGEST_LOOSE * V;
    if (loose && followsOne(part)) {
      out.joints[vertex * influences] = means.joints[part * means.influences];
      out.weights[vertex * influences] = 1;
    } else if (loose && sizes[part] <= small) copyRow(means, part, out, vertex);
    else copyRow(weights, vertex, out, vertex);
  });
  return out;
}
