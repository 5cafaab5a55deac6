import { BufferAttribute, BufferGeometry, Group, Mesh, MeshBasicMaterial, Sphere } from "three";
import { linearBlend, type SkinWeights } from "../../../src/index.ts";
import { dualQuaternion } from "../../../src/parts.ts";
import type { OpenedCharacter } from "../file-calls.ts";
import { createAttachments } from "./attachments.ts";
import type { LookMaterials } from "./look-materials.ts";
import { faceNormals, poseNormals } from "./pose-normals.ts";
import { type BoneTexture, skinShader } from "./skin-shader.ts";
import { addWeightAttributes, setWeightAttributes } from "./weight-attributes.ts";

/** The surface of a character, skinned on the GPU; its pose is computed on the CPU only when requested. */
export interface Body {
  group: Group;
  mesh: Mesh;
  /** V, the welded vertex of each vertex of `mesh`. */
  welded: Int32Array;
  /** P×3, as posed. */
  positions(): Float32Array;
  /** P×3, as posed. */
  normals(): Float32Array;
  /** F×3 corners of the welded mesh. */
  triangles: Uint32Array;
  /** @param areNew whether weights may have changed in place */
  weigh(weights: SkinWeights | undefined, areNew: boolean): void;
  pose(matrices: Float32Array | undefined, isDualQuaternion: boolean): void;
  /** @param colors P×3, linear; a negative red hides a vertex */
  color(colors: Float32Array): void;
  showWires(isShown: boolean): void;
  dispose(): void;
}

/** Creates the surface of an opened character in its bind pose: welded for skinning, split for drawing. */
export function createBody(
  { prepared, look }: OpenedCharacter,
  materials: LookMaterials,
  bones: BoneTexture,
): Body {
  const { mesh: source } = prepared.character;
  const { welded } = prepared;
  const vertices = welded.length;
  let weights: SkinWeights | undefined;
  let matrices: Float32Array | undefined;
  let isDual = false;
  /** Posed on the CPU; valid until the pose changes. */
  let places: Float32Array | undefined;
  let placeNormals: Float32Array | undefined;
  const restNormals = look.normals ?? spread(normalsOf(source.positions), welded);
  const rest = spread(source.positions, welded);
  const geometry = new BufferGeometry();
  const positions = new BufferAttribute(rest.slice(), 3);
  const normals = new BufferAttribute(restNormals.slice(), 3);
  const heat = new BufferAttribute(new Float32Array(vertices * 3).fill(0.4), 3);
  geometry.setAttribute("position", positions);
  geometry.setAttribute("normal", normals);
  geometry.setAttribute("heat", heat);
  addWeightAttributes(geometry, vertices);
  if (look.uvs) geometry.setAttribute("uv", new BufferAttribute(look.uvs, 2));
  if (look.colors) geometry.setAttribute("color", new BufferAttribute(look.colors, 4));
  geometry.setIndex(new BufferAttribute(look.triangles, 1));
  for (const { start, count, material } of look.groups) geometry.addGroup(start, count, material);
  // No frustum culling: a mesh posed on the GPU has other bounds.
  geometry.boundingSphere = new Sphere();
  const wire = new MeshBasicMaterial({
    wireframe: true,
    color: 0x10131a,
    transparent: true,
    opacity: 0.35,
  });
  wire.onBeforeCompile = (shader) => skinShader(shader, bones.uniforms);
  const mesh = new Mesh(geometry, materials.list);
  const wires = new Mesh(geometry, wire);
  mesh.frustumCulled = wires.frustumCulled = false;
  wires.visible = false;
  const attachments = createAttachments(look, prepared, materials);
  const group = new Group();
  group.add(mesh, wires, attachments.group);
  return {
    group,
    mesh,
    welded,
    triangles: source.triangles,
    positions() {
      places ??= posedHere();
      return places;
    },
    normals() {
      placeNormals ??= normalsOf(places ?? posedHere());
      return placeNormals;
    },
    weigh(given, areNew) {
      if (given === weights && !areNew) return;
      weights = given;
      places = placeNormals = undefined;
      if (given) setWeightAttributes(geometry, given, welded);
    },
    pose(wanted, isDualQuaternion) {
      const isOnGpu = !isDualQuaternion;
      matrices = wanted;
      places = placeNormals = undefined;
      attachments.pose(wanted);
      const wasOnGpu = !isDual;
      isDual = isDualQuaternion;
      if (isOnGpu && wasOnGpu) return;
      // Dual quaternions are blended on the CPU; the shader must not move the result again.
      positions.array.set(isOnGpu || !wanted ? rest : spread(this.positions(), welded));
      normals.array.set(restNormals);
      if (!isOnGpu && wanted && weights) {
        poseNormals(normals.array as Float32Array, restNormals, welded, weights, wanted);
      }
      positions.needsUpdate = normals.needsUpdate = true;
    },
    color(values) {
      spreadInto(heat.array as Float32Array, values, welded);
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

  function posedHere(): Float32Array {
    if (!weights || !matrices) return source.positions;
    const blend = isDual ? dualQuaternion : linearBlend;
    return blend(source.positions, weights, matrices);
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
  spreadInto(out, values, welded);
  return out;
}

function spreadInto(out: Float32Array, values: Float32Array, welded: Int32Array): void {
  for (let v = 0; v < welded.length; v++) {
    const at = welded[v] * 3;
    out[v * 3] = values[at];
    out[v * 3 + 1] = values[at + 1];
    out[v * 3 + 2] = values[at + 2];
  }
}
