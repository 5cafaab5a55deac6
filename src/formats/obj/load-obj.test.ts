import { describe, expect, test } from "vitest";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { fileLosses } from "../describe-file.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const OBJ = `# a cube's front and a triangle beside it
mtllib box.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
usemtl red
f 1/1 2/2 3/3 4/1
v 2 0 0
usemtl blue
f -4 -1 -3
`;
const MTL = "newmtl red\nKd 1 0 0\nmap_Kd skin.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n";
const PICTURE = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1]);
const RIG = "joints a 0 0 0\njoints b 0 1 0\nroot a\nhier a b\n";

const encode = (text: string) => new TextEncoder().encode(text);
const beside: Record<string, Uint8Array> = { "box.mtl": encode(MTL), "skin.png": PICTURE };
const read = (text: string) =>
  readCharacter(
    { name: "box.obj", bytes: encode(text), resolve: async (uri) => beside[uri] },
    { skeleton: { name: "rig.txt", bytes: encode(RIG) } },
  );

describe("OBJ", () => {
  test("reads faces, negative indices, materials and a skeleton from another file", async () => {
    const { character, source } = await read(OBJ);
    // Two corners share point 2 with and without texture coordinate, so they are two vertices.
    expect(character.mesh.positions.length / 3).toBe(7);
    expect(character.mesh.triangles.length).toBe(9);
    expect(character.skeleton.names).toEqual(["a", "b"]);
    expect(source.json.materials).toMatchObject([
      { name: "red", pbrMetallicRoughness: { baseColorFactor: [1, 1, 1, 1] } },
      {
        name: "blue",
        alphaMode: "BLEND",
        pbrMetallicRoughness: { baseColorFactor: [0, 0, 1, 0.5] },
      },
    ]);
  });

  test("becomes a GLB with joints, skin and image", async () => {
    const file = await read(OBJ);
    const weights = {
      influences: 1,
      joints: new Uint16Array(7),
      weights: new Float32Array(7).fill(1),
    };
    const { bytes } = writeCharacter(file, weights);
    const issues = await validateGltf(bytes);
    // The image is a placeholder: only it may cause errors.
    expect(issues.filter(({ code }) => !code.startsWith("IMAGE"))).toEqual([]);
    const { character, source } = await readCharacter({ name: "a.glb", bytes });
    expect(character.skeleton.names).toEqual(["a", "b"]);
    expect(source.json.images?.length).toBe(1);
  });

  test("reads properties that glTF supports, and counts the rest", async () => {
    beside["rich.mtl"] = encode(
      [
        "newmtl red\nKe 1 0.5 0\nPr 0.3\nPm 0.8\nTr 0.25\nnorm -bm 1 skin.png",
        "map_Ks skin.png\nmap_Bump -bm 0.5 skin.png\nnewmtl blue\nmap_Kd gone.png\nmap_Ke old.tga",
      ].join("\n"),
    );
    beside["old.tga"] = encode("no PNG");
    const text = OBJ.replace("box.mtl", "rich.mtl").replace(/^(v .*)$/gm, "$1 1 0.5 0");
    const file = await read(`${text}l 1 2 3\np 4\n`);
    expect(file.source.json.materials?.[0]).toMatchObject({
      emissiveFactor: [1, 0.5, 0],
      normalTexture: { index: 0 },
      pbrMetallicRoughness: { baseColorFactor: [0.8, 0.8, 0.8, 0.75], metallicFactor: 0.8 },
    });
    expect(file.source.json.meshes?.[0].primitives[0].attributes).toHaveProperty("COLOR_0");
    expect(fileLosses(file, "glb")).toEqual([
      { what: "images glTF does not support (.tga)", count: 1 },
      { what: "lines", count: 1 },
      { what: "map_Bump textures", count: 1 },
      { what: "map_Ks textures", count: 1 },
      { what: "missing images", count: 1 },
      { what: "points", count: 1 },
    ]);
  });

  test("keeps the order of the file's vertices without seams", async () => {
    const { character } = await read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 4 3 2\nf 4 2 1\n");
    expect([...character.mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect([...character.mesh.triangles]).toEqual([3, 2, 1, 3, 1, 0]);
  });

  test.each([
    ["v 0 0 x\n", /"v 0 0 x" has a value that is not a number/],
    ["v 0 0 0 1 1 1\nvt 0 0\nf 1/1 1/1 /1\n", /a face uses "\/1"/],
    ["v 0 0 0\nf 1 2 3\n", /uses "2", but there are 1 values so far/],
  ])("refuses %j", (text, words) => expect(read(text)).rejects.toThrow(words));
});
