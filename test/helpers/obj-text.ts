import type { Mesh } from "../../src/mesh/mesh.ts";

/** A mesh as the text of an .obj, vertices and faces only. */
export function objText({ positions, triangles }: Mesh): string {
  const lines: string[] = [];
  for (let i = 0; i < positions.length; i += 3) {
    lines.push(`v ${positions.slice(i, i + 3).join(" ")}`);
  }
  for (let i = 0; i < triangles.length; i += 3) {
    lines.push(`f ${[...triangles.slice(i, i + 3)].map((v) => v + 1).join(" ")}`);
  }
  return `${lines.join("\n")}\n`;
}
