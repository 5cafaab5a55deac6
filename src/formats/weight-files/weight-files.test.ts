import { describe, expect, test } from "vitest";
import { fbxSevenText } from "../../../test/helpers/fbx-sample.ts";
import { movingTubeGlb } from "../../../test/helpers/moving-tube.ts";
import { dense, randomWeights } from "../../../test/helpers/random-weights.ts";
import { richFbxText } from "../../../test/helpers/rich-fbx.ts";
import { InputError } from "../../input-error.ts";
import { weld } from "../../mesh/weld.ts";
import type { CharacterFile } from "../character-file.ts";
import { readCharacter } from "../read-character.ts";
import { applyWeights } from "./apply-weights.ts";
import { weightsOfFile } from "./weight-file.ts";
import { formatWeights, parseWeights, type WeightFormat } from "./weight-formats.ts";

const FORMATS: WeightFormat[] = ["xml", "ng.json", "json", "csv"];
const encode = (text: string) => new TextEncoder().encode(text);

const tube = () => readCharacter({ name: "tube.glb", bytes: movingTubeGlb() });
const square = () => readCharacter({ name: "square.fbx", bytes: encode(fbxSevenText()) });

/** Text of one file; ngSkinTools has a file per mesh. */
function textOf(file: CharacterFile, seed: string, format: WeightFormat) {
  const weights = randomWeights(file.character, seed);
  const texts = [...formatWeights(weightsOfFile(file, weights), format).values()];
  return { weights, texts };
}

describe.each(FORMATS)("%s", (format) => {
  test.each(["a", "b", "c"])("stores the weights of points to 1e-6 (seed %s)", async (seed) => {
    const file = await square();
    const { weights, texts } = textOf(file, seed, format);
    const given = parseWeights(`w.${format}`, encode(texts[0]));
    const applied = applyWeights(file, given, "w");
    const J = file.character.skeleton.names.length;
    expect(applied.byPosition).toBe(0);
    expect(dense(applied.weights, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-6);
  });

  test("stores several meshes, and names with special characters of every format", async () => {
    const file = await tube();
    file.source.json.nodes![1].name = 'a "tube", <big> & wide';
    file.character.skeleton.names[1] = 'bone, "the <second>"';
    const { weights, texts } = textOf(file, "many", format);
    expect(texts).toHaveLength(format === "ng.json" ? 2 : 1);
    const J = file.character.skeleton.names.length;
    const parsed = texts.map((text) => parseWeights(`w.${format}`, encode(text)));
    const meshes = parsed.flatMap((each) => each.meshes);
    const applied = applyWeights(file, { joints: parsed[0].joints, meshes }, "w");
    expect(applied.matched).toBe(144);
    if (format !== "csv") expect(parsed[0].joints).toEqual(file.character.skeleton.names);
    expect(dense(applied.weights, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-6);
  });

  test.each([1, 100])(
    "finds vertices by position in another order, in units of %i",
    async (unit) => {
      const file = await square();
      const J = file.character.skeleton.names.length;
      const { weights, texts } = textOf(file, "order", format);
      const given = parseWeights(`w.${format}`, encode(texts[0]));
      const [mesh] = given.meshes;
      const P = mesh.points!.length / 3;
      // An additional point, so that indices do not match.
      const order = [...Array.from({ length: P }, (_, p) => P - 1 - p), 0];
      const shuffled = {
        ...mesh,
        points: Float32Array.from(
          order.flatMap((p) => [...mesh.points!.subarray(p * 3, p * 3 + 3)].map((x) => x * unit)),
        ),
        weights: {
          influences: mesh.weights.influences,
          joints: Uint16Array.from(
            order.flatMap((p) => [
              ...mesh.weights.joints.subarray(
                p * mesh.weights.influences,
                (p + 1) * mesh.weights.influences,
              ),
            ]),
          ),
          weights: Float32Array.from(
            order.flatMap((p) => [
              ...mesh.weights.weights.subarray(
                p * mesh.weights.influences,
                (p + 1) * mesh.weights.influences,
              ),
            ]),
          ),
        },
      };
      const applied = applyWeights(file, { ...given, meshes: [shuffled] }, "w");
      expect(applied.byPosition).toBe(applied.matched);
      expect(dense(applied.weights, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-6);
    },
  );

  test("reports damage in one sentence", async () => {
    const { texts } = textOf(await square(), "cut", format);
    for (const share of [0, 0.1, 0.5, 0.9]) {
      const cut = texts[0].slice(0, Math.floor(share * texts[0].length));
      try {
        parseWeights(`w.${format}`, encode(cut));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }
  });
});

test("Maya's own XML is read: namespaces, gaps in the indices, a default weight", async () => {
  const file = await square();
  const [first, second] = file.character.skeleton.names;
  const xml = `<?xml version="1.0"?>
<deformerWeight>
  <headerInfo fileName="C:/x.xml" worldMatrix="1.000000 0.000000 0.000000 0.000000"/>
  <weights deformer="skinCluster1" source="rig:${first}" shape="squareShape" layer="0" defaultValue="0.000" size="2" max="3">
    <point index="0" value="1.000"/>
    <point index="3" value="0.250"/>
  </weights>
  <weights deformer="skinCluster1" source="rig:${second}" shape="squareShape" layer="1" defaultValue="0.750" size="1" max="3">
    <point index="0" value="0.000"/>
  </weights>
</deformerWeight>`;
  const given = parseWeights("maya.xml", encode(xml));
  expect(given.meshes[0].name).toBe("square");
  const { weights } = applyWeights(file, given, "maya.xml");
  const rows = dense(weights, 2);
  expect(rows[0]).toBeAllClose([1, 0], 1e-6);
  expect(rows.map((row) => row[1])).toContain(0.75);
});

test("both sides of a seam receive the row of their point, whatever weights they had", async () => {
  const file = await readCharacter({ name: "rich.fbx", bytes: encode(richFbxText()) });
  const { mesh, skeleton, weights: own } = file.character;
  expect(own).toBeDefined();
  const { welded, count } = weld(mesh.positions, 0);
  expect(count).toBeLessThan(welded.length);
  const { texts } = textOf(file, "seam", "json");
  const { weights } = applyWeights(file, parseWeights("w.json", encode(texts[0])), "w.json");
  const rows = dense(weights, skeleton.names.length);
  const first = new Map<number, number>();
  welded.forEach((group, vertex) => {
    if (!first.has(group)) first.set(group, vertex);
    expect(rows[vertex]).toEqual(rows[first.get(group)!]);
  });
});

test("layers of ngSkinTools are blended by opacity and mask", () => {
  const json = {
    influences: [
      { path: "|root", index: 3 },
      { path: "|root|tip", index: 7 },
    ],
    layers: [
      {
        id: 1,
        name: "base",
        parentId: null,
        enabled: true,
        opacity: 1,
        influences: { 3: [1, 1, 1] },
      },
      {
        id: 2,
        name: "top",
        parentId: null,
        enabled: true,
        opacity: 0.5,
        mask: [0, 1, 0.5],
        influences: { 7: [1, 1, 1] },
      },
      {
        id: 3,
        name: "off",
        parentId: null,
        enabled: false,
        opacity: 1,
        influences: { 7: [1, 1, 1] },
      },
    ],
    mesh: { vertPositions: [0, 0, 0, 1, 0, 0, 2, 0, 0], triangles: [0, 1, 2] },
  };
  const { meshes, joints } = parseWeights("n.json", encode(JSON.stringify(json)));
  expect(joints).toEqual(["|root", "|root|tip"]);
  expect(dense(meshes[0].weights, 2)).toEqual([
    [1, 0],
    [0.5, 0.5],
    [0.75, 0.25],
  ]);
});

test("weights of other joints, or of another mesh, are an error", async () => {
  const file = await square();
  const table = (joint: string) => `vertex,joint,weight\n0,${joint},1\n1,${joint},1\n`;
  const apply = (text: string) => () =>
    applyWeights(file, parseWeights("w.csv", encode(text)), "w.csv");
  expect(apply(table("stranger"))).toThrow(/no joint of this file is in the target/);
  expect(apply(table(file.character.skeleton.names[0]))).toThrow(
    /neither the number nor the positions/,
  );
});
