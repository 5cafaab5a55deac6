import type { Lists } from "../math/lists.ts";

/** Which connected part each node belongs to. */
export interface Components {
  count: number;
  /** V, 0 .. count - 1, numbered in order of their lowest node. */
  component: Int32Array;
}

/**
 * The connected parts of a graph; an isolated node is a part of its own.
 *
 * @param neighbours symmetric lists, as {@link vertexNeighbours} gives them
 */
export function connectedComponents(neighbours: Lists): Components {
  const { starts, items } = neighbours;
  const component = new Int32Array(starts.length - 1).fill(-1);
  const stack = new Int32Array(component.length);
  let count = 0;
  for (let first = 0; first < component.length; first++) {
    if (component[first] >= 0) continue;
    component[first] = count;
    stack[0] = first;
    for (let height = 1; height > 0; ) {
      const node = stack[--height];
      for (let i = starts[node]; i < starts[node + 1]; i++) {
        const next = items[i];
        if (component[next] >= 0) continue;
        component[next] = count;
        stack[height++] = next;
      }
    }
    count++;
  }
  return { count, component };
}
