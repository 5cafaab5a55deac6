import { describe, expect, test } from "vitest";
import { fbxBinary } from "../../../test/helpers/fbx-sample.ts";
import { richFbxText } from "../../../test/helpers/rich-fbx.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";
import { parseFbxText } from "./parse-fbx.ts";
import { leadingValues, type RawFbxNode, splitRawFbx } from "./raw-fbx.ts";

/** Subtype of the first bone, and of the last. */
const withTypes = (first: string, last: string) =>
  richFbxText()
    .replace(/("(?:NodeAttribute|Model)::bone0", )"LimbNode"/g, `$1"${first}"`)
    .replace(/("(?:NodeAttribute|Model)::bone3", )"LimbNode"/g, `$1"${last}"`);

const asBinary = (text: string) => fbxBinary(parseFbxText("tube.fbx", text), 7400);

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
    const bytes = asBinary(withTypes(type, "LimbNode"));
    expect(typesOf(bytes, "bone0")[0]).toBe(`Model ${type}`);
    expect(typesOf(await written(bytes, "bone0"), "bone0")).toEqual(LIMB);
  });

  test("a leaf", async () => {
    expect(typesOf(await written(asBinary(withTypes("Root", "Null")), "bone3"), "bone3")).toEqual(
      LIMB,
    );
  });

  test("without an attribute, which is added", async () => {
    const bare = withTypes("Root", "LimbNode")
      .replace(/\tNodeAttribute: 300, [\s\S]*?\n\t}\n/, "")
      .replace(/\tC: "OO",300,200\n/, "");
    expect(typesOf(asBinary(bare), "bone0")).toEqual(["Model Root"]);
    expect(typesOf(await written(asBinary(bare), "bone0"), "bone0")).toEqual(LIMB);
  });

  test("in a text FBX", async () => {
    const text = new TextEncoder().encode(withTypes("Root", "LimbNode"));
    expect(typesOf(await written(text, "bone0"), "bone0")).toEqual(LIMB);
  });
});

test("a Root and a Null without weight stay unchanged", async () => {
  const bytes = asBinary(withTypes("Root", "Null"));
  const out = await written(bytes, "bone1");
  for (const bone of ["bone0", "bone3"]) expect(typesOf(out, bone)).toEqual(typesOf(bytes, bone));
});

test("an attribute of several models stays unchanged", async () => {
  const shared = withTypes("Root", "Null").replace('C: "OO",303,203', 'C: "OO",300,203');
  const out = await written(asBinary(shared), "bone0");
  expect(typesOf(out, "bone0")).toEqual(["Model LimbNode", "NodeAttribute Root Skeleton"]);
});

test("user properties declared as charptr by MotionBuilder are declared as text", async () => {
  const property = (type: string) => `P: "UDP3DSMAX", "${type}", "", "U", "ns = q|"`;
  const text = withTypes("Root", "LimbNode").replace(
    /("Model::bone0", "Root" {[\s\S]*?Properties70: +{\n)/,
    `$1${property("charptr")}\n`,
  );
  const bytes = asBinary(text);
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
