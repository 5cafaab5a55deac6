import { expect, test } from "vitest";
import { tubeGlb } from "../../test/helpers/glb-builder.ts";
import { describeFile } from "./describe-file.ts";
import { readCharacter } from "./read-character.ts";

test("counts the contents of a file and lists its oddities", async () => {
  const { builder } = tubeGlb({ isScaled: true });
  const { json } = builder;
  const [primitive] = json.meshes[0].primitives;
  const weights = new Float32Array(288);
  for (let v = 1; v < 72; v++) weights[v * 4] = 1;
  primitive.attributes.WEIGHTS_0 = builder.add(weights, "VEC4");
  primitive.indices = builder.add(Uint16Array.from([0, 1, 2, 3, 3, 4]), "SCALAR");
  json.materials = [{}, {}];
  const shape = { POSITION: primitive.attributes.POSITION };
  primitive.targets = [shape, shape, shape];
  json.animations = [{ channels: [], samplers: [] }];
  const found = describeFile(await readCharacter({ name: "tube.glb", bytes: builder.glb() }));
  expect(found).toMatchObject({
    name: "tube",
    format: "glb",
    meshes: 1,
    vertices: 72,
    joints: 4,
    roots: 1,
    triangles: 2,
    emptyTriangles: 1,
    influences: [1, 71],
    contents: { materials: 2, images: 0, shapes: 3, animations: 1, cameras: 0 },
  });
  // One triangle has three positions, the others have one each.
  expect(found.pieces).toBe(found.positions - 2);
  expect(found.box?.max[1]).toBeCloseTo(2, 5);
  expect(found.oddities.join()).toMatch(/Weights of the file: .*no weight/);
});

test("finds no oddities in a good file, and reports the positions of joints", async () => {
  const { builder } = tubeGlb({ isBare: true });
  builder.json.nodes[5].translation = [50, 0, 0];
  const far = describeFile(await readCharacter({ name: "a.glb", bytes: builder.glb() }));
  expect(far.jointBox?.max[0]).toBeCloseTo(50, 4);
  const fine = describeFile(await readCharacter({ name: "a.glb", bytes: tubeGlb().builder.glb() }));
  expect(fine.oddities).toEqual([]);
});
