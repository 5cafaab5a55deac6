import { expect, it } from "vitest";
import { tubeGlb } from "../../test/glb-builder.ts";
import { describeFile } from "./describe-file.ts";
import { readCharacter } from "./read-character.ts";

it("counts what a file holds and names what is odd in it", async () => {
  const { builder } = tubeGlb({ isScaled: true });
  const { json } = builder;
  const { attributes } = json.meshes[0].primitives[0];
  const weights = new Float32Array(288);
  for (let v = 1; v < 72; v++) weights[v * 4] = 1;
  attributes.WEIGHTS_0 = builder.add(weights, "VEC4");
  json.meshes[0].primitives[0].indices = builder.add(
    Uint16Array.from([0, 1, 2, 3, 3, 4]),
    "SCALAR",
  );
  json.meshes.push({
    name: "hat",
    primitives: [{ attributes: { POSITION: attributes.POSITION } }],
  });
  json.nodes.push({ name: "hat", mesh: 1 });
  json.nodes[5].children = [6];
  json.nodes[5].name = "bone0";
  const found = describeFile(await readCharacter({ name: "tube.glb", bytes: builder.glb() }));
  expect(found).toMatchObject({
    name: "tube",
    format: "glb",
    vertices: 72,
    triangles: 2,
    joints: 4,
    roots: 1,
    skins: 1,
    influences: [1, 71],
    meshes: [
      { name: "tube", vertices: 72, triangles: 2, isBound: true },
      { name: "hat", vertices: 72, triangles: 24, isBound: false },
    ],
  });
  expect(found.box.max[1]).toBeCloseTo(2, 5);
  expect(found.bindSpaces[0][0]).toBeCloseTo(0.01, 6);
  for (const words of [
    "One mesh has no skin",
    "One joint has the name of another",
    "One triangle has no area",
    "67 vertices belong to no triangle",
    "One vertex has no weight",
  ]) {
    expect(found.oddities.join()).toContain(words);
  }
});

it("says that joints are far away, and nothing where all is well", async () => {
  const fine = describeFile(await readCharacter({ name: "a.glb", bytes: tubeGlb().builder.glb() }));
  expect(fine.oddities).toEqual([]);
  const { builder } = tubeGlb({ isBare: true });
  builder.json.nodes[5].translation = [50, 0, 0];
  const odd = describeFile(await readCharacter({ name: "a.glb", bytes: builder.glb() }));
  expect(odd.oddities).toEqual(["One joint is far outside the mesh."]);
});
