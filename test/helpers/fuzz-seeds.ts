import { NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTMeshoptCompression } from "@gltf-transform/extensions";
import { draco, reorder } from "@gltf-transform/functions";
// @ts-expect-error the package has no types
import draco3d from "draco3dgltf";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import { parseFbxText } from "../../src/formats/fbx/parse-fbx.ts";
import { readCharacter } from "../../src/formats/read-character.ts";
import { weightsOfFile } from "../../src/formats/weight-files/weight-file.ts";
import { formatWeights } from "../../src/formats/weight-files/weight-formats.ts";
import { BAD_FILES } from "../bad-input/corpus.ts";
import { DAE } from "./dae-sample.ts";
import { fbxBinary, fbxSevenText } from "./fbx-sample.ts";
import { tubeGlb } from "./glb-builder.ts";
import { richDae } from "./rich-dae.ts";
import { richFbxText } from "./rich-fbx.ts";

/** A valid file to damage. */
export interface FuzzSeed {
  /** File name; its extension selects the reader. */
  name: string;
  bytes: Uint8Array;
  /** A valid mesh to combine with a skeleton file, or a valid skeleton for a mesh. */
  mesh?: { name: string; bytes: Uint8Array };
  skeleton?: { name: string; bytes: Uint8Array };
  /** Whether it is odd from the start, and may be refused unchanged. */
  isStrange?: boolean;
  /** The character that a file of weights belongs to. */
  target?: { name: string; bytes: Uint8Array };
  /** Source text of the bytes, so that it can be damaged before packing. */
  source?: { bytes: Uint8Array; build(bytes: Uint8Array): Uint8Array };
}

const text = (content: string) => new TextEncoder().encode(content);

/** At least one file of each readable format, with every feature that the readers support. */
export async function fuzzSeeds(): Promise<FuzzSeed[]> {
  const rich = richTube();
  const fbx = fbxSevenText();
  const obj = { name: "a.obj", bytes: text(OBJ) };
  const rig = { name: "a.txt", bytes: text(RIG) };
  return [
    { name: "plain.glb", bytes: tubeGlb({ rings: 3, joints: 3 }).builder.glb() },
    { name: "rich.glb", bytes: rich.glb() },
    { name: "rich.gltf", bytes: rich.gltf() },
    { name: "rich.vrm", bytes: rich.glb() },
    ...(await packedTubes()),
    { name: "text.fbx", bytes: text(fbx) },
    binaryFbx("old.fbx", fbx, 7400),
    binaryFbx("new.fbx", fbx, 7500),
    { name: "rich.fbx", bytes: text(richFbxText()) },
    binaryFbx("packed.fbx", richFbxText(), 7400),
    { name: "a.dae", bytes: text(DAE) },
    { name: "rich.dae", bytes: text(richDae()) },
    { ...obj, skeleton: rig },
    { ...rig, mesh: obj },
    ...strangeSeeds(rig),
    ...(await weightSeeds()),
  ];
}

/** Files of weights for one mesh. */
async function weightSeeds(): Promise<FuzzSeed[]> {
  const target = { name: "plain.glb", bytes: tubeGlb({ rings: 3, joints: 3 }).builder.glb() };
  const file = await readCharacter(target);
  const weights = weightsOfFile(file, file.character.weights);
  return (["csv", "xml", "json", "ng.json"] as const).map((format) => {
    const [content] = formatWeights(weights, format).values();
    return { name: `weights.${format}`, bytes: text(content), target };
  });
}

/** The small files among the bad ones. */
function strangeSeeds(skeleton: FuzzSeed): FuzzSeed[] {
  return BAD_FILES.filter(({ isSeed }) => isSeed).map(({ name, make }) => ({
    name,
    bytes: make(),
    isStrange: true,
    ...(name.endsWith(".obj") ? { skeleton } : {}),
  }));
}

function binaryFbx(name: string, fbx: string, version: number): FuzzSeed {
  const build = (bytes: Uint8Array) =>
    fbxBinary(parseFbxText(name, new TextDecoder().decode(bytes)), version);
  const source = { bytes: text(fbx), build };
  return { name, bytes: build(source.bytes), source };
}

/** Scaled, with morph targets, sparse values, an image, an animation and two skins. */
function richTube() {
  const { builder } = tubeGlb({ rings: 3, joints: 3, isScaled: true });
  const { json } = builder;
  json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
  json.accessors[0].sparse = {
    count: 1,
    indices: { bufferView: 3, componentType: 5123 },
    values: { bufferView: 0 },
  };
  json.images = [{ bufferView: 0, mimeType: "image/png" }];
  json.textures = [{ source: 0 }];
  json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
  json.skins.push({ joints: [3, 2, 4] });
  json.nodes.push({ name: "twin", mesh: 0, skin: 1, matrix: [...IDENTITY] });
  json.nodes[0].children.push(json.nodes.length - 1);
  const times = builder.add(Float32Array.of(0, 1), "SCALAR", { min: [0], max: [1] });
  const turns = builder.add(Float32Array.of(0, 0, 0, 1, 1, 0, 0, 0), "VEC4");
  json.animations = [
    {
      samplers: [{ input: times, output: turns }],
      channels: [{ sampler: 0, target: { node: 3, path: "rotation" } }],
    },
  ];
  json.extensionsUsed = ["VRMC_vrm"];
  json.extensions = { VRMC_vrm: { specVersion: "1.0", humanoid: { humanBones: {} } } };
  return builder;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

async function packedTubes(): Promise<FuzzSeed[]> {
  await MeshoptEncoder.ready;
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    "draco3d.encoder": await draco3d.createEncoderModule(),
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "meshopt.encoder": MeshoptEncoder,
    "meshopt.decoder": MeshoptDecoder,
  });
  const plain = tubeGlb({ rings: 3, joints: 3 }).builder.glb();
  const byDraco = await io.readBinary(plain);
  await byDraco.transform(draco());
  const byMeshopt = await io.readBinary(plain);
  await byMeshopt.transform(reorder({ encoder: MeshoptEncoder }));
  byMeshopt.createExtension(EXTMeshoptCompression).setRequired(true);
  return [
    { name: "draco.glb", bytes: await io.writeBinary(byDraco) },
    { name: "meshopt.glb", bytes: await io.writeBinary(byMeshopt) },
  ];
}

const OBJ = `# a tetrahedron and a square
mtllib a.mtl
o tetra
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 0 1 0
v 0 0 1
vt 0 0
vn 0 0 1
usemtl red
s 1
f 1/1/1 3/1/1 2/1/1
f 1//1 2//1 4//1
f 1/1 4/1 3/1
f 2 3 4
g square
v 0 2 0
v 1 2 0
v 1 3 0
v 0 3 0
f -4 -3 -2 -1
l 1 2
`;

const RIG = `joints root 0.2 0.1 0.2
joints mid 0.2 0.6 0.2
joints tip 0.2 1.2 0.2
root root
hier root mid
hier mid tip
${Array.from({ length: 8 }, (_, v) => `skin ${v} root ${(v + 1) / 10} mid ${1 - (v + 1) / 10}`).join("\n")}
`;
