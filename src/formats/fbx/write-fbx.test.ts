import { describe, expect, test } from "vitest";
import { fbxBinary, fbxSevenText } from "../../../test/helpers/fbx-sample.ts";
import { mutate } from "../../../test/helpers/fuzz-mutate.ts";
import { dense, randomWeights } from "../../../test/helpers/random-weights.ts";
import { richFbxText } from "../../../test/helpers/rich-fbx.ts";
import { InputError } from "../../input-error.ts";
import { createRandom } from "../../math/random.ts";
import { skin } from "../../skin.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import type { CharacterFile } from "../character-file.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";
import { parseFbxText } from "./parse-fbx.ts";
import { joinRawFbx, leadingValues, type RawFbxNode, splitRawFbx } from "./raw-fbx.ts";

const text = fbxSevenText();
const asBinary = (version: number, content = text) =>
  fbxBinary(parseFbxText("a.fbx", content), version);
const read = (bytes: Uint8Array) => readCharacter({ name: "square.fbx", bytes });

/** Everything except deformers, poses, connections and counts, as text. */
function untouched(bytes: Uint8Array): string[] {
  const show = (node: RawFbxNode): string =>
    `${node.name}(${node.count}:${Buffer.from(node.values).toString("base64")})[${node.children.map(show).join()}]`;
  return splitRawFbx("a.fbx", bytes).nodes.flatMap((node) => {
    if (node.name === "Definitions") return [];
    if (node.name !== "Objects" && node.name !== "Connections") return [show(node)];
    const kept = node.children.filter((child) => {
      const type = leadingValues(child)[2];
      return !["Skin", "Cluster", "BindPose"].includes(String(type));
    });
    return node.name === "Connections" ? kept.slice(0, 11).map(show) : kept.map(show);
  });
}

describe.each([7400, 7700])("FBX %i", (version) => {
  test("parsed and written is the same file", () => {
    const bytes = asBinary(version);
    expect(joinRawFbx(splitRawFbx("a.fbx", bytes))).toEqual(bytes);
  });

  test.each(["a", "b", "c"])("receives new weights and keeps the rest (seed %s)", async (seed) => {
    const bytes = asBinary(version);
    const file = await read(bytes);
    const J = file.character.skeleton.names.length;
    const weights = randomWeights(file.character, seed);
    const written = writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 });
    const again = await read(written.bytes);
    expect(again.character.mesh).toEqual(file.character.mesh);
    expect(again.character.skeleton.names).toEqual(file.character.skeleton.names);
    expect(dense(again.character.weights!, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-5);
    expect(untouched(written.bytes)).toEqual(untouched(bytes));
  });

  test("its own weights written back are the same weights", async () => {
    const file = await read(asBinary(version));
    const own = file.character.weights!;
    const J = file.character.skeleton.names.length;
    const { bytes } = writeCharacter(file, own, { format: "fbx", maxInfluences: 8 });
    const again = await read(bytes);
    expect(dense(again.character.weights!, J).flat()).toBeAllClose(dense(own, J).flat(), 1e-6);
  });

  test("a mesh without a skin receives one, with clusters and a bind pose", async () => {
    const bare = text
      .replace(/\n\tDeformer: 30, [\s\S]*?\n\t}(?=\n\tModel: 200)/, "")
      .replace(/\n\tC: "OO",30,10/, "")
      .replace(/\n\tC: "OO",30\d,30/g, "")
      .replace(/\n\tC: "OO",20\d,30\d/g, "");
    expect(bare).not.toContain("Cluster");
    const file = await read(asBinary(version, bare));
    expect(file.character.weights).toBeUndefined();
    const J = file.character.skeleton.names.length;
    const weights = randomWeights(file.character, "bare");
    const { bytes } = writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 });
    const objects = splitRawFbx("a.fbx", bytes).nodes.find(({ name }) => name === "Objects")!;
    const types = objects.children.map((node) => leadingValues(node)[2]);
    expect(types.filter((type) => type === "Cluster")).toHaveLength(J);
    expect(types.filter((type) => type === "BindPose")).toHaveLength(1);
    const again = await read(bytes);
    expect(again.character.mesh.positions).toBeAllClose(file.character.mesh.positions, 1e-5);
    expect(again.character.skeleton.positions).toBeAllClose(
      file.character.skeleton.positions,
      1e-5,
    );
    expect(dense(again.character.weights!, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-5);
  });
});

/** Random weights written and read back, with the file before and after. */
async function bound(file: CharacterFile, seed: string) {
  const J = file.character.skeleton.names.length;
  const weights = randomWeights(file.character, seed);
  const { bytes } = writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 });
  const again = await read(bytes);
  expect(again.character.skeleton.names).toEqual(file.character.skeleton.names);
  expect(again.character.mesh.positions).toBeAllClose(file.character.mesh.positions, 1e-5);
  expect(again.character.skeleton.positions).toBeAllClose(file.character.skeleton.positions, 1e-5);
  expect(dense(again.character.weights!, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-5);
  return { bytes, again };
}

test("kept weights change only the lists of clusters", async () => {
  const first = await read(new TextEncoder().encode(richFbxText()));
  const own = first.character.weights!;
  const { bytes } = writeCharacter(first, own, { format: "fbx", maxInfluences: 8 });
  const file = await read(bytes);
  const { weights } = await skin(file.character, {
    method: "inverse-distance",
    keepExisting: true,
    maxInfluences: 8,
    prune: 0,
  });
  const again = writeCharacter(file, weights, { format: "fbx", maxInfluences: 8 });
  expect(again.bytes).toEqual(bytes);
});

describe("text", () => {
  const asText = (content: string) => read(new TextEncoder().encode(content));

  test("becomes binary 7.4, with all of its content", async () => {
    const file = await asText(text);
    const { bytes, again } = await bound(file, "text");
    expect(splitRawFbx("a.fbx", bytes).version).toBe(7400);
    for (const key of ["materials", "animations"] as const) {
      expect(again.source.json[key]).toEqual(file.source.json[key]);
    }
    expect(again.source.json.meshes![0].extras).toEqual(file.source.json.meshes![0].extras);
  });

  test("of version 6 becomes a new FBX 7.4 with the same weights", async () => {
    const file = await asText(text.replace("FBXVersion: 7400", "FBXVersion: 6100"));
    const { bytes } = await bound(file, "six");
    expect(splitRawFbx("a.fbx", bytes).version).toBe(7400);
  });
});

test("a bind matrix that overflows is neither used nor written", async () => {
  const wild = text.replace(/TransformLink: \*16 \{ a: [^}]*,60,1 \}/, () => {
    const values = [2147483647, -1e18, 0, 0, -2147483648, 2147483647, 65536, 7, -1e18, 7, 2, 1e9];
    return `TransformLink: *16 { a: ${[...values, -2147483648, "1e+308", 2, 1]} }`;
  });
  expect(wild).not.toBe(text);
  const file = await read(new TextEncoder().encode(wild));
  const { weights } = await skin(file.character, { method: "inverse-distance" });
  const { bytes } = writeCharacter(file, weights, { format: "fbx" });
  await expect(read(bytes)).resolves.toBeDefined();
});

test("ids beyond the range of a number are kept", async () => {
  const far = (id: number) => `9007199254740${String(id).padStart(4, "0")}`;
  const shifted = text.replace(
    /(: |"O[OP]",)(\d{2,3})(?=,)(?:,(\d+))?/g,
    (_, before: string, a: string, b?: string) => {
      const second = b === undefined ? "" : `,${b === "0" ? b : far(Number(b))}`;
      return `${before}${far(Number(a))}${second}`;
    },
  );
  const { bytes } = await bound(await read(new TextEncoder().encode(shifted)), "far");
  await bound(await read(bytes), "again");
  const objects = splitRawFbx("a.fbx", bytes).nodes.find(({ name }) => name === "Objects")!;
  const types = objects.children.map((node) => leadingValues(node)[2]);
  expect(types.filter((type) => type === "Cluster")).toHaveLength(6);
  expect(types.filter((type) => type === "Skin")).toHaveLength(1);
});

test.each([text, text.replace(/\n\tC: "OO",30,10/, "")])(
  "adopts the skeleton of another FBX",
  async (content) => {
    const other = text
      .replace(/Model::bone/g, "Model::limb")
      .replace(/"UpAxis", "int", "Integer", "",2/, '"UpAxis", "int", "Integer", "",1');
    const skeleton = { name: "rig.fbx", bytes: asBinary(7500, other) };
    const file = await readCharacter(
      { name: "a.fbx", bytes: asBinary(7400, content) },
      { skeleton },
    );
    const { bytes } = await bound(file, "other");
    const objects = splitRawFbx("a.fbx", bytes).nodes.find(({ name }) => name === "Objects")!;
    const skins = objects.children.filter((node) => leadingValues(node)[2] === "Skin");
    expect(skins.length).toBeLessThanOrEqual(2);
  },
);

test("several meshes with separate skins share one skeleton", async () => {
  const [geometry] = /\tGeometry: 10, [\s\S]*?\n\t}\n/.exec(text)!;
  const [model] = /\tModel: 20, [\s\S]*?\n\t}\n/.exec(text)!;
  const two = text
    .replace(geometry, `${geometry}${geometry.replace("10,", "910,")}`)
    .replace(model, `${model}${model.replace("20,", "920,")}`)
    .replace(
      'C: "OO",10,20',
      'C: "OO",10,20\n\tC: "OO",910,920\n\tC: "OO",920,0\n\tC: "OO",930,910',
    )
    .replace(
      "\tDeformer: 30,",
      '\tDeformer: 930, "Deformer::", "Skin" {\n\t}\n\tDeformer: 931, "SubDeformer::", "Cluster" {\n\t\tIndexes: *4 { a: 0,1,2,3 }\n\t\tWeights: *4 { a: 1,1,1,1 }\n\t\tTransform: *16 { a: 1,0,0,0,0,0,1,0,0,-1,0,0,0,0,0,1 }\n\t\tTransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }\n\t}\n\tDeformer: 30,',
    )
    .replace('C: "OO",30,10', 'C: "OO",30,10\n\tC: "OO",931,930\n\tC: "OO",200,931');
  const file = await read(asBinary(7400, two));
  expect(file.parts).toHaveLength(2);
  const { bytes } = await bound(file, "two");
  const objects = splitRawFbx("a.fbx", bytes).nodes.find(({ name }) => name === "Objects")!;
  const types = objects.children.map((node) => leadingValues(node)[2]);
  expect(types.filter((type) => type === "Skin")).toHaveLength(2);
  expect(types.filter((type) => type === "Cluster").length).toBe(12);
});

test("a damaged FBX is refused in one sentence, or its output can be read", async () => {
  const whole = asBinary(7400);
  const random = createRandom("damage");
  let written = 0;
  for (let i = 0; i < 200; i++) {
    const damaged = mutate(whole, random, [whole]);
    try {
      const file = await read(damaged);
      const weights = randomWeights(file.character, `damage ${i}`);
      const { bytes } = writeCharacter(file, weights, { format: "fbx" });
      const again = await read(bytes);
      expect(again.character.mesh.positions.length).toBe(file.character.mesh.positions.length);
      written++;
    } catch (error) {
      expect(error, `damage ${i}: ${error}`).toBeInstanceOf(InputError);
    }
  }
  expect(written).toBeGreaterThan(10);
});

test("an FBX truncated anywhere is refused in one sentence, or its output can be read", async () => {
  const bytes = asBinary(7400);
  const random = createRandom("cut");
  for (let i = 0; i < 60; i++) {
    const cut = bytes.slice(0, Math.floor(random() * bytes.length));
    try {
      joinRawFbx(splitRawFbx("a.fbx", cut));
    } catch (error) {
      expect((error as Error).message).toMatch(/is truncated or damaged/);
    }
  }
});

/** Subtype of the first bone, and of the last. */
const withTypes = (first: string, last: string) =>
  richFbxText()
    .replace(/("(?:NodeAttribute|Model)::bone0", )"LimbNode"/g, `$1"${first}"`)
    .replace(/("(?:NodeAttribute|Model)::bone3", )"LimbNode"/g, `$1"${last}"`);

const tubeFbx = (text: string) => fbxBinary(parseFbxText("tube.fbx", text), 7400);

/** Writes weights that are all on one joint. */
async function written(bytes: Uint8Array, bone: string): Promise<Uint8Array> {
  const file = await readCharacter({ name: "tube.fbx", bytes });
  const { skeleton, mesh } = file.character;
  const vertices = mesh.positions.length / 3;
  const weights: SkinWeights = {
    influences: 1,
    joints: new Uint16Array(vertices).fill(skeleton.names.indexOf(bone)),
    weights: new Float32Array(vertices).fill(1),
  };
  const out = writeCharacter(file, weights, { format: "fbx" }).bytes;
  const again = await readCharacter({ name: "tube.fbx", bytes: out });
  expect(again.character.skeleton.names).toEqual(skeleton.names);
  expect(again.character.weights!.joints).toEqual(weights.joints);
  return out;
}

/** Models and attributes of a bone: kind and subtype, and the flags of an attribute. */
function typesOf(bytes: Uint8Array, bone: string) {
  return objectsOf(bytes)
    .filter((node) => String(leadingValues(node)[1]).split("\0")[0] === bone)
    .map((node) => {
      const flags = node.children.find(({ name }) => name === "TypeFlags");
      return [node.name, leadingValues(node)[2], ...(flags ? leadingValues(flags) : [])].join(" ");
    })
    .sort();
}

function objectsOf(bytes: Uint8Array): RawFbxNode[] {
  return splitRawFbx("tube.fbx", bytes).nodes.find(({ name }) => name === "Objects")!.children;
}

const LIMB = ["Model LimbNode", "NodeAttribute LimbNode Skeleton"];

describe("a bone of another subtype that receives weights becomes a limb", () => {
  test.each(["Root", "Null"])("%s", async (type) => {
    const bytes = tubeFbx(withTypes(type, "LimbNode"));
    expect(typesOf(bytes, "bone0")[0]).toBe(`Model ${type}`);
    expect(typesOf(await written(bytes, "bone0"), "bone0")).toEqual(LIMB);
  });

  test("a leaf", async () => {
    expect(typesOf(await written(tubeFbx(withTypes("Root", "Null")), "bone3"), "bone3")).toEqual(
      LIMB,
    );
  });

  test("without an attribute, which is added", async () => {
    const bare = withTypes("Root", "LimbNode")
      .replace(/\tNodeAttribute: 300, [\s\S]*?\n\t}\n/, "")
      .replace(/\tC: "OO",300,200\n/, "");
    expect(typesOf(tubeFbx(bare), "bone0")).toEqual(["Model Root"]);
    expect(typesOf(await written(tubeFbx(bare), "bone0"), "bone0")).toEqual(LIMB);
  });

  test("in a text FBX", async () => {
    const text = new TextEncoder().encode(withTypes("Root", "LimbNode"));
    expect(typesOf(await written(text, "bone0"), "bone0")).toEqual(LIMB);
  });
});

test("a Root and a Null without weight stay unchanged", async () => {
  const bytes = tubeFbx(withTypes("Root", "Null"));
  const out = await written(bytes, "bone1");
  for (const bone of ["bone0", "bone3"]) expect(typesOf(out, bone)).toEqual(typesOf(bytes, bone));
});

test("an attribute of several models stays unchanged", async () => {
  const shared = withTypes("Root", "Null").replace('C: "OO",303,203', 'C: "OO",300,203');
  const out = await written(tubeFbx(shared), "bone0");
  expect(typesOf(out, "bone0")).toEqual(["Model LimbNode", "NodeAttribute Root Skeleton"]);
});

test("user properties declared as charptr by MotionBuilder are declared as text", async () => {
  const property = (type: string) => `P: "UDP3DSMAX", "${type}", "", "U", "ns = q|"`;
  const text = withTypes("Root", "LimbNode").replace(
    /("Model::bone0", "Root" {[\s\S]*?Properties70: +{\n)/,
    `$1${property("charptr")}\n`,
  );
  const bytes = tubeFbx(text);
  const valuesOf = (from: Uint8Array) =>
    objectsOf(from)
      .flatMap(({ children }) => children.flatMap((child) => child.children))
      .map(leadingValues)
      .filter(([name]) => name === "UDP3DSMAX");
  expect(valuesOf(bytes)).toEqual([["UDP3DSMAX", "charptr", "", "U", "ns = q|"]]);
  for (const bone of ["bone0", "bone1"]) {
    const [values, ...others] = valuesOf(await written(bytes, bone));
    expect(others).toEqual([]);
    expect(values).toEqual(["UDP3DSMAX", "KString", "", "U", "ns = q|"]);
  }
});
