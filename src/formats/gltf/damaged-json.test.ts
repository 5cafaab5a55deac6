import { expect, test } from "vitest";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { InputError } from "../../input-error.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const WILD: unknown[] = [null, -1, 1.5, 1e15, "x", [], {}, [null], [1e9], true];

/** Every position in a JSON document, as a list of keys. */
function inverseIndex(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.keys(value).flatMap((key) =>
    inverseIndex((value as Record<string, unknown>)[key], [...at, key]),
  );
  return at.length > 0 ? [at, ...inner] : inner;
}

test("accepts an invalid value anywhere in the JSON or throws an InputError, nothing else", async () => {
  const make = () => {
    const { builder } = tubeGlb({ rings: 2, joints: 2 });
    builder.json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
    builder.json.extensionsUsed = ["KHR_materials_unlit"];
    builder.json.animations = [
      {
        samplers: [{ input: 0, output: 0, interpolation: "STEP" }],
        channels: [{ sampler: 0, target: { node: 2, path: "translation" } }],
      },
    ];
    builder.json.images = [{ bufferView: 0, mimeType: "image/png" }];
    builder.json.accessors[0].sparse = {
      count: 1,
      indices: { bufferView: 3, componentType: 5123 },
      values: { bufferView: 0 },
    };
    return builder;
  };
  const builder = make();
  builder.glb();
  const original = JSON.stringify(builder.json);
  let refused = 0;
  for (const place of inverseIndex(builder.json)) {
    for (const wild of WILD) {
      const json = JSON.parse(original);
      const holder = place.slice(0, -1).reduce((inner, key) => inner[key], json);
      holder[place.at(-1)!] = wild;
      const bytes = new TextEncoder().encode(JSON.stringify(json));
      const resolve = async () => builder.bin();
      const text = new TextDecoder().decode(bytes);
      const file = text.includes('"buffers":[{"byteLength"')
        ? text.replace('"buffers":[{', '"buffers":[{"uri":"a.bin",')
        : text;
      try {
        const read = await readCharacter({
          name: "a.gltf",
          bytes: new TextEncoder().encode(file),
          resolve,
        });
        const count = read.character.mesh.positions.length / 3;
        writeCharacter(read, {
          influences: 1,
          joints: new Uint16Array(count),
          weights: new Float32Array(count).fill(1),
        });
      } catch (error) {
        if (!(error instanceof InputError))
          throw new Error(`${place.join(".")} = ${JSON.stringify(wild)}`, { cause: error });
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(300);
});
