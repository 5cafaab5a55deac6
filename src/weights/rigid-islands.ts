import { boundsOf, longestSide } from "../math/aabb.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { connectedComponents } from "../mesh/components.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { partBoxes } from "../mesh/part-boxes.ts";
import { averageWeights } from "./average-weights.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { copyRow, emptyWeights } from "./weight-row.ts";

/** When a loose part moves as one. */
export interface IslandRules {
  /** A part that follows one joint by this much is that joint's: a plate of armour, a robot's arm. */
  oneJoint: number;
  /** A part this small, in longest sides of the mesh, is not bent whatever it follows: a button, an eye. */
  small: number;
}

const ISLAND_RULES: IslandRules = { oneJoint: 0.6, small: 0.1 };

/**
 * Lets loose parts move as one: all vertices of such a part get one row.
 *
 * A part whose weight is mostly on one joint follows it alone; a small part that lies between joints
 * gets the mean of its rows, so that it stays on the surface it sits on. Other parts (a body, a
 * sleeve) bend and keep their rows.
 *
 * @param mesh welded; parts are its connected components
 * @param weights V rows that sum to 1
 */
export function rigidIslands(
  weights: SkinWeights,
  mesh: Mesh,
  rules: IslandRules = ISLAND_RULES,
): SkinWeights {
  const parts = connectedComponents(vertexNeighbours(mesh.triangles, vertexCount(mesh)));
  const means = averageWeights(weights, parts.component, parts.count);
  const sizes = partBoxes(mesh.positions, parts).map(longestSide);
  const small = rules.small * longestSide(boundsOf(mesh.positions));
  const influences = Math.max(weights.influences, means.influences);
  const out = emptyWeights(parts.component.length, influences);
  parts.component.forEach((part, vertex) => {
    const mean = part * means.influences;
    if (means.weights[mean] >= rules.oneJoint) {
      out.joints[vertex * influences] = means.joints[mean];
      out.weights[vertex * influences] = 1;
    } else if (sizes[part] <= small) copyRow(means, part, out, vertex);
    else copyRow(weights, vertex, out, vertex);
  });
  return out;
}
