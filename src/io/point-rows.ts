import type { CharacterFile } from "./character-file.ts";

/** The vertex of the character behind each point of a mesh that was made of points and polygons. */
export function vertexOfPoints(
  { parts, source }: CharacterFile,
  mesh: number,
): Map<number, number> {
  const vertices = new Map<number, number>();
  for (const { mesh: own, primitives, first, count } of parts) {
    const points = own === mesh ? source.points?.get(mesh)?.of[primitives[0]] : undefined;
    // A point's vertices all lie at its place and have one row.
    for (let v = 0; points && v < count; v++) {
      if (!vertices.has(points[v])) vertices.set(points[v], first + v);
    }
  }
  return new Map([...vertices].sort(([a], [b]) => a - b));
}

/**
 * The vertices of a character in the order of the file they were read from: mesh by mesh, point by
 * point. Their own order differs where a mesh has several materials.
 */
export function fileOrder({ parts, source }: Pick<CharacterFile, "parts" | "source">): Int32Array {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const order = Int32Array.from({ length: total }, (_, v) => v);
  const [meshOf, pointOf] = [new Int32Array(total), new Int32Array(total)];
  for (const { mesh, primitives, first, count } of parts) {
    const points = source.points?.get(mesh)?.of[primitives[0]];
    if (!points) return order;
    meshOf.fill(mesh, first, first + count);
    pointOf.set(points, first);
  }
  return order.sort((a, b) => meshOf[a] - meshOf[b] || pointOf[a] - pointOf[b] || a - b);
}
