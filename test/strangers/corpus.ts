import { deflateSync } from "node:zlib";
import type { FbxNode } from "../../src/formats/fbx/fbx-node.ts";
import { parseFbxText } from "../../src/formats/fbx/parse-fbx.ts";
import { DAE } from "../helpers/dae-sample.ts";
import { fbxBinary, fbxSevenText } from "../helpers/fbx-sample.ts";
import { glbBuilder, tubeGlb } from "../helpers/glb-builder.ts";

/** A file that somebody made to do harm, or by mistake, and what must become of it. */
export interface StrangeFile {
  /** What is strange about it. */
  what: string;
  name: string;
  make(): Uint8Array;
  /** What the refusal says; undefined where it is bound. */
  refusal?: RegExp;
  /** What a note says. */
  note?: RegExp;
  /** Small enough to be damaged further by the thousand. */
  isSeed?: boolean;
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const fbxRoot = (): FbxNode => parseFbxText("a.fbx", fbxSevenText());
const TETRA = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const TOO_LARGE = /raise the limit if you trust the file/;

/** A tube whose JSON is changed before it is packed. */
// biome-ignore lint/suspicious/noExplicitAny: tests break files in every way there is
function gltf(change: (json: any) => void): Uint8Array {
  const { builder } = tubeGlb({ rings: 3, joints: 3 });
  change(builder.json);
  return builder.gltf();
}

/** A binary FBX of one node whose strings all claim the rest of the file, which they share. */
function greedyStrings(): Uint8Array {
  const count = 12_000;
  const size = 228_000;
  const bytes = Buffer.alloc(27 + 13 + 3 + size);
  bytes.write("Kaydara FBX Binary  \0");
  bytes.writeUInt32LE(7400, 23);
  bytes.writeUInt32LE(27 + 13 + 3 + count * 5, 27);
  bytes.writeUInt32LE(count, 31);
  bytes.writeUInt8(3, 39);
  bytes.write("Bad", 40);
  for (let i = 0, at = 43; i < count; i++, at += 5) {
    bytes.write("S", at);
    bytes.writeUInt32LE(size - 5 * i - 10, at + 1);
  }
  return bytes;
}

/** A binary FBX with many packed arrays of zeros. */
function zipBomb(): Uint8Array {
  const root = fbxRoot();
  const packed = deflateSync(Buffer.alloc(64 * 2 ** 20));
  const head = Buffer.alloc(13);
  head.write("d", 0);
  head.writeUInt32LE(8 * 2 ** 20, 1);
  head.writeUInt32LE(1, 5);
  head.writeUInt32LE(packed.length, 9);
  const value = Buffer.concat([head, packed]);
  const plain = fbxBinary({ ...root, children: [] }, 7400).subarray(0, 27);
  const nodes = Array.from({ length: 48 }, (_, i) => {
    const node = Buffer.alloc(13 + 1);
    node.writeUInt32LE(27 + (i + 1) * (14 + value.length), 0);
    node.writeUInt32LE(1, 4);
    node.writeUInt32LE(value.length, 8);
    node.writeUInt8(1, 12);
    node.write("x", 13);
    return Buffer.concat([node, value]);
  });
  return Buffer.concat([plain, ...nodes]);
}

/** Nodes that show each other twice: 2 to the power of `depth` of them. */
function doublingDae(depth: number): string {
  const node = (i: number) =>
    `<node id="n${i}"><instance_node url="#n${i + 1}"/><instance_node url="#n${i + 1}"/></node>`;
  const nodes = Array.from({ length: depth }, (_, i) => node(i)).join("");
  return DAE.replace(
    "</visual_scene>",
    `<node id="top"><instance_node url="#n0"/></node></visual_scene>`,
  ).replace(
    "<library_visual_scenes>",
    `<library_nodes>${nodes}<node id="n${depth}"/></library_nodes><library_visual_scenes>`,
  );
}

/** Text FBX with a line of models, each below the one before. */
function modelChain(count: number): string {
  const models = Array.from(
    { length: count },
    (_, i) => `Model: ${1000 + i}, "Model::m${i}", "Null" {}`,
  );
  const links = Array.from({ length: count - 1 }, (_, i) => `C: "OO",${1001 + i},${1000 + i}`);
  return fbxSevenText()
    .replace("Objects:  {", `Objects:  {\n${models.join("\n")}`)
    .replace("Connections:  {", `Connections:  {\n${links.join("\n")}`);
}

const deepDae = (depth: number) =>
  DAE.replace(
    "</visual_scene>",
    `${'<node name="d">'.repeat(depth)}${"</node>".repeat(depth)}</visual_scene>`,
  );

/** Files that take more than they give. */
const BOMBS: StrangeFile[] = [
  { what: "FBX strings beyond their node", name: "a.fbx", make: greedyStrings, refusal: /damaged/ },
  { what: "FBX arrays that unpack to gigabytes", name: "a.fbx", make: zipBomb, refusal: TOO_LARGE },
  {
    what: "DAE nodes that double 25 times",
    name: "a.dae",
    make: () => text(doublingDae(25)),
    refusal: TOO_LARGE,
  },
  {
    what: "an XML of opening brackets",
    name: "a.dae",
    make: () => text(`<COLLADA>${"<".repeat(20_000)}`),
    refusal: /damaged/,
    isSeed: true,
  },
  {
    what: "an XML of opening comments",
    name: "a.dae",
    make: () => text(`<COLLADA>${"<!--".repeat(20_000)}`),
    refusal: /damaged/,
  },
  {
    what: "an XML of quotes",
    name: "a.dae",
    make: () => text(`<COLLADA ${`a="b`.repeat(50_000)}`),
    refusal: /damaged/,
  },
  {
    what: "3,000 primitives on one accessor",
    name: "a.gltf",
    make: () => {
      const builder = glbBuilder();
      const position = builder.add(new Float32Array(300_000), "VEC3", {
        min: [0, 0, 0],
        max: [0, 0, 0],
      });
      const primitives = Array.from({ length: 3000 }, (_, i) => ({
        attributes: { POSITION: position, ...(i ? { JOINTS_0: position } : {}) },
      }));
      // Different sets of attributes, so that they cannot share their vertices.
      for (const [i, p] of primitives.entries()) {
        Object.assign(p.attributes, { [`JOINTS_${i}`]: position });
      }
      builder.json.meshes.push({ primitives });
      builder.json.nodes.push({ mesh: 0 }, { children: [2] }, { name: "j" });
      return builder.gltf();
    },
    refusal: TOO_LARGE,
  },
  {
    what: "six million vertices by instances of one mesh",
    name: "a.gltf",
    make: () => {
      const builder = glbBuilder();
      const position = builder.add(new Float32Array(90_000), "VEC3", {
        min: [0, 0, 0],
        max: [0, 0, 0],
      });
      builder.json.meshes.push({ primitives: [{ attributes: { POSITION: position } }] });
      for (let i = 0; i < 200; i++) builder.json.nodes.push({ mesh: 0 });
      builder.json.nodes.push({ children: [201] }, { name: "j" });
      return builder.gltf();
    },
    refusal: TOO_LARGE,
  },
  {
    what: "60,000 joints",
    name: "a.gltf",
    make: () =>
      gltf((json) => {
        const first = json.nodes.length;
        for (let i = 0; i < 60_000; i++) json.nodes.push({ name: `j${i}` });
        json.nodes[0].children.push(...Array.from({ length: 60_000 }, (_, i) => first + i));
        json.skins[0].joints = Array.from({ length: 60_000 }, (_, i) => first + i);
        delete json.skins[0].inverseBindMatrices;
      }),
    refusal: TOO_LARGE,
  },
  {
    what: "a polygon of 30,000 corners",
    name: "a.obj",
    make: () => {
      const corners = Array.from({ length: 30_000 }, (_, i) => i + 1);
      const points = corners.map((i) => `v ${Math.cos(i / 4775)} ${Math.sin(i / 4775)} 0`);
      return text(`${points.join("\n")}\nf ${corners.join(" ")}\n`);
    },
  },
];

/** Files that used to end in an error of ours. */
const RAW: StrangeFile[] = [
  {
    what: "a data URI cut in a letter",
    name: "a.gltf",
    make: () =>
      text(
        JSON.stringify({
          asset: { version: "2.0" },
          buffers: [{ uri: "data:,%E0%A4%A", byteLength: 1 }],
        }),
      ),
    refusal: /buffer 0/,
    isSeed: true,
  },
  {
    what: "a data URI in capitals",
    name: "a.gltf",
    make: () => text(new TextDecoder().decode(gltf(() => {})).replace("data:", "DATA:")),
    isSeed: true,
  },
  {
    what: "a letter beyond the last",
    name: "a.dae",
    make: () => text(DAE.replace('name="square"', 'name="&#x110000;&#99999999999;&constructor;"')),
    isSeed: true,
  },
  {
    what: "inputs at no offset",
    name: "a.dae",
    make: () =>
      text(DAE.replaceAll('offset="1"', 'offset="-3"').replaceAll('offset="0"', 'offset="0.5"')),
    refusal: /offsets/,
  },
  { what: "20,000 models in a line", name: "a.fbx", make: () => text(modelChain(20_000)) },
  { what: "nodes 900 deep", name: "a.dae", make: () => text(deepDae(900)) },
  { what: "nodes 1,200 deep", name: "a.dae", make: () => text(deepDae(1200)), refusal: /deep/ },
];

/** Files without a mesh, or with one that could be missed. */
const MESHLESS: StrangeFile[] = [
  {
    what: "OBJ with line ends of old",
    name: "a.obj",
    make: () => text(TETRA.replaceAll("\n", "\r")),
    isSeed: true,
  },
  { what: "an OBJ of blanks", name: "a.obj", make: () => text(" \n"), refusal: /no mesh/ },
  {
    what: "an OBJ without faces",
    name: "a.obj",
    make: () => text("v 0 0 0\nv 1 0 0\n"),
    refusal: /no mesh/,
  },
  {
    what: "rubbish named .obj",
    name: "a.obj",
    make: () => text("PK\x03\x04 what is this?"),
    refusal: /no mesh/,
  },
  {
    what: "FBX polygons that never close",
    name: "a.fbx",
    make: () =>
      text(
        fbxSevenText().replace(
          /(PolygonVertexIndex: \*\d+ \{ a: )([^}]*)/,
          (_, head, list: string) => `${head}${list.replace(/-\d+/g, "1")}`,
        ),
      ),
    refusal: /no mesh/,
    isSeed: true,
  },
  {
    what: "DAE with lying counts",
    name: "a.dae",
    make: () =>
      text(
        DAE.replace("<vcount>3</vcount>", "<vcount>3000</vcount>").replace(
          "<p>0 0 1 0 2 0</p>",
          "<p></p>",
        ),
      ),
    refusal: /no mesh/,
    isSeed: true,
  },
  {
    what: "DAE with nothing but a skeleton",
    name: "a.dae",
    make: () => text(DAE.replace(/<node id="n-sq"[\s\S]*?<\/node>(?=\s*<\/visual_scene>)/, "")),
    refusal: /no mesh/,
  },
];

/** Every way a picture can be named that is not there, which must not refuse a character. */
const URIS = [
  "../textures/wood.png",
  "/art/hers/wood.png",
  "C:\\art\\wood.png",
  "..",
  ".",
  "",
  "http://example.com/wood.png",
  "file:///etc/passwd",
  "blob:abc",
  "https://x/y.png",
  "//host/x.png",
  "%",
  "%2e%2e/wood.png",
  ".env",
  ".git/config",
  "a\0b.png",
  "con:",
  "\u001b[31m.png",
  "x".repeat(300),
];

const PICTURES: StrangeFile[] = [
  ...URIS.map(
    (uri): StrangeFile => ({
      what: `a glTF's picture at ${JSON.stringify(uri).slice(0, 40)}`,
      name: "a.gltf",
      make: () =>
        gltf((json) => {
          json.images = [{ uri }];
          json.textures = [{ source: 0 }];
          json.materials = [{ normalTexture: { index: 0 } }];
        }),
      note: /picture/,
    }),
  ),
  ...["/art/hers/a.mtl", "../a.mtl", "http://x/a.mtl", ".env", ""].map(
    (path): StrangeFile => ({
      what: `materials at ${JSON.stringify(path)}`,
      name: "a.obj",
      make: () => text(`mtllib ${path}\n${TETRA}`),
    }),
  ),
];

/** All of them, by what is strange. */
export const STRANGE_FILES: readonly StrangeFile[] = [...BOMBS, ...RAW, ...MESHLESS, ...PICTURES];
