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
import { joinArrays } from "../../math/arrays.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { limitInfluences } from "../../weights/weight-locks.ts";

/** Influences that three.js's shaders support. */
const INFLUENCES = 4;

/**
 * Reads the character of three.js meshes, for `skin()`: one SkinnedMesh in its bind pose, or several on the same
 * bones; or any mesh with bones in their current pose. The result is y up, as three.js.
 *
 * Vertices are those of the meshes in order; joints are the bones of the first mesh, then those that only others have.
 *
 * @param bones required unless all meshes are SkinnedMeshes
 */
export function characterFromThree(
  mesh: ThreeMesh | readonly ThreeMesh[],
  bones?: Bone[],
): Character {
  const meshes = listOf(mesh);
  const [first] = meshes;
  const skinned = bones ? [] : meshes.filter(isSkinnedMesh);
  const isWhole = meshes.length > 0 && (bones?.length || skinned.length === meshes.length);
  if (!isWhole || !(bones ?? skinned[0].skeleton.bones).length) {
    const name = meshes.find((each) => !isSkinnedMesh(each))?.name ?? first?.name ?? "";
    throw new InputError(`Mesh "${name}" has no bones; pass the bones it should follow.`);
  }
  for (const each of meshes) each.updateWorldMatrix(true, false);
  const { matrixOf, spaces } = bones ? placedBones(bones) : joinSkeletons(skinned);
  const joints = [...matrixOf.keys()];
  const matrices = [...matrixOf.values()];
  const indexOf = new Map(joints.map((bone, i) => [bone as object, i]));
  const surfaces = meshes.map((each, m) =>
    readGeometry(
      each,
      bones ? each.matrixWorld : spaces[m].clone().multiply(skinned[m].bindMatrix),
    ),
  );
  return {
    name: first.name || "mesh",
    mesh: joinSurfaces(surfaces),
    skeleton: {
      names: joints.map((bone, i) => bone.name || `joint_${i}`),
      parents: Int32Array.from(joints, (bone) => parentJoint(bone, indexOf)),
      positions: Float32Array.from(matrices.flatMap(({ elements: m }) => [m[12], m[13], m[14]])),
    },
  };
}

function listOf<Each>(one: Each | readonly Each[]): readonly Each[] {
  return Array.isArray(one) ? one : [one as Each];
}

/** The bones of a character with their matrices in its space, and the matrix to it from the space of each mesh. */
interface JoinedBones {
  matrixOf: Map<Bone, Matrix4>;
  spaces: Matrix4[];
}

function placedBones(bones: Bone[]): JoinedBones {
  for (const bone of bones) bone.updateWorldMatrix(true, false);
  return { matrixOf: new Map(bones.map((bone) => [bone, bone.matrixWorld])), spaces: [] };
}

/** Joins skeletons in their bind poses: meshes that are bound in different spaces meet at a bone that they share. */
function joinSkeletons(meshes: readonly SkinnedMesh[]): JoinedBones {
  const matrixOf: JoinedBones["matrixOf"] = new Map();
  const spaces = meshes.map(({ skeleton: { bones, boneInverses } }) => {
    const shared = bones.findIndex((bone) => matrixOf.has(bone));
    const space =
      shared < 0
        ? new Matrix4()
        : new Matrix4().multiplyMatrices(matrixOf.get(bones[shared])!, boneInverses[shared]);
    bones.forEach((bone, i) => {
      if (!matrixOf.has(bone))
        matrixOf.set(bone, boneInverses[i].clone().invert().premultiply(space));
    });
    return space;
  });
  return { matrixOf, spaces };
}

function joinSurfaces(surfaces: Character["mesh"][]): Character["mesh"] {
  let first = 0;
  const triangles = surfaces.map((each) => {
    const start = first;
    first += each.positions.length / 3;
    return each.triangles.map((vertex) => start + vertex);
  });
  return {
    positions: joinArrays(
      Float32Array,
      surfaces.map(({ positions }) => positions),
    ),
    triangles: joinArrays(Uint32Array, triangles),
  };
}

/**
 * Fills the skinIndex and skinWeight attributes of a SkinnedMesh, or of several that were read together. A mesh that
 * is given weight on a bone that its skeleton lacks is bound to a skeleton that has it.
 *
 * @param weights a row per vertex of the geometries, on the joints of {@link characterFromThree}; the four largest are
 * kept
 */
export function fillSkinnedMesh(
  mesh: SkinnedMesh | readonly SkinnedMesh[],
  weights: SkinWeights,
): void {
  const meshes = listOf(mesh);
  const counts = meshes.map(({ geometry }) => geometry.getAttribute("position").count);
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (weights.weights.length !== count * weights.influences) {
    throw new Error(
      `fillSkinnedMesh: weights must have a row for each of ${count} vertices, got ${weights.weights.length / weights.influences}.`,
    );
  }
  const limited = limitInfluences(weights, INFLUENCES);
  const { matrixOf, spaces } = joinSkeletons(meshes);
  const joints = [...matrixOf.keys()];
  let start = 0;
  for (const [m, each] of meshes.entries()) {
    const end = start + counts[m] * INFLUENCES;
    const own = limited.joints.slice(start, end);
    const values = limited.weights.slice(start, end);
    addBones(each, new Set(own.filter((_, i) => values[i] > 0)), joints, (bone) =>
      matrixOf.get(bone)!.clone().invert().multiply(spaces[m]),
    );
    const indexOf = new Map(each.skeleton.bones.map((bone, i) => [bone, i]));
    const indices = own.map((joint, i) => (values[i] > 0 ? indexOf.get(joints[joint])! : 0));
    each.geometry.setAttribute("skinIndex", new Uint16BufferAttribute(indices, INFLUENCES));
    each.geometry.setAttribute("skinWeight", new Float32BufferAttribute(values, INFLUENCES));
    start = end;
  }
}

/** Adds the bones that a mesh is given weight on to its skeleton. */
function addBones(
  mesh: SkinnedMesh,
  used: Set<number>,
  joints: Bone[],
  inverseOf: (bone: Bone) => Matrix4,
): void {
  const { bones, boneInverses } = mesh.skeleton;
  const known = new Set(bones);
  const missing = [...used].map((joint) => joints[joint]).filter((bone) => !known.has(bone));
  if (missing.length === 0) return;
  const inverses = [...boneInverses, ...missing.map(inverseOf)];
  mesh.bind(new ThreeSkeleton([...bones, ...missing], inverses), mesh.bindMatrix);
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
  mesh.updateWorldMatrix(true, false);
  for (const bone of bones) bone.updateWorldMatrix(true, false);
  skinned.bind(new ThreeSkeleton(bones), mesh.matrixWorld);
  fillSkinnedMesh(skinned, weights);
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
