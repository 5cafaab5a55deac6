import { deflateSync } from "node:zlib";
import type { FbxNode } from "../../src/formats/fbx/fbx-node.ts";
import { parseFbxText } from "../../src/formats/fbx/parse-fbx.ts";
import { DAE } from "../helpers/dae-sample.ts";
import { fbxBinary, fbxSevenText } from "../helpers/fbx-sample.ts";
import { glbBuilder, tubeGlb } from "../helpers/glb-builder.ts";

/**
 * A damaged or malicious file, and the expected outcome. `files.test.ts` passes each of them to the reader and to
 * the commands `bind` and `inspect`.
 */
export interface BadFile {
  /** What is wrong with the file; the title of its test. */
  what: string;
  name: string;
  make(): Uint8Array;
  /** Pattern of the refusal; undefined if the file can be bound. */
  refusal?: RegExp;
  /** Whether the reader and `inspect` accept the file: only binding requires the damaged part. */
  canRead?: boolean;
  /** Whether `inspect` accepts the file although the reader does not. */
  canInspect?: boolean;
  /** Pattern of a note. */
  note?: RegExp;
  /** Large once unpacked: skips `inspect`, which reads it like `bind`. */
  isLarge?: boolean;
  /** Small enough to be damaged further, thousands of times. */
  isSeed?: boolean;
}

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const fbxRoot = (): FbxNode => parseFbxText("a.fbx", fbxSevenText());
const TETRA = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const TOO_LARGE = /raise the limit if you trust the file/;

/** A tube whose JSON is changed before it is packed. */
// biome-ignore lint/suspicious/noExplicitAny: tests break files in every possible way
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

/** Text FBX with a chain of models, each below the previous one. */
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

/** Files that need far more resources than their size suggests. */
const BOMBS: BadFile[] = [
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
    what: "12,000 joints at one position",
    name: "a.gltf",
    make: () =>
      gltf((json) => {
        const first = json.nodes.length;
        const joints = Array.from({ length: 12_000 }, (_, i) => first + i);
        for (const joint of joints) json.nodes.push({ name: `j${joint}` });
        json.nodes[0].children.push(...joints);
        json.skins[0].joints.push(...joints);
        delete json.skins[0].inverseBindMatrices;
      }),
  },
  {
    what: "15,000 primitives of one triangle",
    name: "a.gltf",
    make: () => {
      const builder = glbBuilder();
      const points = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
      const POSITION = builder.add(points, "VEC3", { min: [0, 0, 0], max: [1, 1, 0] });
      const JOINTS_0 = builder.add(new Uint8Array(12), "VEC4");
      const WEIGHTS_0 = builder.add(new Float32Array(12).fill(0.25), "VEC4");
      const primitives = Array.from({ length: 15_000 }, (_, i) => ({
        // Another attribute each, so that they share no vertices.
        attributes: { POSITION, JOINTS_0, WEIGHTS_0, [`JOINTS_${i + 1}`]: JOINTS_0 },
      }));
      builder.json.meshes.push({ primitives });
      builder.json.nodes.push({ mesh: 0, skin: 0 }, { name: "j" }, { name: "k" });
      builder.json.scenes[0].nodes.push(1, 2);
      builder.json.skins = [{ joints: [1, 2] }];
      return builder.gltf();
    },
  },
  {
    what: "40,000 nodes that show one COLLADA mesh",
    name: "a.dae",
    make: () => {
      const [shown] = /<node id="n-sq"[\s\S]*?<\/node>/.exec(DAE)!;
      const copy = shown.replace('id="n-sq"', "");
      return text(DAE.replace("</visual_scene>", `${copy.repeat(40_000)}</visual_scene>`));
    },
    refusal: TOO_LARGE,
  },
  {
    what: "2,000 nodes that show a COLLADA polygon of 10,000 corners",
    name: "a.dae",
    make: () => {
      const [shown] = /<node id="n-sq"[\s\S]*?<\/node>/.exec(DAE)!;
      const copy = shown.replace('id="n-sq"', "");
      const corners = Array.from({ length: 10_000 }, (_, i) => `${i % 4} 0`).join(" ");
      return text(
        DAE.replace("</visual_scene>", `${copy.repeat(2000)}</visual_scene>`)
          .replace("<vcount>3</vcount>", "<vcount>10000</vcount>")
          .replace("<p>0 0 2 0 3 0</p>", `<p>${corners}</p>`),
      );
    },
    refusal: TOO_LARGE,
  },
  {
    what: "a COLLADA skin that names a joint 30,000 times, of 30,000 nodes",
    name: "a.dae",
    make: () =>
      text(
        DAE.replace("Hip Knee</Name_array>", `${"Hip ".repeat(30_000)}Knee</Name_array>`).replace(
          '<node id="n-hip"',
          `${'<node sid="Hip"/>'.repeat(30_000)}<node id="n-hip"`,
        ),
      ),
  },
  {
    what: "FBX text nested 2,000 deep",
    name: "a.fbx",
    make: () =>
      text(
        fbxSevenText().replace(
          "Objects:  {",
          () => `Objects:  {\n${"x: 1 {\n".repeat(2000)}${"}\n".repeat(2000)}`,
        ),
      ),
    refusal: /damaged/,
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

/** Files that once ended in an internal error. */
const RAW: BadFile[] = [
  {
    what: "a data URI cut within an escape",
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
    what: "a code point beyond the last",
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
  { what: "a chain of 20,000 models", name: "a.fbx", make: () => text(modelChain(20_000)) },
  { what: "nodes 900 deep", name: "a.dae", make: () => text(deepDae(900)) },
  { what: "nodes 1,200 deep", name: "a.dae", make: () => text(deepDae(1200)), refusal: /deep/ },
];

/** Files without a mesh, or with one that a reader could miss. */
const MESHLESS: BadFile[] = [
  {
    what: "OBJ with old Mac line ends",
    name: "a.obj",
    make: () => text(TETRA.replaceAll("\n", "\r")),
    isSeed: true,
  },
  {
    what: "an OBJ of spaces",
    name: "a.obj",
    make: () => text(" \n"),
    refusal: /no mesh/,
    canRead: true,
  },
  {
    what: "an OBJ without faces",
    name: "a.obj",
    make: () => text("v 0 0 0\nv 1 0 0\n"),
    refusal: /no mesh/,
    canRead: true,
  },
  {
    what: "rubbish named .obj",
    name: "a.obj",
    make: () => text("PK\x03\x04 what is this?"),
    refusal: /no mesh/,
    canRead: true,
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
    canRead: true,
    isSeed: true,
  },
  {
    what: "DAE with wrong counts",
    name: "a.dae",
    make: () =>
      text(
        DAE.replace("<vcount>3</vcount>", "<vcount>3000</vcount>").replace(
          "<p>0 0 1 0 2 0</p>",
          "<p></p>",
        ),
      ),
    refusal: /no mesh/,
    canRead: true,
    isSeed: true,
  },
  {
    what: "DAE with only a skeleton",
    name: "a.dae",
    make: () => text(DAE.replace(/<node id="n-sq"[\s\S]*?<\/node>(?=\s*<\/visual_scene>)/, "")),
    refusal: /no mesh/,
    canRead: true,
  },
];

/** References to missing images in every form; none of them may refuse a character. */
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

const PICTURES: BadFile[] = [
  ...URIS.map(
    (uri): BadFile => ({
      what: `a glTF's image at ${JSON.stringify(uri).slice(0, 40)}`,
      name: "a.gltf",
      make: () =>
        gltf((json) => {
          json.images = [{ uri }];
          json.textures = [{ source: 0 }];
          json.materials = [{ normalTexture: { index: 0 } }];
        }),
      note: /image/,
    }),
  ),
  ...["/art/hers/a.mtl", "../a.mtl", "http://x/a.mtl", ".env", ""].map(
    (path): BadFile => ({
      what: `materials at ${JSON.stringify(path)}`,
      name: "a.obj",
      make: () => text(`mtllib ${path}\n${TETRA}`),
    }),
  ),
];

/** A tube as a GLB, after a change to its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests break files in every possible way
function glb(change: (json: any, builder: ReturnType<typeof glbBuilder>) => void): Uint8Array {
  const { builder } = tubeGlb();
  change(builder.json, builder);
  return builder.glb();
}

/** A tube as a glTF with another buffer. */
function gltfWithBuffer(buffer: { byteLength: number; uri: string }): Uint8Array {
  const json = JSON.parse(new TextDecoder().decode(gltf(() => {})));
  return text(JSON.stringify({ ...json, buffers: [buffer] }));
}

/** The first bytes of a GLB. */
function cut(size: number): Uint8Array {
  return tubeGlb().builder.glb().slice(0, size);
}

const CUT = /should have \d+ bytes but has \d+/;

/** Files that are truncated, or whose name does not match their content. */
const DAMAGED: BadFile[] = [
  { what: "an empty file", name: "a.glb", make: () => new Uint8Array(0), refusal: /empty/ },
  ...[4, 10, 101, 700, 1000, 2000].map(
    (size): BadFile => ({
      what: `a GLB cut at byte ${size}`,
      name: "a.glb",
      make: () => cut(size),
      refusal: CUT,
    }),
  ),
  {
    what: "a GLB with a wrong chunk length",
    name: "a.glb",
    make: () => {
      const bytes = tubeGlb().builder.glb();
      new DataView(bytes.buffer).setUint32(12, 0xfffffff0, true);
      return bytes;
    },
    refusal: CUT,
  },
  { what: "noise", name: "a.glb", make: () => text("what is this?"), refusal: /neither a GLB nor/ },
  ...["fbx", "dae", "obj"].map(
    (ending): BadFile => ({
      what: `noise with the extension .${ending}`,
      name: `a.${ending}`,
      make: () => text("what is this?"),
      refusal: /./,
      canRead: ending === "obj",
    }),
  ),
  { what: "an unknown format", name: "a.xyz", make: () => text("what?"), refusal: /use one of/ },
  {
    what: "a USD",
    name: "a.usdz",
    make: () => text("#usda 1.0"),
    refusal: /convert the file to GLB/,
  },
  { what: "text that is not JSON", name: "a.gltf", make: () => text("{ no"), refusal: /JSON/ },
  { what: "half a JSON", name: "a.gltf", make: () => text('{"asset":'), refusal: /invalid JSON/ },
  {
    what: "a JSON that is not glTF",
    name: "a.gltf",
    make: () => text("[]"),
    refusal: /not a glTF/,
  },
  {
    what: "a JSON made to exhaust the stack",
    name: "a.gltf",
    make: () => text(`{"asset":{"version":"2.0"},"extras":${"[".repeat(1e5)}${"]".repeat(1e5)}}`),
    refusal: /nested more than/,
  },
  {
    what: "an XML made to exhaust the stack",
    name: "a.dae",
    make: () => text(`<COLLADA>${"<node>".repeat(1e5)}${"</node>".repeat(1e5)}</COLLADA>`),
    refusal: /damaged/,
  },
];

/** Indices, sizes and counts in the JSON that are out of range. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const WILD: [string, (json: any) => void, RegExp][] = [
  ["a child", (json) => json.nodes[2].children.push(99), /node 2 refers to node 99/],
  ["a mesh", (json) => Object.assign(json.nodes[1], { mesh: -1 }), /node 1 refers to mesh -1/],
  ["a skin", (json) => Object.assign(json.nodes[1], { skin: 7 }), /node 1 refers to skin 7/],
  ["a joint", (json) => json.skins[0].joints.push(1e9), /skin 0 refers to node 1000000000/],
  ["a root", (json) => json.scenes[0].nodes.push(0.5), /a scene refers to node 0\.5/],
  [
    "an accessor",
    (json) => Object.assign(json.meshes[0].primitives[0].attributes, { POSITION: 50 }),
    /accessor 50/,
  ],
  [
    "indices",
    (json) => Object.assign(json.meshes[0].primitives[0], { indices: "x" }),
    /accessor x/,
  ],
  ["a view", (json) => Object.assign(json.accessors[0], { bufferView: 60 }), /buffer view 60/],
  ["a buffer", (json) => Object.assign(json.bufferViews[0], { buffer: 3 }), /buffer 3/],
  [
    "matrices",
    (json) => Object.assign(json.accessors[4], { count: 2 }),
    /4 joints but 2 inverse bind matrices/,
  ],
  ["lists", (json) => Object.assign(json, { nodes: 5 }), /"nodes" is not a list/],
  [
    "primitives",
    (json) => Object.assign(json.meshes[0], { primitives: null }),
    /mesh 0 has no primitives/,
  ],
  ...[5126, 5121].flatMap((componentType): (typeof WILD)[number][] => {
    const claim = { componentType, count: 2 ** 32 };
    return [
      [
        `4 GB in an accessor of type ${componentType}`,
        (json) => Object.assign(json.accessors[0], claim),
        /accessor 0 needs \d+ bytes/,
      ],
      [
        `4 GB in an accessor of type ${componentType} without a view`,
        (json) => {
          Object.assign(json.accessors[0], claim);
          delete json.accessors[0].bufferView;
        },
        /accessor 0 needs \d+ bytes/,
      ],
    ];
  }),
  [
    "4 GB in a view",
    (json) => Object.assign(json.bufferViews[0], { byteLength: 2 ** 32 }),
    /exceeds buffer/,
  ],
  [
    "a count that is not a number",
    (json) => Object.assign(json.accessors[0], { count: Number.NaN }),
    /unknown type or count/,
  ],
  [
    "a sparse accessor past its data",
    (json) => {
      json.accessors[0].sparse = {
        count: 70,
        indices: { bufferView: 3, byteOffset: 1e6, componentType: 5123 },
        values: { bufferView: 0 },
      };
    },
    /sparse part of accessor 0 exceeds/,
  ],
  [
    "a joint below its grandchild",
    (json) => Object.assign(json.nodes[5], { children: [2] }),
    /its own ancestor/,
  ],
  [
    "a joint below itself",
    (json) => Object.assign(json.nodes[5], { children: [5] }),
    /its own ancestor/,
  ],
  [
    "a cycle and two parents",
    (json) => {
      json.nodes[0].children = [1];
      json.nodes[5].children = [2];
    },
    /its own ancestor/,
  ],
];

/** Characters that no method can bind, and arrays of different lengths. */
const UNFIT: BadFile[] = [
  ...WILD.map(
    ([what, change, refusal]): BadFile => ({
      what: `wild values: ${what}`,
      name: "a.glb",
      make: () => glb(change),
      refusal,
    }),
  ),
  {
    what: "a 4 GB buffer claim",
    name: "a.gltf",
    make: () => gltfWithBuffer({ byteLength: 4294967295, uri: "data:," }),
    refusal: /./,
  },
  {
    what: "triangles over missing vertices",
    name: "a.glb",
    make: () =>
      glb((json, builder) => {
        const indices = builder.add(Uint16Array.from([0, 1, 72]), "SCALAR");
        json.meshes[0].primitives[0].indices = indices;
      }),
    refusal: /uses vertex 72, but there are 72/,
  },
  {
    what: "weights on missing joints",
    name: "a.glb",
    make: () =>
      glb((json, builder) => {
        const joints = builder.add(new Uint8Array(288).fill(200), "VEC4");
        json.meshes[0].primitives[0].attributes.JOINTS_0 = joints;
      }),
    refusal: /joint 200, but its skin has 4/,
  },
  {
    what: "a mesh without joints",
    name: "a.glb",
    make: () => {
      const builder = glbBuilder();
      const POSITION = builder.add(new Float32Array(9), "VEC3");
      builder.json.meshes.push({ primitives: [{ attributes: { POSITION } }] });
      builder.json.nodes.push({ mesh: 0 });
      return builder.glb();
    },
    refusal: /the file has no joints; .*skeleton/,
    canInspect: true,
  },
  {
    what: "nothing at all",
    name: "a.glb",
    make: () => glbBuilder().glb(),
    refusal: /a scene refers to node 0|no mesh/,
  },
  {
    what: "positions that are not numbers",
    name: "a.glb",
    make: () => {
      const { builder, positions } = tubeGlb();
      positions[40] = Number.NaN;
      builder.json.meshes[0].primitives[0].attributes.POSITION = builder.add(positions, "VEC3");
      return builder.glb();
    },
    refusal: /vertex 13 of mesh "tube" is not finite/,
    canInspect: true,
  },
  ...[Number.NaN, 3e38].map(
    (value): BadFile => ({
      what: `bind matrices of ${value}`,
      name: "a.glb",
      make: () =>
        glb((json, builder) => {
          const matrices = builder.add(new Float32Array(64).fill(value), "MAT4");
          json.skins[0].inverseBindMatrices = matrices;
        }),
      refusal: /inverse bind matrix 0/,
      canInspect: true,
    }),
  ),
  {
    what: "more joints than can be named",
    name: "a.glb",
    make: () =>
      glb((json) => {
        const first = json.nodes.length;
        const joints = Array.from({ length: 65536 }, (_, i) => first + i);
        json.nodes.push(...joints.map(() => ({})));
        json.nodes[2].children.push(...joints);
        json.skins[0] = { joints };
      }),
    refusal: /65536 joints, more than the maximum of 65535/,
  },
  ...[
    "../outside.bin",
    "%2e%2e/outside.bin",
    "/etc/hostname",
    "file:///etc/hostname",
    "a/../../outside.bin",
    "../../etc/passwd",
  ].map(
    (uri): BadFile => ({
      what: `a buffer at ${uri}`,
      name: "a.gltf",
      make: () => gltfWithBuffer({ byteLength: 9, uri }),
      refusal: /outside its (own )?folder/,
    }),
  ),
  {
    what: "a buffer that is missing",
    name: "a.gltf",
    make: () => gltfWithBuffer({ byteLength: 9, uri: "gone.bin" }),
    refusal: /"gone\.bin"\) was not found/,
  },
];

/** All bad files. */
export const BAD_FILES: readonly BadFile[] = [
  ...BOMBS.map((file) => ({ ...file, isLarge: true })),
  ...RAW,
  ...MESHLESS,
  ...PICTURES,
  ...DAMAGED,
  ...UNFIT,
];
