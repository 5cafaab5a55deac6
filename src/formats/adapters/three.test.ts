import {
  Bone,
  BoxGeometry,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from "three";
import { describe, expect, test } from "vitest";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { characterFromThree, createSkinnedMesh, fillSkinnedMesh } from "./three.ts";

/** A box of height 2 above the floor with a root joint at its foot and one in its middle. */
function boxWithBones() {
  const geometry = new BoxGeometry(1, 2, 1, 1, 2, 1).translate(0, 1, 0);
  const root = new Bone();
  const tip = new Bone();
  root.name = "root";
  tip.name = "tip";
  tip.position.set(0, 1, 0);
  root.add(tip);
  root.updateMatrixWorld(true);
  return { geometry, bones: [tip, root] };
}

/** The upper half follows the tip, the lower half the root. */
function halves(positions: Float32Array) {
  const count = positions.length / 3;
  const joints = Int32Array.from({ length: count }, (_, v) => (positions[v * 3 + 1] >= 1 ? 0 : 1));
  return weightsFromSlots(joints, new Float32Array(count).fill(1), 1);
}

describe("three.js", () => {
  test("reads a SkinnedMesh in its bind pose, whatever its pose", () => {
    const { geometry, bones } = boxWithBones();
    const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
    mesh.bind(new Skeleton(bones));
    bones[1].position.set(5, 5, 5);
    bones[1].updateMatrixWorld(true);
    const { skeleton, mesh: surface } = characterFromThree(mesh);
    expect(skeleton.names).toEqual(["tip", "root"]);
    expect([...skeleton.parents]).toEqual([1, -1]);
    expect(Array.from(skeleton.positions, (value) => value + 0)).toEqual([0, 1, 0, 0, 0, 0]);
    expect(surface.positions).toEqual(geometry.getAttribute("position").array);
    expect(surface.triangles.length).toBe(geometry.getIndex()!.count);
  });

  test("fills a SkinnedMesh so that its bones move it", () => {
    const { geometry, bones } = boxWithBones();
    const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
    mesh.bind(new Skeleton(bones));
    fillSkinnedMesh(mesh, halves(characterFromThree(mesh).mesh.positions));
    bones[0].position.x += 3;
    bones[1].updateMatrixWorld(true);
    mesh.updateMatrixWorld(true);
    const position = geometry.getAttribute("position");
    for (let v = 0; v < position.count; v++) {
      const at = new Vector3().fromBufferAttribute(position, v);
      const wanted = at.x + (at.y >= 1 ? 3 : 0);
      mesh.applyBoneTransform(v, at);
      expect(at.x).toBeCloseTo(wanted, 5);
    }
  });

  test("converts a plain mesh that is not at the origin to a SkinnedMesh", () => {
    const { geometry, bones } = boxWithBones();
    const mesh = new Mesh(geometry, new MeshBasicMaterial());
    mesh.position.set(0, 0.5, 0);
    mesh.scale.setScalar(2);
    const character = characterFromThree(mesh, bones);
    expect(Math.max(...character.mesh.positions)).toBe(4.5);
    const skinned = createSkinnedMesh(mesh, bones, halves(character.mesh.positions));
    skinned.updateMatrixWorld(true);
    const at = new Vector3().fromBufferAttribute(geometry.getAttribute("position"), 0);
    const before = at.clone();
    skinned.applyBoneTransform(0, at);
    expect(at.distanceTo(before)).toBeLessThan(1e-6);
  });

  test("reads and fills several meshes on the same bones, each with its own bind space", () => {
    const { geometry, bones } = boxWithBones();
    const [tip, root] = bones;
    const one = new SkinnedMesh(geometry, new MeshBasicMaterial());
    one.bind(new Skeleton([root]));
    // The second is stored ten times as large and has only the tip.
    const large = geometry.clone().scale(10, 10, 10);
    const two = new SkinnedMesh(large, new MeshBasicMaterial());
    const toSpace = new Matrix4().makeScale(0.1, 0.1, 0.1);
    const inverses = [root, tip].map((bone) => bone.matrixWorld.clone().invert().multiply(toSpace));
    two.bind(new Skeleton([root, tip], inverses), new Matrix4());
    const meshes = [one, two];
    const character = characterFromThree(meshes);
    expect(character.skeleton.names).toEqual(["root", "tip"]);
    expect([...character.skeleton.parents]).toEqual([-1, 0]);
    const count = geometry.getAttribute("position").count;
    const { positions, triangles } = character.mesh;
    expect(positions.slice(0, count * 3)).toBeAllClose(positions.slice(count * 3), 1e-6);
    expect(Math.max(...triangles)).toBe(2 * count - 1);
    const upper = Int32Array.from({ length: 2 * count }, (_, v) =>
      positions[v * 3 + 1] >= 1 ? 1 : 0,
    );
    fillSkinnedMesh(meshes, weightsFromSlots(upper, new Float32Array(2 * count).fill(1), 1));
    // The first did not have the tip.
    expect(one.skeleton.bones).toEqual([root, tip]);
    tip.position.x += 3;
    root.updateMatrixWorld(true);
    for (const mesh of meshes) {
      mesh.updateMatrixWorld(true);
      for (let v = 0; v < count; v++) {
        const at = new Vector3().fromBufferAttribute(mesh.geometry.getAttribute("position"), v);
        const scale = mesh === two ? 0.1 : 1;
        const wanted = at.x * scale + (at.y * scale >= 1 ? 3 : 0);
        mesh.applyBoneTransform(v, at);
        expect(at.x).toBeCloseTo(wanted, 5);
      }
    }
  });

  test("reports missing bones and rows", () => {
    const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
    mesh.name = "box";
    expect(() => characterFromThree(mesh)).toThrow('Mesh "box" has no bones');
    const skinned = new SkinnedMesh(new BoxGeometry(), new MeshBasicMaterial());
    const none = { influences: 1, joints: new Uint16Array(3), weights: new Float32Array(3) };
    expect(() => fillSkinnedMesh(skinned, none)).toThrow("a row for each of 24 vertices, got 3");
  });
});
