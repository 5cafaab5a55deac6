import { writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./run.mjs";

/** The oldest supported version of each library, and a program that uses it. */
export const PEERS = [
  {
    name: "three@0.150.0",
    code: `import { skin } from "heterskin";
import { characterFromThree, createSkinnedMesh, fillSkinnedMesh } from "heterskin/three";
import { Bone, BoxGeometry, Mesh, MeshBasicMaterial } from "three";

const mesh = new Mesh(new BoxGeometry(1, 2, 1, 4, 8, 4), new MeshBasicMaterial());
const [foot, head] = [new Bone(), new Bone()];
foot.add(head);
head.position.y = 1;
const { weights } = await skin(characterFromThree(mesh, [foot, head]));
const skinned = createSkinnedMesh(mesh, [foot, head], weights);
if (characterFromThree(skinned).skeleton.names.length !== 2) throw new Error("joints are lost");
fillSkinnedMesh(skinned, weights);
`,
  },
  {
    name: "@gltf-transform/core@4.0.0",
    code: `import { NodeIO } from "@gltf-transform/core";
import { skin } from "heterskin";
import { bind } from "heterskin/gltf-transform";

const document = await new NodeIO().read("fox.glb");
await document.transform(bind(async (character) => (await skin(character)).weights));
await new NodeIO().write("transformed.glb", document);
`,
  },
];

/** Installs a peer dependency and runs its program. */
export function useOldPeers(project, { name, code }) {
  run(project, "npm", ["install", "--no-audit", "--no-fund", name]);
  writeFileSync(path.join(project, "peer.js"), code);
  run(project, process.execPath, ["peer.js"]);
  return `works with ${name}`;
}
