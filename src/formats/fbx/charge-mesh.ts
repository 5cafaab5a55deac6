import { type Budget, spend } from "../budget.ts";
import { entry } from "../gltf/gltf-json.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";

/** What a cluster and a shape cost, in nodes: each is several objects of the file. */
export const CLUSTER_NODES = 4;
const SHAPE_NODES = 16;

/**
 * Charges a mesh that is about to be written, from its counts alone. A mesh that several nodes show is written for
 * each of them; the budget is that of a reader of the file.
 *
 * @param shown the meshes that are written already; this one is added
 */
export function chargeMesh(
  { budget, shown, source }: { budget: Budget; shown: Set<number>; source: GltfSource },
  mesh: number,
): void {
  const { primitives } = entry(source.json, "meshes", mesh);
  const count = (accessor: number | undefined) =>
    accessor === undefined ? 0 : entry(source.json, "accessors", accessor).count;
  let [vertices, corners, shapes] = [0, 0, 0];
  for (const { attributes, indices, targets = [] } of primitives) {
    vertices += count(attributes?.POSITION);
    corners += count(indices ?? attributes?.POSITION);
    shapes = Math.max(shapes, targets.length);
  }
  spend(budget, vertices * shapes, "shapePoints");
  spend(budget, SHAPE_NODES * shapes, "nodes");
  if (shown.has(mesh)) {
    spend(budget, 1, "copies");
    spend(budget, corners, "copiedCorners");
  }
  shown.add(mesh);
}
