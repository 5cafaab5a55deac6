import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PropertyBinding, SkinnedMesh } from "three";
import { FBXLoader } from "three/examples/jsm/loaders/FBXLoader.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCharacterFile } from "../../src/disk/character-files.ts";
import type { CharacterFile } from "../../src/formats/character-file.ts";
import { clipPose, readClips } from "../../src/formats/gltf/clips.ts";
import { nodeTree } from "../../src/formats/gltf/node-tree.ts";
import { writeCharacter } from "../../src/formats/write-character.ts";
import { inverseOf, product } from "../../src/math/mat4.ts";
import { linearBlend } from "../../src/weights/deform.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { leanOnRoots } from "../helpers/lean-on-roots.ts";
import { movingTubeGlb } from "../helpers/moving-tube.ts";
import { richFbxText } from "../helpers/rich-fbx.ts";
import { stubImages } from "../helpers/stub-images.ts";
import { hasAssimp } from "./by-assimp.ts";
import { assimpDifferences, editedDifferences, readByAssimp } from "./same-by-assimp.ts";

/**
 * Blender, assimp and three.js read an FBX written from a character like a GLB written from it: for generated
 * characters, and for each file with weights in the folder HETERSKIN_ORIGINALS. One FBX is written from scratch
 * from the GLB, another is edited in place, with weights on the root of its skeleton.
 */
const originals = process.env.HETERSKIN_ORIGINALS ?? "";
const given = existsSync(originals)
  ? readdirSync(originals).filter((name) => /\.(glb|gltf|vrm|fbx|dae)$/i.test(name))
  : [];
const blender = process.env.BLENDER ?? "blender";
const hasBlender = spawnSync(blender, ["--version"]).status === 0;

interface Pair {
  name: string;
  glb: string;
  fbx: string;
  /** Vertices of the skinned meshes as Blender shows them: in the first take, or at rest. */
  points: number[][];
  /** Names of the animations. */
  clips: string[];
  /** Whether the FBX is the original with other weights: limbs that only mark ends are bones in it. */
  isEdited: boolean;
}

const folder = mkdtempSync(path.join(tmpdir(), "heterskin-fbx-out-"));
const pairs: Pair[] = [];

beforeAll(async () => {
  const made: [string, Uint8Array][] = [
    ["tube.glb", movingTubeGlb()],
    ["turned.glb", movingTubeGlb(true)],
    ["rich.fbx", new TextEncoder().encode(richFbxText())],
  ];
  for (const [name, bytes] of made) {
    writeFileSync(path.join(folder, name), bytes);
    await addPair(name, path.join(folder, name));
  }
  const nulls = path.join(folder, "nulls.fbx");
  writeFileSync(nulls, withNulls(richFbxText()));
  await addEdited("nulls.fbx", nulls);
  for (const name of given) await addPair(name, path.join(originals, name));
  for (const name of given)
    if (/fbx$/i.test(name)) await addEdited(name, path.join(originals, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A Root with limbs below it, and a Null at the end. All takes rotate about the same axis: Blender's FBX reader
 * keeps the other axes from the previous take.
 */
function withNulls(text: string): string {
  return text
    .replaceAll('"d|Z"', '"d|X"')
    .replace(/("(?:NodeAttribute|Model)::bone0", )"LimbNode"/g, '$1"Root"')
    .replace(/("(?:NodeAttribute|Model)::bone3", )"LimbNode"/g, '$1"Null"');
}

async function addPair(name: string, input: string): Promise<void> {
  const file = await readCharacterFile(input);
  const { weights } = file.character;
  if (!weights) return;
  // From the GLB, because an FBX would only be edited.
  const whole = await writeGlb(name, file, weights);
  addFbx(name, whole, whole);
}

async function addEdited(input: string, at: string): Promise<void> {
  const file = await readCharacterFile(at);
  const { weights, skeleton } = file.character;
  if (!weights) return;
  const name = `edited ${input}`;
  const lean = leanOnRoots(weights, skeleton);
  addFbx(name, file, await writeGlb(name, file, lean), lean);
}

/** Returns the character as it is read from our GLB of it. */
async function writeGlb(name: string, file: CharacterFile, weights: SkinWeights) {
  const { bytes } = writeCharacter(file, weights, { format: "glb", maxInfluences: 8 });
  writeFileSync(glbOf(name), bytes);
  return readCharacterFile(glbOf(name));
}

const glbOf = (name: string) => path.join(folder, `${name}.out.glb`);

function addFbx(name: string, file: CharacterFile, whole: CharacterFile, own?: SkinWeights): void {
  const fbx = path.join(folder, `${name}.out.fbx`);
  const weights = own ?? file.character.weights!;
  writeFileSync(fbx, writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 }).bytes);
  const clips = readClips(whole).clips.map((clip) => clip.name);
  const isEdited = file !== whole;
  pairs.push({ name, glb: glbOf(name), fbx, points: shownPoints(whole), clips, isEdited });
}

/** Blender has z up. */
function shownPoints(file: CharacterFile): number[][] {
  const set = readClips(file);
  const [first] = [...set.clips].sort((a, b) => (a.name < b.name ? -1 : 1));
  const { worlds } = nodeTree(file.source.json);
  const rest = Float32Array.from(
    Array.from(file.rig.nodes, (node, j) =>
      product(worlds[node], inverseOf(file.rig.bindMatrices[j])),
    ).flat(),
  );
  const { mesh, weights } = file.character;
  const shown = linearBlend(mesh.positions, weights!, first ? clipPose(set, first, 0) : rest);
  return Array.from({ length: shown.length / 3 }, (_, v) => [
    shown[v * 3],
    -shown[v * 3 + 2],
    shown[v * 3 + 1],
  ]);
}

interface BlenderAnswer {
  counts: Record<string, [number, number]>;
  moved: number;
  expected: number;
  weights: number;
  joints: number;
  poses: number;
  worst?: string;
  problems: string[];
}

describe.skipIf(!hasBlender)("Blender", { timeout: 900_000 }, () => {
  test("reads the same meshes, joints, weights, shapes and takes", () => {
    const [jobs, answers] = ["jobs.json", "answers.json"].map((name) => path.join(folder, name));
    writeFileSync(jobs, JSON.stringify(pairs));
    const script = path.resolve("test/blender/same_in_both.py");
    const { status, stdout, stderr } = spawnSync(
      blender,
      ["-b", "--factory-startup", "--python-exit-code", "1", "-P", script, "--", jobs, answers],
      { encoding: "utf8", maxBuffer: 1 << 28 },
    );
    expect(status, `${stdout.slice(-2000)}${stderr}`).toBe(0);
    const read = JSON.parse(readFileSync(answers, "utf8")) as Record<string, BlenderAnswer>;
    expect(Object.keys(read)).toHaveLength(pairs.length);
    for (const [name, answer] of Object.entries(read)) {
      const { counts, moved, expected, weights, joints, poses, problems, worst } = answer;
      for (const [what, [one, other]] of Object.entries(counts)) {
        expect(other, `${name}: ${what}`).toBe(one);
      }
      expect(problems, name).toEqual([]);
      const { clips } = pairs.find((pair) => pair.name === name)!;
      expect(counts.takes[0], `${name}: takes`).toBe(clips.length);
      expect(weights, `${name}: weights`).toBeLessThan(1e-4);
      expect(joints, `${name}: joints`).toBeLessThan(1e-4);
      // Blender's glTF reader shears bones with non-uniform scale; ours and the FBX agree then.
      expect(Math.min(moved, expected), `${name}: points`).toBeLessThan(1e-4);
      expect(poses, `${name}: ${worst}`).toBeLessThan(2e-3);
    }
  });
});

describe.skipIf(!hasAssimp())("assimp", { timeout: 600_000 }, () => {
  test("reads the same meshes, bones, weights and takes", async () => {
    for (const { name, glb, fbx, isEdited } of pairs) {
      const whole = [readByAssimp(glb), readByAssimp(fbx)];
      const [one, other] = whole.every(Boolean) ? whole : await readWithoutLights(glb);
      if (isEdited) expect(editedDifferences(one!, whole[1]!), name).toEqual([]);
      else expect(assimpDifferences(one!, other!), name).toEqual([]);
    }
  });

  /** assimp's JSON writer aborts on the lights of glTF. */
  async function readWithoutLights(glb: string) {
    const file = await readCharacterFile(glb);
    for (const node of file.source.json.nodes ?? []) delete node.extensions;
    return (["glb", "fbx"] as const).map((format) => {
      const bare = `${glb}.bare.${format}`;
      const options = { format, maxInfluences: 8 };
      writeFileSync(bare, writeCharacter(file, file.character.weights!, options).bytes);
      return readByAssimp(bare);
    });
  }
});

/** three's loader changes names that its animations could not refer to. */
const threeName = (name: string) => PropertyBinding.sanitizeNodeName(name);

describe("three.js", () => {
  stubImages();

  test("reads the same bones, triangles and takes", async () => {
    for (const { name, glb, fbx, isEdited } of pairs) {
      const file = await readCharacterFile(glb);
      const names = file.source.json.nodes!.map((node) => node.name);
      // three's loader looks for animated shapes by the name of their mesh, and finds a bone of that name.
      if (names.some((each, index) => names.indexOf(each) < index)) continue;
      const bytes = readFileSync(fbx);
      const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      const scene = new FBXLoader().parse(buffer as ArrayBuffer, "");
      const meshes: SkinnedMesh[] = [];
      scene.traverse((object) => {
        if (object instanceof SkinnedMesh) meshes.push(object);
      });
      const corners = meshes.reduce(
        (sum, { geometry }) => sum + geometry.getAttribute("position").count,
        0,
      );
      expect(corners, name).toBe(file.character.mesh.triangles.length);
      // The loader copies a bone for each mesh that it moves.
      const bones = new Set(
        meshes.flatMap(({ skeleton }) => skeleton.bones.map((bone) => bone.name)),
      );
      const { skeleton, weights } = file.character;
      const takes = scene.animations.map((clip) => clip.name);
      const clips = readClips(file).clips.map((clip) => clip.name);
      if (isEdited) {
        const moving = new Set(weights!.joints.filter((_, i) => weights!.weights[i] > 0));
        const lacking = Array.from(moving, (joint) => skeleton.names[joint]);
        expect(
          lacking.filter((bone) => !bones.has(bone) && !bones.has(threeName(bone))),
          name,
        ).toEqual([]);
        expect(takes, name).toEqual(expect.arrayContaining(clips));
      } else {
        expect(bones.size, name).toBe(new Set(skeleton.names).size);
        expect(takes, name).toEqual(clips);
      }
    }
  });
});
