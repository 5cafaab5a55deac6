import { expect, test } from "vitest";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { loadWithThree } from "../../../test/helpers/load-with-three.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { fileLosses } from "../describe-file.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

type Builder = ReturnType<typeof tubeGlb>["builder"];

async function rewrite(
  builder: Builder,
  liftMeshes = true,
): Promise<{ bytes: Uint8Array; json: Builder["json"] }> {
  const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() });
  const { bytes } = writeCharacter(file, file.character.weights!, { liftMeshes });
  const { source } = await readCharacter({ name: "tube.glb", bytes });
  return { bytes, json: source.json };
}

test("keeps a skinned mesh and its transform in place by default", async () => {
  const { builder } = tubeGlb({ isScaled: true });
  Object.assign(builder.json.nodes[1], { translation: [1, 2, 3], rotation: [0, 1, 0, 0] });
  const before = JSON.parse(JSON.stringify(builder.json));
  const { bytes, json } = await rewrite(builder, false);
  expect(json.nodes).toEqual(before.nodes);
  expect(json.scenes).toEqual(before.scenes);
  expect(await validateGltf(bytes)).toEqual([]);
  const codes = (await validateGltf(bytes, undefined, true)).map(({ code }) => code);
  expect(codes.sort()).toEqual([
    "NODE_SKINNED_MESH_LOCAL_TRANSFORMS",
    "NODE_SKINNED_MESH_NON_ROOT",
  ]);
});

test("counts moved meshes, and none by default", async () => {
  const file = await readCharacter({ name: "tube.glb", bytes: tubeGlb().builder.glb() });
  expect(fileLosses(file, "glb")).toEqual([]);
  expect(fileLosses(file, "glb", { liftMeshes: true })).toEqual([
    { what: "positions of skinned meshes in the node tree", count: 1 },
  ]);
  expect(file.source.json.nodes![0].children).toEqual([1, 2]);
});

test("moves a skinned mesh to the top of its scene and drops its transform", async () => {
  const { builder } = tubeGlb({ isScaled: true });
  Object.assign(builder.json.nodes[1], { translation: [1, 2, 3], rotation: [0, 1, 0, 0] });
  const { bytes, json } = await rewrite(builder);
  expect(json.nodes[1]).toEqual({ name: "tube", mesh: 0, skin: 0 });
  expect(json.nodes[0].children).toEqual([2]);
  expect(json.scenes[0].nodes).toEqual([0, 1]);
  expect(await validateGltf(bytes, undefined, true)).toEqual([]);
});

test("keeps a node with children in place, and moves its mesh to a new node", async () => {
  const { builder } = tubeGlb();
  builder.json.nodes[1].children = [6];
  builder.json.nodes[1].translation = [0, 0, 1];
  builder.json.nodes.push({ name: "child" });
  const { bytes, json } = await rewrite(builder);
  expect(json.nodes[1]).toEqual({ name: "tube", children: [6], translation: [0, 0, 1] });
  expect(json.nodes[7]).toEqual({ name: "tube", mesh: 0, skin: 0 });
  expect(await validateGltf(bytes, undefined, true)).toEqual([]);
});

test("does not move nodes that extensions may hide, or that a VRM 1.0 refers to", async () => {
  const hidden = tubeGlb().builder;
  hidden.json.nodes[0].extensions = { KHR_node_visibility: { visible: false } };
  hidden.json.extensionsUsed = ["KHR_node_visibility"];
  expect((await rewrite(hidden)).json.nodes[0].children).toEqual([1, 2]);
  const avatar = tubeGlb().builder;
  avatar.json.nodes[1].children = [6];
  avatar.json.nodes.push({ name: "child" });
  const extension = {
    specVersion: "1.0",
    firstPerson: { meshAnnotations: [{ node: 1, type: "both" }] },
  };
  avatar.json.extensions = { VRMC_vrm: extension };
  avatar.json.extensionsUsed = ["VRMC_vrm"];
  const { json } = await rewrite(avatar);
  expect(json.nodes[1].mesh).toBe(0);
  expect(json.extensions.VRMC_vrm).toEqual(extension);
});

test("is loaded by three.js as a skinned mesh with its bones", async () => {
  const { bytes } = await rewrite(tubeGlb({ isScaled: true }).builder);
  const { scene } = await loadWithThree(bytes);
  const types: string[] = [];
  scene.traverse((object) => {
    types.push(object.type);
  });
  expect(types.filter((type) => type === "SkinnedMesh").length).toBe(1);
  expect(types.filter((type) => type === "Bone").length).toBe(4);
});
