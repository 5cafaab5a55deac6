import type { SkinWeights } from "../../../src/index.ts";
import { childrenOf } from "../../../src/parts.ts";

/** A row of the joint tree. */
export interface JointRow {
  joint: number;
  /** 0 for a root. */
  depth: number;
  hasChildren: boolean;
}

/** Lists all joints in the order of the tree, parents before their children. */
export function jointRows(skeleton: { parents: Int32Array; names: readonly string[] }): JointRow[] {
  const children = childrenOf(skeleton as never);
  const rows: JointRow[] = [];
  const open = [...skeleton.parents.keys()]
    .filter((joint) => skeleton.parents[joint] < 0)
    .map((joint) => ({ joint, depth: 0 }));
  for (let next = open.shift(); next; next = open.shift()) {
    const { joint, depth } = next;
    rows.push({ joint, depth, hasChildren: children[joint].length > 0 });
    open.unshift(...children[joint].map((child) => ({ joint: child, depth: depth + 1 })));
  }
  return rows;
}

/** Ancestors of a joint, nearest first. */
export function jointsAbove(parents: Int32Array, joint: number): number[] {
  const above: number[] = [];
  for (let next = parents[joint]; next >= 0; next = parents[next]) above.push(next);
  return above;
}

/** J, how much of the surface each joint moves: its weight divided by that of the joint with the most. */
export function jointReach({ joints, weights }: SkinWeights, count: number): Float32Array {
  const reach = new Float32Array(count);
  weights.forEach((weight, slot) => {
    reach[joints[slot]] += weight;
  });
  const largest = reach.reduce((max, value) => Math.max(max, value), 1e-9);
  return reach.map((value) => value / largest);
}
