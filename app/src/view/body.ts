import { BufferAttribute, BufferGeometry, Group, Mesh, MeshBasicMaterial, Sphere } from "three";
import { linearBlend, type SkinWeights } from "../../../src/index.ts";
import { dualQuaternion } from "../../../src/parts.ts";
import type { OpenedCharacter } from "../file-calls.ts";
import { createAttachments } from "./attachments.ts";
import type { LookMaterials } from "./look-materials.ts";
import { faceNormals, poseNormals } from "./pose-normals.ts";

/** A character's surface in the scene, posed on the processor. */
export interface Body {
  group: Group;
  mesh: Mesh;
  /** V, the welded vertex behind each vertex of `mesh`. */
  welded: Int32Array;
  /** P×3, as posed. */
  positions(): Float32Array;
  /** P×3, as posed. */
  normals(): Float32Array;
  pose(
    weights: SkinWeights | undefined,
    matrices: Float32Array | undefined,
    isDualQuaternion: boolean,
  ): void;
  /** @param colors P×3, linear */
  color(colors: Float32Array): void;
  showWires(isShown: boolean): void;
  dispose(): void;
}

/** Makes the surface of an opened character, in its bind pose: welded to move, split as in its file to be drawn. */
export function createBody({ prepared, look }: OpenedCharacter, materials: LookMaterials): Body {
  const { mesh: source } = prepared.character;
  const { welded } = prepared;
  const vertices = welded.length;
  let places = source.positions;
  let placeNormals: Float32Array | undefined;
  const restNormals = look.normals ?? spread(normalsOf(source.positions), welded);
  const geometry = new BufferGeometry();
  const positions = new BufferAttribute(new Float32Array(vertices * 3), 3);
  const normals = new BufferAttribute(restNormals.slice(), 3);
  const heat = new BufferAttribute(new Float32Array(vertices * 3).fill(0.4), 3);
  geometry.setAttribute("position", positions);
  geometry.setAttribute("normal", normals);
  geometry.setAttribute("heat", heat);
  if (look.uvs) geometry.setAttribute("uv", new BufferAttribute(look.uvs, 2));
  if (look.colors) geometry.setAttribute("color", new BufferAttribute(look.colors, 4));
  geometry.setIndex(new BufferAttribute(look.triangles, 1));
  for (const { start, count, material } of look.groups) geometry.addGroup(start, count, material);
  geometry.boundingSphere = new Sphere();
  const wire = new MeshBasicMaterial({
    wireframe: true,
    color: 0x10131a,
    transparent: true,
    opacity: 0.35,
  });
  const mesh = new Mesh(geometry, materials.list);
  mesh.frustumCulled = false;
  const wires = new Mesh(geometry, wire);
  wires.visible = false;
  const attachments = createAttachments(look, prepared, materials);
  const group = new Group();
  group.add(mesh, wires, attachments.group);
  place(source.positions);
  return {
    group,
    mesh,
    welded,
    positions: () => places,
    normals() {
      placeNormals ??= normalsOf(places);
      return placeNormals;
    },
    pose(weights, matrices, isDualQuaternion) {
      if (!weights || !matrices) {
        place(source.positions);
        normals.array.set(restNormals);
      } else {
        const blend = isDualQuaternion ? dualQuaternion : linearBlend;
        place(blend(source.positions, weights, matrices));
        poseNormals(normals.array as Float32Array, restNormals, welded, weights, matrices);
      }
      normals.needsUpdate = true;
      attachments.pose(matrices);
    },
    color(values) {
      heat.array.set(spread(values, welded));
      heat.needsUpdate = true;
    },
    showWires(isShown) {
      wires.visible = isShown;
    },
    dispose() {
      geometry.dispose();
      wire.dispose();
      attachments.dispose();
    },
  };

  function place(points: Float32Array): void {
    places = points;
    placeNormals = undefined;
    positions.array.set(spread(points, welded));
    positions.needsUpdate = true;
    // Poses leave the old bounds; rays must not be turned away by them.
    geometry.computeBoundingSphere();
    geometry.boundingBox = null;
  }

  function normalsOf(points: Float32Array): Float32Array {
    const out = new Float32Array(points.length);
    faceNormals(out, points, source.triangles);
    return out;
  }
}

/** V×3 from P×3. */
function spread(values: Float32Array, welded: Int32Array): Float32Array {
  const out = new Float32Array(welded.length * 3);
  for (let v = 0; v < welded.length; v++) {
    const at = welded[v] * 3;
    out[v * 3] = values[at];
    out[v * 3 + 1] = values[at + 1];
    out[v * 3 + 2] = values[at + 2];
  }
  return out;
}
