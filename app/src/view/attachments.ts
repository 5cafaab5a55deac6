import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import type { CharacterLook } from "../../../src/formats/index.ts";
import type { PreparedCharacter } from "../../../src/parts.ts";
import type { LookMaterials } from "./look-materials.ts";
import { addWeightAttributes } from "./weight-attributes.ts";

/** Parts without weights, each carried by a joint: hats, swords, robot shells. */
export interface Attachments {
  group: Group;
  pose(matrices: Float32Array | undefined): void;
  dispose(): void;
}

/** Color of parts without weights while weights are shown. */
const UNSKINNED = [0.32, 0.34, 0.38];

/** Creates the meshes of a file that no weights move. */
export function createAttachments(
  { attachments, colors }: CharacterLook,
  { scale, offset }: PreparedCharacter,
  materials: LookMaterials,
): Attachments {
  const group = new Group();
  const parts = attachments.map((part) => {
    const count = part.positions.length / 3;
    const geometry = new BufferGeometry();
    const places = part.positions.map((value, i) => (value - offset[i % 3]) * scale);
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    if (part.uvs) geometry.setAttribute("uv", new BufferAttribute(part.uvs, 2));
    // Materials require colors for every vertex once any part has them.
    const shades = part.colors ?? (colors && new Float32Array(count * 4).fill(1));
    if (shades) geometry.setAttribute("color", new BufferAttribute(shades, 4));
    const heat = Float32Array.from({ length: count * 3 }, (_, i) => UNSKINNED[i % 3]);
    geometry.setAttribute("heat", new BufferAttribute(heat, 3));
    addWeightAttributes(geometry, count);
    geometry.setIndex(new BufferAttribute(part.triangles, 1));
    if (part.normals) geometry.setAttribute("normal", new BufferAttribute(part.normals, 3));
    else geometry.computeVertexNormals();
    const mesh = new Mesh(geometry, materials.list[part.groups[0]?.material ?? 0]);
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    group.add(mesh);
    return { mesh, geometry, joint: part.joint };
  });
  return {
    group,
    pose(matrices) {
      for (const { mesh, joint } of parts) {
        if (joint < 0 || !matrices) mesh.matrix.identity();
        else mesh.matrix.fromArray(matrices, joint * 16);
        mesh.matrixWorldNeedsUpdate = true;
      }
    },
    dispose() {
      for (const { geometry } of parts) geometry.dispose();
    },
  };
}
