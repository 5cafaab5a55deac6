import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Group, SkinnedMesh, Vector3 } from "three";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadWithThree } from "../../test/helpers/load-with-three.ts";
import { validateGltf } from "../../test/helpers/validate-gltf.ts";
import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { openInput } from "../disk/open-input.ts";
import { invertMat4, multiplyMat4, transformPoint } from "../math/mat4.ts";
import { linearBlend } from "../weights/deform.ts";
import type { CharacterFile } from "./character-file.ts";
import { readFloats } from "./gltf/accessors.ts";
import { loadGltf } from "./gltf/load-gltf.ts";
import { nodeTree } from "./gltf/node-tree.ts";
import { writeCharacter } from "./write-character.ts";

/**
 * Checks artists' files, which are not part of the project: set HETERSKIN_ORIGINALS to a folder of glb, gltf, vrm,
 * fbx or dae files to run them.
 */
const folder = process.env.HETERSKIN_ORIGINALS ?? "";
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => /\.(glb|gltf|vrm|fbx|dae|obj)$/i.test(name))
  : [];

let out: string;
beforeAll(async () => {
  out = await mkdtemp(path.join(tmpdir(), "heterskin-originals-"));
});
afterAll(() => rm(out, { recursive: true, force: true }));

describe.skipIf(files.length === 0).each(files.length > 0 ? files : ["none"])("%s", (name) => {
  // Read once: no function changes the file it is given.
  let file: CharacterFile;
  beforeAll(async () => {
    file = await readCharacterFile(path.join(folder, name));
  });

  test("has weights under which the bind pose reproduces the mesh", () => {
    const size = sizeOf(file.character.mesh.positions);
    expect(file.character.skeleton.names.length).toBeGreaterThan(0);
    expect(reproductionError(file)).toBeLessThanOrEqual(1e-4 * size);
  });

  test("does not tear in its rest pose", () => {
    // Hierarchy and bind matrices come from different parts of a file; if they were misread, the lengths of edges
    // would change.
    const ratios = edgeRatios(file);
    if (ratios.length === 0) return;
    const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))];
    expect(Math.abs(at(0.5) - 1)).toBeLessThan(0.01);
    expect([at(0.05) > 0.6, at(0.95) < 1.4]).toEqual([true, true]);
  });

  test("is written completely: weights, validity, textures, animations, extensions", async () => {
    const { weights } = file.character;
    if (!weights) return;
    const isGltf = ["glb", "gltf", "vrm"].includes(file.format);
    const own = await mkdtemp(path.join(out, "file-"));
    const target = path.join(own, isGltf ? name : `${name}.glb`);
    await writeCharacterFile(target, file, weights, { maxInfluences: 8 });
    const sidecars = new Map(
      readdirSync(own).map((n) => [n, new Uint8Array(readFileSync(path.join(own, n)))]),
    );
    const bytes = new Uint8Array(readFileSync(target));
    const issues = (await validateGltf(bytes, sidecars)).filter(
      ({ code, severity }) => severity === 0 || /SKIN|JOINT|WEIGHT|ACCESSOR|NODE/.test(code),
    );
    expect(issues).toEqual([]);
    const again = await readCharacterFile(target);
    expect(sameBytes(again.character.weights!.joints, weights.joints)).toBe(true);
    expect(farthest(again.character.weights!.weights, weights.weights)).toBeLessThan(1e-6);
    const size = sizeOf(file.character.mesh.positions);
    expect(farthest(again.character.mesh.positions, file.character.mesh.positions)).toBeLessThan(
      1e-5 * size,
    );
    if (isGltf) await expectUntouched(path.join(folder, name), again);
  });

  test("loads in three.js at the same position", async () => {
    const { weights } = file.character;
    if (!weights) return;
    const { bytes } = writeCharacter(file, weights, { format: "glb", maxInfluences: 4 });
    const { scene, animations } = await loadWithThree(bytes);
    expect(animations.length).toBe(file.source.json.animations?.length ?? 0);
    const shown = skinnedPoints(scene);
    const primitives = file.parts.reduce(
      (sum, part) => sum + part.primitives.length * part.nodes.length,
      0,
    );
    expect(shown.length).toBe(primitives);
    if (file.format !== "glb" && file.format !== "vrm") return;
    const before = await loadWithThree(new Uint8Array(readFileSync(path.join(folder, name))));
    const size = sizeOf(file.character.mesh.positions);
    skinnedPoints(before.scene).forEach((points, mesh) => {
      expect(farthest(shown[mesh], points)).toBeLessThan(1e-4 * size);
    });
  });
});

/** Positions of the vertices of each skinned mesh in three.js, meshes in the order of their names. */
function skinnedPoints(scene: Group): Float32Array[] {
  scene.updateMatrixWorld(true);
  const meshes: SkinnedMesh[] = [];
  scene.traverse((object) => {
    if (object instanceof SkinnedMesh) meshes.push(object);
  });
  meshes.sort((a, b) => a.name.localeCompare(b.name));
  return meshes.map((mesh) => {
    mesh.skeleton.update();
    const position = mesh.geometry.getAttribute("position");
    const points = new Float32Array(position.count * 3);
    const point = new Vector3();
    for (let v = 0; v < position.count; v++) {
      point.fromBufferAttribute(position, v);
      mesh
        .applyBoneTransform(v, point)
        .applyMatrix4(mesh.matrixWorld)
        .toArray(points, v * 3);
    }
    return points;
  });
}

/** Distance of each vertex, carried by its joints' bind matrices, from its position in the character. */
function reproductionError({ character, source, parts, rig }: CharacterFile): number {
  const { weights, mesh } = character;
  if (!weights) return 0;
  let worst = 0;
  for (const part of parts) {
    const skin = source.json.skins![part.skin];
    const inverses = readFloats(source, skin.inverseBindMatrices!);
    const matrices = Array.from(rig.nodes, (node, joint) => {
      const at = skin.joints.indexOf(node);
      if (at < 0) return undefined;
      return multiplyMat4(
        new Array<number>(16),
        rig.bindMatrices[joint],
        inverses.subarray(at * 16, at * 16 + 16),
      );
    });
    const back = invertMat4(new Array<number>(16).fill(0), part.toCharacter)!;
    for (let v = part.first; v < part.first + part.count; v++) {
      const wanted = mesh.positions.subarray(v * 3, v * 3 + 3);
      const local = transformPoint(back, wanted);
      const found = [0, 0, 0];
      let total = 0;
      for (let i = v * weights.influences; i < (v + 1) * weights.influences; i++) {
        if (weights.weights[i] === 0) continue;
        const moved = transformPoint(matrices[weights.joints[i]]!, local);
        for (let axis = 0; axis < 3; axis++) found[axis] += weights.weights[i] * moved[axis];
        total += weights.weights[i];
      }
      if (total === 0) continue;
      worst = Math.max(worst, Math.hypot(...found.map((value, axis) => value - wanted[axis])));
    }
  }
  return worst;
}

/** Lengths of edges in the rest pose divided by those in the bind pose, ascending. */
function edgeRatios({ character, source, rig }: CharacterFile): Float64Array {
  const { weights, mesh } = character;
  if (!weights) return new Float64Array(0);
  const { worlds } = nodeTree(source.json);
  const matrices = Array.from(rig.nodes, (node, joint) => {
    const inverse = invertMat4(new Array<number>(16).fill(0), rig.bindMatrices[joint])!;
    return multiplyMat4(inverse, worlds[node], inverse);
  });
  const posed = linearBlend(mesh.positions, weights, Float32Array.from(matrices.flat()));
  const length = (points: Float32Array, a: number, b: number) =>
    Math.hypot(...[0, 1, 2].map((axis) => points[a * 3 + axis] - points[b * 3 + axis]));
  const ratios: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const [a, b] = mesh.triangles.subarray(t, t + 2);
    const before = length(mesh.positions, a, b);
    if (before > 0) ratios.push(length(posed, a, b) / before);
  }
  return Float64Array.from(ratios).sort();
}

/** Checks that everything but weights, positions of skinned nodes and buffers is unchanged, byte for byte. */
async function expectUntouched(before: string, after: CharacterFile): Promise<void> {
  const input = await openInput(before);
  const was = await loadGltf(input.name, input.bytes, input);
  const is = after.source;
  for (const key of [
    "animations",
    "materials",
    "textures",
    "samplers",
    "extensions",
    "extensionsUsed",
    "extensionsRequired",
    "extras",
    "cameras",
  ]) {
    expect(is.json[key]).toEqual(was.json[key]);
  }
  expect(
    is.json
      .nodes!.slice(0, was.json.nodes!.length)
      .map((node) => [node.name, node.extras, node.extensions]),
  ).toEqual(was.json.nodes!.map((node) => [node.name, node.extras, node.extensions]));
  const weightAccessors = new Set(
    was.json.meshes!.flatMap((mesh) =>
      mesh.primitives.flatMap((p) =>
        Object.entries(p.attributes).flatMap(([s, a]) => (/^(JOINTS|WEIGHTS)_/.test(s) ? [a] : [])),
      ),
    ),
  );
  was.json.accessors!.forEach((accessor, index) => {
    if (weightAccessors.has(index)) return;
    expect({ ...is.json.accessors![index], bufferView: 0 }).toEqual({ ...accessor, bufferView: 0 });
    expect(sameBytes(readFloats(is, index), readFloats(was, index))).toBe(true);
  });
  (was.json.images ?? []).forEach((image, index) => {
    expect(is.json.images![index]).toEqual(image);
    if (image.bufferView !== undefined)
      expect(sameBytes(viewBytes(is, image.bufferView), viewBytes(was, image.bufferView))).toBe(
        true,
      );
  });
}

function viewBytes({ json, buffers }: CharacterFile["source"], index: number): Uint8Array {
  const { buffer, byteOffset = 0, byteLength } = json.bufferViews![index];
  return buffers[buffer].slice(byteOffset, byteOffset + byteLength);
}

/** `toEqual` takes seconds for arrays of this length. */
function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    Buffer.from(buffer, byteOffset, byteLength);
  return bytes(a).equals(bytes(b));
}

function sizeOf(positions: Float32Array): number {
  const column = (axis: number) => positions.filter((_, i) => i % 3 === axis);
  const spans = [0, 1, 2].map((axis) => {
    const values = column(axis);
    return (
      values.reduce((a, b) => Math.max(a, b), -Infinity) -
      values.reduce((a, b) => Math.min(a, b), Infinity)
    );
  });
  return Math.max(...spans, 0);
}

function farthest(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - b[i])), 0);
}
