import { describe, expect, test } from "vitest";
import { movingTubeGlb } from "../../../test/helpers/moving-tube.ts";
import { dense, randomWeights } from "../../../test/helpers/random-weights.ts";
import { richFbxText } from "../../../test/helpers/rich-fbx.ts";
import { transformPoint } from "../../math/mat4.ts";
import type { CharacterFile } from "../character-file.ts";
import { fileLosses } from "../describe-file.ts";
import { readFloats } from "../gltf/accessors.ts";
import { clipPose, readChannels, readClips, sampleChannel } from "../gltf/clips.ts";
import { viewBytes } from "../gltf/gltf-source.ts";
import { nodeTree } from "../gltf/node-tree.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const read = (name: string, bytes: Uint8Array) => readCharacter({ name, bytes });

async function asFbx(file: CharacterFile, weights = file.character.weights!) {
  const { bytes } = writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 });
  return read("out.fbx", bytes);
}

/** The weights of each vertex by joint name, in the order of positions; seams agree by construction. */
function rowsByPlace({
  character: { mesh, skeleton, weights },
}: CharacterFile): Map<string, number[]> {
  const order = skeleton.names
    .map((_, j) => j)
    .sort((a, b) => (skeleton.names[a] < skeleton.names[b] ? -1 : 1));
  const rows = dense(weights!, skeleton.names.length);
  return new Map(
    rows.map((row, v) => {
      const place = Array.from(mesh.positions.subarray(v * 3, v * 3 + 3), (x) =>
        Math.round(x * 1e4),
      );
      return [place.join(), order.map((j) => row[j])];
    }),
  );
}

/** Positions of the joints in a clip at a time, by name. */
function jointsAt(file: CharacterFile, clip: string, seconds: number): Map<string, number[]> {
  const set = readClips(file);
  const pose = clipPose(set, set.clips.find(({ name }) => name === clip)!, seconds);
  const { names, positions } = file.character.skeleton;
  return new Map(
    names.map((name, j) => [
      name,
      transformPoint(pose.subarray(j * 16, j * 16 + 16), positions.subarray(j * 3, j * 3 + 3)),
    ]),
  );
}

describe.each([
  ["upright, in meters", false],
  ["in a rotated and scaled armature", true],
])("a GLB %s", (_, isScaled) => {
  const open = () => read("tube.glb", movingTubeGlb(isScaled));

  test.each(["a", "b", "c"])("keeps meshes, joints and weights as FBX (seed %s)", async (seed) => {
    const file = await open();
    const weights = randomWeights(file.character, seed);
    const again = await asFbx(file, weights);
    expect(again.character.skeleton.names).toEqual(file.character.skeleton.names);
    expect(again.character.skeleton.parents).toEqual(file.character.skeleton.parents);
    expect(again.character.skeleton.positions).toBeAllClose(
      file.character.skeleton.positions,
      1e-5,
    );
    expect(again.character.mesh.triangles.length).toBe(file.character.mesh.triangles.length);
    const before = rowsByPlace({ ...file, character: { ...file.character, weights } });
    const after = rowsByPlace(again);
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [place, row] of before) expect(after.get(place)).toBeAllClose(row, 1e-6);
  });

  test("plays the same takes, between keys as well", async () => {
    const file = await open();
    const again = await asFbx(file);
    expect(readClips(again).clips.map(({ name }) => name)).toEqual(["wild", "nod"]);
    for (const clip of ["wild", "nod"]) {
      for (let i = 0; i <= 40; i++) {
        // Steps take a millisecond.
        const seconds = i / 40 - (i === 20 || i === 40 ? 0.002 : 0);
        const after = jointsAt(again, clip, seconds);
        for (const [name, place] of jointsAt(file, clip, seconds)) {
          expect(after.get(name), `${clip} ${seconds} ${name}`).toBeAllClose(place, 2e-3);
        }
      }
    }
  });

  test("keeps blend shapes, their rest and their animation", async () => {
    const again = await asFbx(await open());
    const { json } = again.source;
    const mesh = json.meshes!.find(({ primitives }) => primitives[0].targets)!;
    expect(mesh.extras).toEqual({ targetNames: ["bulge", "lift"] });
    expect(mesh.weights).toBeAllClose([0, 0.25], 1e-6);
    const [bulge, lift] = mesh.primitives[0].targets!.map(({ POSITION }) =>
      readFloats(again.source, POSITION),
    );
    expect(Math.max(...bulge)).toBeCloseTo(0.1, 4);
    expect(lift.filter((value) => Math.abs(value - 0.25) < 1e-4).length).toBeGreaterThan(8);
    const channels = readChannels(again.source, json.animations![0]);
    const weights = channels.find(({ path }) => path === "weights")!;
    expect(sampleChannel(weights, 0.25)).toBeAllClose([0.5, 0.25], 1e-5);
    expect(sampleChannel(weights, 0.75)).toBeAllClose([0.5, 0.75], 1e-5);
  });

  test("keeps attachments of a joint in place", async () => {
    const file = await open();
    const again = await asFbx(file);
    const place = ({ source: { json } }: CharacterFile) => {
      const { worlds } = nodeTree(json);
      return worlds[json.nodes!.findIndex(({ name }) => name === "hat")];
    };
    expect(place(again).slice(12, 15)).toBeAllClose(place(file).slice(12, 15), 1e-5);
    const parents = nodeTree(again.source.json).parents;
    const hat = again.source.json.nodes!.findIndex(({ name }) => name === "hat");
    expect(again.source.json.nodes![parents[hat]].name).toBe("bone3");
  });
});

test("the image and the numbers of a material are embedded", async () => {
  const again = await asFbx(await read("tube.glb", movingTubeGlb()));
  const { json } = again.source;
  const image = viewBytes(again.source, json.bufferViews![json.images![0].bufferView!]);
  const before = await read("tube.glb", movingTubeGlb());
  const uri = before.source.json.images![0].uri!;
  expect(Buffer.from(image).toString("base64")).toBe(uri.replace(/^.*,/, ""));
  expect(json.images![0].name).toBe("skin.png");
  expect(json.materials).toMatchObject([
    {
      name: "paint",
      doubleSided: true,
      pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.5 },
    },
  ]);
});

test("an FBX that became a GLB becomes the same FBX again: sets, maps, cameras, lights", async () => {
  const first = await read("rich.fbx", new TextEncoder().encode(richFbxText()));
  const { bytes } = writeCharacter(first, first.character.weights!, { maxInfluences: 8 });
  const file = await read("rich.glb", bytes);
  const { json } = (await asFbx(file)).source;
  const was = file.source.json;
  const kinds = (all: typeof json) => ({
    sets: all.meshes!.map(({ primitives }) =>
      primitives.map(({ attributes }) =>
        Object.keys(attributes)
          .filter((key) => /^(TEX|COL)/.test(key))
          .sort(),
      ),
    ),
    maps: all.materials!.map((material) => Object.keys(material as object).sort()),
    images: all.images!.length,
    cameras: all.cameras,
    lights: all.extensions?.KHR_lights_punctual,
  });
  const stored = (all: typeof json) => JSON.parse(JSON.stringify(all));
  expect(kinds(stored(json))).toEqual(kinds(stored(was)));
});

test("seams are joined to points, and two-sided leaves are not", async () => {
  const again = await asFbx(await read("tube.glb", movingTubeGlb()));
  for (const { count } of again.source.points!.values()) expect(count).toBe(72);
});

test("the losses of a GLB written as FBX are listed", async () => {
  const file = await read("tube.glb", movingTubeGlb());
  expect(fileLosses(file, "fbx")).toEqual([]);
  file.source.json.nodes![3].extras = { note: 1 };
  (file.source.json.materials![0] as Record<string, unknown>).occlusionTexture = { index: 0 };
  expect(fileLosses(file, "fbx")).toEqual([
    { what: "extras", count: 1 },
    { what: "occlusion maps", count: 1 },
  ]);
});

test("an FBX of version 6 becomes FBX 7 in its own unit, without the node that converted the unit", async () => {
  const text = richFbxText().replace("FBXVersion: 7400", "FBXVersion: 6100");
  const file = await read("six.fbx", new TextEncoder().encode(text));
  const again = await asFbx(file);
  const depth = (json: typeof file.source.json) => json.nodes!.length;
  // Points keep their order, so that a weight file fits both.
  const counts = (each: typeof file) =>
    [...each.source.points!.values()].map(({ count, of }) => [count, of]);
  expect(counts(again)).toEqual(counts(file));
  // The reader adds its node to both.
  expect(again.character.skeleton.positions).toBeAllClose(file.character.skeleton.positions, 1e-5);
  expect(depth(again.source.json)).toBeGreaterThanOrEqual(depth(file.source.json));
});
