import { unzipSync } from "fflate";
import { AnimationMixer, type Group, type SkinnedMesh, Vector3 } from "three";
import { USDLoader } from "three/examples/jsm/loaders/USDLoader.js";
import { describe, expect, test } from "vitest";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { movingTubeGlb } from "../../../test/helpers/moving-tube.ts";
import { stubImages } from "../../../test/helpers/stub-images.ts";
import { linearBlend } from "../../weights/deform.ts";
import type { CharacterFile } from "../character-file.ts";
import { fileLosses } from "../describe-file.ts";
import { clipPose, readClips } from "../gltf/clips.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const readTube = (isScaled = false) =>
  readCharacter({ name: "tube.glb", bytes: movingTubeGlb(isScaled) });

const written = (file: CharacterFile, format: "usda" | "usdz") =>
  writeCharacter(file, file.character.weights!, { format });

const textOf = (file: CharacterFile) => new TextDecoder().decode(written(file, "usda").bytes);

/** Skinned corners of the meshes as three.js reads and moves them, by mesh. */
function cornersByThree(scene: Group, name: string): number[] {
  const corners: number[] = [];
  scene.traverse((object) => {
    const mesh = object as SkinnedMesh;
    if (!mesh.isSkinnedMesh || mesh.name !== name) return;
    mesh.skeleton.update();
    const { position } = mesh.geometry.attributes;
    const point = new Vector3();
    for (let v = 0; v < position.count; v++) {
      mesh.applyBoneTransform(v, point.fromBufferAttribute(position, v));
      corners.push(...point.applyMatrix4(mesh.matrixWorld).toArray());
    }
  });
  return corners;
}

describe("USD", () => {
  stubImages();

  test.each([
    ["unchanged", false],
    ["rotated and scaled", true],
  ])("of a tube %s moves in three.js as in its file", async (_, isScaled) => {
    const file = await readTube(isScaled);
    const bytes = written(file, "usda").bytes;
    const scene = new USDLoader().parse(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
    );
    const set = readClips(file);
    const [clip] = set.clips;
    expect(scene.animations.map(({ name }) => name)).toEqual(set.clips.map(({ name }) => name));
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(scene.animations[0]).play();
    const { mesh, weights } = file.character;
    const [tube] = file.parts;
    for (const time of [0, 0.3, 0.45, 0.9]) {
      mixer.setTime(time);
      scene.updateMatrixWorld(true);
      const moved = linearBlend(mesh.positions, weights!, clipPose(set, clip, time));
      const own = [...mesh.triangles]
        .filter((vertex) => vertex < tube.first + tube.count)
        .flatMap((vertex) => [...moved.subarray(vertex * 3, vertex * 3 + 3)]);
      // three.js interpolates linear keys between those of the file; steps and splines are sampled.
      const corners = cornersByThree(scene, "tube");
      expect(corners).toHaveLength(own.length);
      const off = corners.reduce((max, value, i) => Math.max(max, Math.abs(value - own[i])), 0);
      expect(off, `at ${time} s`).toBeLessThan(1e-3);
    }
  });

  test("has blend shapes, an attachment that follows its joint, and a material", async () => {
    const text = textOf(await readTube());
    expect(text.match(/def BlendShape "\w+"/g)).toEqual([
      'def BlendShape "bulge"',
      'def BlendShape "lift"',
    ]);
    expect(text).toMatch(/float\[\] blendShapeWeights\.timeSamples = \{\n\s+0: \[/);
    const [, hat] = /def Mesh "hat"([\s\S]*)/.exec(text)!;
    expect(hat).toMatch(/jointIndices = \[\d\] \(\s+elementSize = 1\s+interpolation = "constant"/);
    expect(text).toContain("asset inputs:file = @tube_textures/skin.png@");
    // The grammar of USD separates metadata by newlines, not by commas.
    expect(text).not.toMatch(/\([^()[\]]*=[^()[\]]*,[^()[\]]*=/);
  });

  test("is one file as .usdz, each of whose parts starts at a multiple of 64 bytes", async () => {
    const { bytes, sidecars } = written(await readTube(), "usdz");
    expect(sidecars.size).toBe(0);
    expect(Object.keys(unzipSync(bytes))).toEqual(["model.usda", "textures/skin.png"]);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    for (let part = 0; part < 2; part++) {
      expect(view.getUint32(at, true)).toBe(0x04034b50);
      // Stored without compression.
      expect(view.getUint16(at + 8, true)).toBe(0);
      const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
      expect(start % 64).toBe(0);
      at = start + view.getUint32(at + 18, true);
    }
  });

  test("is written although names are invalid", async () => {
    const file = await readTube();
    const { json } = file.source;
    for (const named of [...json.nodes!, ...json.meshes!, ...json.animations!]) {
      (named as { name: unknown }).name = 7;
    }
    (json.materials as { name: unknown }[])[0].name = null;
    (json.meshes![0].extras as { targetNames: unknown }).targetNames = [{}, 3];
    const text = textOf(file);
    expect(text).toMatch(/def SkelAnimation "_7"/);
    expect(text).toMatch(/def BlendShape "_3"/);
  });

  test("takes no longer for keys that are years apart", async () => {
    const file = await readTube();
    const { animations = [], accessors = [], bufferViews = [] } = file.source.json;
    const { input } = animations[0].samplers[0];
    const { bufferView = 0, byteOffset = 0 } = accessors[input];
    const view = bufferViews[bufferView];
    const at = (view.byteOffset ?? 0) + byteOffset;
    const bytes = file.source.buffers[view.buffer];
    new DataView(bytes.buffer, bytes.byteOffset).setFloat32(at + 8, 1e30, true);
    expect(textOf(file).length).toBeLessThan(1e6);
  });

  test("refuses a chain of joints whose paths would not fit in memory", async () => {
    const { builder } = tubeGlb();
    const { nodes, skins } = builder.json;
    const first = nodes.length;
    for (let n = 0; n < 9000; n++) {
      nodes.push({ name: `a chain of many joints, joint ${n}`, children: [first + n + 1] });
    }
    delete nodes.at(-1).children;
    nodes[0].children.push(first);
    skins[0] = { joints: nodes.map((_: unknown, n: number) => n).slice(2) };
    const file = await readCharacter({ name: "chain.glb", bytes: builder.glb() });
    expect(() => written(file, "usda")).toThrow(/memory limit of 1024 MB/);
  });

  test("reports what it does not carry over", async () => {
    const file = await readTube();
    file.source.json.cameras = [{ type: "perspective" }];
    const losses = fileLosses(file, "usdz");
    expect(losses).toContainEqual({ what: "cameras", count: 1 });
  });
});
