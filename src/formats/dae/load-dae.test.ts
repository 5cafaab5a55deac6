import { describe, expect, test } from "vitest";
import { DAE } from "../../../test/helpers/dae-sample.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { readFloats } from "../gltf/accessors.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";
import { parseXml } from "./xml.ts";

const read = (text: string) =>
  readCharacter({ name: "square.dae", bytes: new TextEncoder().encode(text) });

describe("COLLADA", () => {
  test("converts mesh, joints and weights to meters, y up", async () => {
    const { character, oddities } = await read(DAE);
    // Two triangles of two materials: each has its own vertices.
    const wanted = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0];
    expect(character.mesh.positions.length).toBe(wanted.length);
    character.mesh.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(wanted[i], 6);
    });
    expect(character.skeleton.names).toEqual(["hip", "knee"]);
    expect([...character.skeleton.parents]).toEqual([-1, 0]);
    expect(character.skeleton.positions[4]).toBeCloseTo(0.5, 6);
    expect([...character.weights!.joints]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0]);
    expect([...character.weights!.weights]).toEqual([
      1, 0, 1, 0, 0.75, 0.25, 1, 0, 0.75, 0.25, 1, 0,
    ]);
    expect(oddities).toEqual([]);
  });

  test("becomes a valid GLB with materials and animation", async () => {
    const file = await read(DAE);
    const { bytes } = writeCharacter(file, file.character.weights!);
    expect(await validateGltf(bytes)).toEqual([]);
    const { source } = await readCharacter({ name: "a.glb", bytes });
    const { json } = source;
    expect(json.materials).toMatchObject([
      { name: "green & fresh", pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } },
      { name: "material" },
    ]);
    expect(json.meshes![0].primitives.map((p) => p.material)).toEqual([0, 1]);
    const move = json.animations![0].channels.find(({ target }) => target.path === "translation")!;
    const output = readFloats(source, json.animations![0].samplers[move.sampler].output);
    expect([...output]).toEqual([0, 0, 5, 0, 0, 7]);
  });

  test("serves as a skeleton without a mesh", async () => {
    const bare = DAE.replace(/<library_geometries>[\s\S]*<\/library_geometries>/, "");
    const { character, oddities } = await read(bare);
    expect(character.mesh.positions.length).toBe(0);
    expect(character.skeleton.positions[4]).toBeCloseTo(0.5, 6);
    expect(oddities.join()).toContain("no mesh");
  });

  test("reads no more weights than exist, whatever a count claims", async () => {
    const { character } = await read(DAE.replace("<vcount>1 1 2 1<", "<vcount>1 1 4294967295 1<"));
    expect(character.weights!.weights.length).toBeGreaterThan(0);
  });

  test.each([
    ["cut off", DAE.slice(0, 2000), /XML is truncated or damaged/],
    ["another XML", "<svg></svg>", /not a COLLADA file/],
    ["an unknown joint", DAE.replace("Hip Knee", "Hip Elbow"), /uses joint "Elbow"/],
    ["a skin without joints", DAE.replace(">Hip Knee<", "><"), /names no joints/],
    [
      "a joint out of range",
      DAE.replace("<v>0 0", "<v>9 0"),
      /weighted to joint 9, but its skin has 2/,
    ],
    [
      "a point out of range",
      DAE.replace("<p>0 0 1 0", "<p>0 0 8 0"),
      /uses vertex 8, but there are 4/,
    ],
    ["text for numbers", DAE.replace("0 0 0 10", "0 x 0 10"), /not a number/],
    [
      "a transform that is not a number",
      DAE.replace("0 0 1 5 0 0 0 1</matrix>", "0 0 1 x 0 0 0 1</matrix>"),
      /the transform of node "knee" is not finite/,
    ],
  ])("refuses %s", (_, text, words) => expect(read(text)).rejects.toThrow(words));
});

describe("parseXml", () => {
  test("reads attributes in both quotes, entities, CDATA and empty elements", () => {
    const root = parseXml(
      "a.xml",
      new TextEncoder().encode(
        `<a x='1 > 0' y="&lt;&#65;&#x42;"><b/><c><![CDATA[<raw>]]> t é</c></a>`,
      ),
    );
    expect(root.children[0].attributes).toEqual({ x: "1 > 0", y: "<AB" });
    expect(root.children[0].children.map((child) => child.name)).toEqual(["b", "c"]);
    expect(root.children[0].children[1].text).toBe("<raw> t é");
  });
});

test("a skin that claims more pairs than it has is read in linear time", async () => {
  const count = 20_000;
  const points = Array.from({ length: count }, (_, i) => `${i % 100} ${i % 7} ${i % 13}`).join(" ");
  const text = DAE.replace(
    '<float_array id="pos-a" count="12">0 0 0 10 0 0 10 0 10 0 0 10',
    `<float_array id="pos-a" count="${3 * count}">${points}`,
  )
    .replace("<vcount>1 1 2 1</vcount>", `<vcount>${"1000000000 ".repeat(count)}</vcount>`)
    .replace("<v>0 0 0 0 0 1 1 2 1 0</v>", `<v>${"0 0 1 1 ".repeat(count)}</v>`);
  const { character } = await readCharacter({
    name: "greedy.dae",
    bytes: new TextEncoder().encode(text),
  });
  // All pairs belong to the first point; each joint occurs once in its row.
  expect(character.weights!.influences).toBeLessThanOrEqual(4);
});

test("a node below itself is refused although another element has its id", async () => {
  const [, tag] = /(<node id="([^"]+)"[^>]*>)/.exec(DAE)!;
  const id = /id="([^"]+)"/.exec(tag)![1];
  const text = DAE.replace(tag, `${tag}<instance_node url="#${id}"/>`).replace(
    /<source id="[^"]+"/,
    `<source id="${id}"`,
  );
  const reading = readCharacter({ name: "loop.dae", bytes: new TextEncoder().encode(text) });
  await expect(reading).rejects.toThrow(/its own ancestor/);
});
