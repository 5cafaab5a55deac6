import { expect, test } from "vitest";
import { tubeGlb } from "../../test/helpers/glb-builder.ts";
import { inputFromFiles, readCharacter } from "./read-character.ts";

test("reads a .gltf together with the files it refers to", async () => {
  const { builder, positions } = tubeGlb();
  builder.glb();
  builder.json.buffers[0].uri = "data/tube%201.bin";
  const text = new TextEncoder().encode(JSON.stringify(builder.json));
  const files = [
    { name: "tube 1.bin", bytes: builder.bin() },
    { name: "Tube.GLTF", bytes: text },
  ];
  const { character } = await readCharacter(inputFromFiles(files));
  expect(character.mesh.positions).toEqual(positions);
  expect(() => inputFromFiles(files.slice(0, 1))).toThrow(
    "None of these files is a character; use one of .glb, .vrm",
  );
});
