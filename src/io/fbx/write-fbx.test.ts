import { describe, expect, test } from "vitest";
import { fbxBinary, fbxSevenText } from "../../../test/fbx-sample.ts";
import { dense, randomWeights } from "../../../test/random-weights.ts";
import { createRandom } from "../../math/random.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";
import { parseFbxText } from "./parse-fbx-text.ts";
import { joinRawFbx, type RawFbxNode, splitRawFbx } from "./raw-fbx.ts";
import { leadingValues } from "./raw-values.ts";

const text = fbxSevenText();
const asBinary = (version: number, content = text) =>
  fbxBinary(parseFbxText("a.fbx", content), version);
const read = (bytes: Uint8Array) => readCharacter({ name: "square.fbx", bytes });

/** All that is not a deformer, a pose, a connection or a count, as text. */
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
  test("taken apart and put together is the same file", () => {
    const bytes = asBinary(version);
    expect(joinRawFbx(splitRawFbx("a.fbx", bytes))).toEqual(bytes);
  });

  test.each(["a", "b", "c"])("takes new weights and keeps the rest (seed %s)", async (seed) => {
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

  test("a mesh without a skin gets one, with clusters and a bind pose", async () => {
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

test("what is no binary FBX cannot be written as one", async () => {
  const file = await read(new TextEncoder().encode(text));
  expect(() => writeCharacter(file, file.character.weights!, { format: "fbx" })).toThrow(
    /FBX is text/,
  );
});

test("an FBX cut off anywhere is one sentence, or a file that can be read", async () => {
  const bytes = asBinary(7400);
  const random = createRandom("cut");
  for (let i = 0; i < 60; i++) {
    const cut = bytes.slice(0, Math.floor(random() * bytes.length));
    try {
      joinRawFbx(splitRawFbx("a.fbx", cut));
    } catch (error) {
      expect((error as Error).message).toMatch(/ends early or is damaged/);
    }
  }
});
