import { expect, test } from "vitest";
import { plainPng, RICH_FBX, richFbxText } from "../../../test/helpers/rich-fbx.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { fileLosses } from "../describe-file.ts";
import { readFloats } from "../gltf/accessors.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const text = richFbxText();
const read = () => readCharacter({ name: "tube.fbx", bytes: new TextEncoder().encode(text) });

test("an FBX becomes glTF with all its sets, maps, takes, shapes, cameras and lights", async () => {
  const file = await read();
  const { json } = file.source;
  const [first, second] = json.meshes![0].primitives;
  const attributes = ["NORMAL", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0"];
  for (const primitive of [first, second]) {
    expect(Object.keys(primitive.attributes)).toEqual(expect.arrayContaining(attributes));
    expect(primitive.targets).toHaveLength(RICH_FBX.shapes);
  }
  expect(json.animations!.map(({ name }) => name)).toEqual(["nod", "sway"]);
  expect(json.images).toHaveLength(RICH_FBX.pictures);
  expect(json.materials).toMatchObject([
    { normalTexture: {}, emissiveTexture: {}, pbrMetallicRoughness: { baseColorTexture: {} } },
    { pbrMetallicRoughness: { metallicRoughnessTexture: {}, metallicFactor: 1 } },
  ]);
  expect(json.cameras).toHaveLength(1);
  expect(json.extensions).toHaveProperty("KHR_lights_punctual");
  const { bytes } = writeCharacter(file, file.character.weights!);
  const issues = (await validateGltf(bytes)).filter(({ severity }) => severity === 0);
  expect(issues).toEqual([]);
});

test("a take animates the shape as in the file", async () => {
  const { source } = await read();
  const nod = source.json.animations![0];
  const channel = nod.channels.find(({ target }) => target.path === "weights")!;
  const { input, output } = nod.samplers[channel.sampler];
  expect([...readFloats(source, input)]).toEqual([0, 1]);
  expect([...readFloats(source, output)]).toBeAllClose([0, 0.3], 1e-6);
});

test("each vertex belongs to one material, and only seams and borders are split", async () => {
  const { source, character } = await read();
  const counts = source.json.meshes![0].primitives.map(
    ({ attributes }) => source.json.accessors![attributes.POSITION].count,
  );
  expect(counts.reduce((a, b) => a + b, 0)).toBe(character.mesh.positions.length / 3);
  // 13 rings of 8 points, the ring between the materials twice.
  expect(character.mesh.positions.length / 3).toBe(14 * 8);
});

test("exactly what is not carried over is listed", async () => {
  const file = await read();
  expect(fileLosses(file, "fbx")).toEqual([]);
  expect(fileLosses(file, "glb")).toEqual([{ what: "duplicate takes", count: 1 }]);
  const strange = text.replace(
    'Deformer: 1200, "Deformer::", "Skin"',
    'Constraint: 77, "Constraint::aim", "Aim" {\n}\nDeformer: 1200, "Deformer::", "Skin"',
  );
  const odd = await readCharacter({ name: "odd.fbx", bytes: new TextEncoder().encode(strange) });
  expect(fileLosses(odd, "glb")).toContainEqual({
    what: "Constraint objects",
    count: 1,
  });
});

test("a surface whose texture is missing is gray, not black, unless its image exists", async () => {
  const black = text.replaceAll('"A",0.8,0.4,0.2', '"A",0,0,0').replaceAll(/Content: , ".*"/g, "");
  const bytes = new TextEncoder().encode(black);
  const colorOf = async (pictures: "given" | "missing") => {
    const resolve = async () => (pictures === "given" ? plainPng([10, 20, 30, 255]) : undefined);
    const { source } = await readCharacter({ name: "tube.fbx", bytes, resolve });
    const [first] = source.json.materials as { pbrMetallicRoughness: unknown }[];
    return first.pbrMetallicRoughness as {
      baseColorFactor?: number[];
      baseColorTexture?: object;
    };
  };
  const without = await colorOf("missing");
  expect(without.baseColorTexture).toBeUndefined();
  expect(Math.min(...without.baseColorFactor!.slice(0, 3))).toBeGreaterThan(0.4);
  const dressed = await colorOf("given");
  expect(dressed.baseColorTexture).toBeDefined();
  expect(dressed.baseColorFactor ?? [1, 1, 1, 1]).toEqual([1, 1, 1, 1]);
});
