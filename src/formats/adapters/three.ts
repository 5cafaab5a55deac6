import {
  type Bone,
  Float32BufferAttribute,
  Matrix4,
  SkinnedMesh,
  type Mesh as ThreeMesh,
  Skeleton as ThreeSkeleton,
  Uint16BufferAttribute,
  Vector3,
} from "three";
import type { Character } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { limitInfluences } from "../../weights/weight-locks.ts";

/** Influences that three.js's shaders support. */
const INFLUENCES = 4;

/**
 * Reads the character of a three.js mesh, for `skin()`: a SkinnedMesh in its bind pose, or any mesh with
 * bones in their current pose. The result is y up, as three.js.
 *
 * @param bones required unless `mesh` is a SkinnedMesh
 */
export function characterFromThree(mesh: ThreeMesh, bones?: Bone[]): Character {
  const skinned = !bones && isSkinnedMesh(mesh) ? mesh : undefined;
  const joints = skinned?.skeleton.bones ?? bones;
  if (!joints?.length) {
    throw new InputError(`Mesh "${mesh.name}" has no bones; pass the bones it should follow.`);
  }
  mesh.updateWorldMatrix(true, false);
  const toCharacter = skinned ? skinned.bindMatrix : mesh.matrixWorld;
  const matrices = joints.map((bone, i) => {
    if (skinned) return new Matrix4().copy(skinned.skeleton.boneInverses[i]).invert();
    bone.updateWorldMatrix(true, false);
    return bone.matrixWorld;
  });
  const indexOf = new Map(joints.map((bone, i) => [bone as object, i]));
  return {
    name: mesh.name || "mesh",
    mesh: readGeometry(mesh, toCharacter),
    skeleton: {
      names: joints.map((bone, i) => bone.name || `joint_${i}`),
      parents: Int32Array.from(joints, (bone) => parentJoint(bone, indexOf)),
      positions: Float32Array.from(matrices.flatMap(({ elements: m }) => [m[12], m[13], m[14]])),
    },
  };
}

/**
 * Fills the skinIndex and skinWeight attributes of a SkinnedMesh.
 *
 * @param weights a row per vertex of its geometry, joints as in its skeleton; the four largest are kept
 */
export function fillSkinnedMesh(mesh: SkinnedMesh, weights: SkinWeights): void {
  const count = mesh.geometry.getAttribute("position").count;
  if (weights.weights.length !== count * weights.influences) {
    throw new Error(
      `fillSkinnedMesh: weights must have a row for each of ${count} vertices, got ${weights.weights.length / weights.influences}.`,
    );
  }
  const limited = limitInfluences(weights, INFLUENCES);
  mesh.geometry.setAttribute("skinIndex", new Uint16BufferAttribute(limited.joints, INFLUENCES));
  mesh.geometry.setAttribute("skinWeight", new Float32BufferAttribute(limited.weights, INFLUENCES));
}

/**
 * Creates a SkinnedMesh to replace a plain mesh: same geometry and material, bound to the bones in their
 * current pose. The geometry's weights are replaced.
 */
export function createSkinnedMesh(
  mesh: ThreeMesh,
  bones: Bone[],
  weights: SkinWeights,
): SkinnedMesh {
  const skinned = new SkinnedMesh(mesh.geometry, mesh.material);
  skinned.name = mesh.name;
  skinned.position.copy(mesh.position);
  skinned.quaternion.copy(mesh.quaternion);
  skinned.scale.copy(mesh.scale);
  fillSkinnedMesh(skinned, weights);
  mesh.updateWorldMatrix(true, false);
  for (const bone of bones) bone.updateWorldMatrix(true, false);
  skinned.bind(new ThreeSkeleton(bones), mesh.matrixWorld);
  return skinned;
}

/** Tests the flag, not the class: a page may hold two copies of three.js. */
function isSkinnedMesh(mesh: ThreeMesh): mesh is SkinnedMesh {
  return (mesh as Partial<SkinnedMesh>).isSkinnedMesh === true;
}

function readGeometry(mesh: ThreeMesh, toCharacter: Matrix4): Character["mesh"] {
  const position = mesh.geometry.getAttribute("position");
  const positions = new Float32Array(position.count * 3);
  const point = new Vector3();
  for (let v = 0; v < position.count; v++) {
    point
      .fromBufferAttribute(position, v)
      .applyMatrix4(toCharacter)
      .toArray(positions, v * 3);
  }
  const index = mesh.geometry.getIndex();
  const corners = index ? index.count : position.count;
  const triangles = new Uint32Array(corners - (corners % 3));
  for (let i = 0; i < triangles.length; i++) triangles[i] = index ? index.getX(i) : i;
  return { positions, triangles };
}

function parentJoint(bone: Bone, indexOf: Map<object, number>): number {
  for (let at = bone.parent; at; at = at.parent) {
    const joint = indexOf.get(at);
    if (joint !== undefined) return joint;
  }
  return -1;
}
