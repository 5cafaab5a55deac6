import type { Lists } from "../math/lists.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { SkinWeights } from "./skin-weights.ts";
import { emptyWeights } from "./weight-row.ts";
import { writeRow } from "./weights-from-slots.ts";

/** How far a vertex goes towards the mean of its neighbours in one step; 1 could swing back and forth. */
const STEP = 0.5;

/** Joints a row may gather while it is smoothed; what comes in beyond them weighs next to nothing. */
const MOST_SLOTS = 16;

/**
 * Smooths weights over the surface: each step mixes a vertex half and half with the mean of its
 * neighbours (the umbrella operator, which any mesh has).
 *
 * A loose part takes nothing from others, and rows that are equal all over a part stay as they are.
 * Based on: Taubin. A signal processing approach to fair surface design. 1995.
 *
 * @param mesh welded, or seams would open
 * @param weights V rows that sum to 1
 * @param steps 0 changes nothing
 */
export function smoothWeights(weights: SkinWeights, mesh: Mesh, steps: number): SkinWeights {
  if (!(Number.isInteger(steps) && steps >= 0)) {
    throw new RangeError(`smoothWeights: steps must be a whole number from 0, got ${steps}.`);
  }
  const neighbours = vertexNeighbours(mesh.triangles, vertexCount(mesh));
  let current = weights;
  for (let step = 0; step < steps; step++) current = smoothOnce(current, neighbours);
  return current;
}

function smoothOnce(weights: SkinWeights, { starts, items }: Lists): SkinWeights {
  const vertices = starts.length - 1;
  const out = emptyWeights(vertices, Math.max(weights.influences, MOST_SLOTS));
  const sum = createRowSum();
  for (let vertex = 0; vertex < vertices; vertex++) {
    const count = starts[vertex + 1] - starts[vertex];
    sum.add(weights, vertex, count === 0 ? 1 : 1 - STEP);
    for (let i = starts[vertex]; i < starts[vertex + 1]; i++) {
      sum.add(weights, items[i], STEP / count);
    }
    const { joints, values } = sum.take();
    writeRow(out, vertex, joints, values);
  }
  return out;
}

/** Adds up rows joint by joint, over an array that is emptied again, not made anew. */
function createRowSum() {
  const dense: number[] = [];
  let joints: number[] = [];
  return {
    add({ influences, joints: from, weights }: SkinWeights, vertex: number, factor: number): void {
      for (let i = vertex * influences; i < (vertex + 1) * influences; i++) {
        if (weights[i] === 0) continue;
        if (!dense[from[i]]) {
          dense[from[i]] = 0;
          joints.push(from[i]);
        }
        dense[from[i]] += weights[i] * factor;
      }
    },
    take(): { joints: number[]; values: number[] } {
      const taken = joints;
      const values = taken.map((joint) => dense[joint]);
      for (const joint of taken) dense[joint] = 0;
      joints = [];
      return { joints: taken, values };
    },
  };
}
