import { expect, test } from "vitest";
import { dense, randomWeights } from "../../../test/helpers/random-weights.ts";
import { RICH_DAE_PICTURES, richDae } from "../../../test/helpers/rich-dae.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { fileLosses } from "../describe-file.ts";
import { readFloats } from "../gltf/accessors.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const read = (bytes: Uint8Array) =>
  readCharacter({ name: "tube.dae", bytes, resolve: async (uri) => RICH_DAE_PICTURES[uri] });
const encode = (text: string) => new TextEncoder().encode(text);

test("a COLLADA file becomes glTF with all its sets, morphs, cameras and lights", async () => {
  const file = await read(encode(richDae()));
  const { json } = file.source;
  for (const primitive of json.meshes![0].primitives) {
    const attributes = ["TEXCOORD_0", "TEXCOORD_1", "COLOR_0"];
    expect(Object.keys(primitive.attributes)).toEqual(expect.arrayContaining(attributes));
    expect(primitive.targets).toHaveLength(1);
  }
  expect(json.images).toHaveLength(1);
  expect(json.cameras).toHaveLength(1);
  expect(json.extensions).toHaveProperty("KHR_lights_punctual");
  expect(json.materials).toMatchObject([
    { pbrMetallicRoughness: { baseColorTexture: {} } },
    { emissiveFactor: [0.1, 0, 0], pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } },
  ]);
  const [animation] = json.animations!;
  const open = animation.channels.find(({ target }) => target.path === "weights")!;
  const output = readFloats(file.source, animation.samplers[open.sampler].output);
  expect([...output]).toEqual([0, 1]);
  expect(fileLosses(file, "glb")).toEqual([]);
  const { bytes } = writeCharacter(file, file.character.weights!);
  expect((await validateGltf(bytes)).filter(({ severity }) => severity === 0)).toEqual([]);
});

test.each([true, false])(
  "keeps its morph when it is bound as COLLADA (skinned: %s)",
  async (isSkinned) => {
    const file = await read(encode(richDae({ isSkinned })));
    const weights = randomWeights(file.character, "morph");
    const { bytes } = writeCharacter(file, weights, { format: "dae", maxInfluences: 8 });
    const again = await read(bytes);
    expect(again.character.mesh.positions).toBeAllClose(file.character.mesh.positions, 1e-5);
    expect(dense(again.character.weights!, 4).flat()).toBeAllClose(dense(weights, 4).flat(), 1e-5);
    expect(again.source.json.meshes![0].extras).toEqual({ targetNames: ["wide"] });
  },
);
