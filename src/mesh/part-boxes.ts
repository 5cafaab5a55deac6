import { type Aabb, boundsOf, includePoint } from "../math/aabb.ts";
import type { Components } from "./components.ts";

/** The box around each connected part of a mesh. */
export function partBoxes(positions: Float32Array, { count, component }: Components): Aabb[] {
  const boxes = Array.from({ length: count }, () => boundsOf([]));
  component.forEach((part, v) => {
    includePoint(boxes[part], positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
  });
  return boxes;
}
