import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Character } from "../src/character/character.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { writeCharacter } from "../src/formats/index.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();

/** A tetrahedron on a chain of two joints. */
function character(): Character {
  return {
    name: "tetra",
    mesh: {
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
    },
    skeleton: {
      names: ["root", "tip"],
      parents: Int32Array.of(-1, 0),
      positions: Float32Array.of(0.2, 0.1, 0.2, 0.2, 0.6, 0.2),
    },
  };
}

const weights = {
  influences: 1,
  joints: Uint16Array.of(0, 0, 1, 0),
  weights: Float32Array.of(1, 1, 1, 1),
};

function glb(): Uint8Array {
  return writeCharacter(fileFromCharacter(character()), weights).bytes;
}

interface Gltf {
  json: Record<string, never[]> & { asset: unknown };
  nodes: { name?: string; children?: number[]; skin?: number; mesh?: number }[];
  buffers: { uri: string; byteLength: number }[];
  accessors: { count: number; bufferView: number; byteOffset?: number }[];
  bufferViews: { byteOffset: number; byteLength: number }[];
  skins?: { joints: number[]; inverseBindMatrices?: number }[];
  meshes: { primitives: { attributes: Record<string, number>; indices: number }[] }[];
}

/** The same character as text, after a change to its JSON or bytes. */
function gltf(change: (json: Gltf, bytes: Uint8Array) => void): string {
  const file = fileFromCharacter(character());
  const { bytes, sidecars } = writeCharacter(file, weights, { format: "gltf", name: "tetra" });
  const json = JSON.parse(new TextDecoder().decode(bytes)) as Gltf;
  const [buffer] = sidecars.values();
  const copy = buffer.slice();
  json.buffers[0].uri = "";
  change(json, copy);
  json.buffers[0].uri ||= `data:application/octet-stream;base64,${Buffer.from(copy).toString("base64")}`;
  return JSON.stringify(json);
}

function positionBytes(json: Gltf, bytes: Uint8Array): DataView {
  const accessor = json.accessors[json.meshes[0].primitives[0].attributes.POSITION];
  const view = json.bufferViews[accessor.bufferView];
  return new DataView(bytes.buffer, (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0));
}

/** What is wrong, how to make it, the file's name, and what the sentence must say. */
const CASES: [string, (file: string) => void, string, RegExp][] = [
  ["no file", () => {}, "a.glb", /no such file/],
  ["a folder", (file) => mkdirSync(file), "a.glb", /folder/],
  ["an empty file", (file) => writeFileSync(file, ""), "a.glb", /empty/],
  ["a truncated GLB", (file) => writeFileSync(file, glb().subarray(0, 700)), "a.glb", /./],
  ["half a GLB header", (file) => writeFileSync(file, glb().subarray(0, 10)), "a.glb", /./],
  ["noise", (file) => writeFileSync(file, "what is this?"), "a.glb", /neither a GLB nor/],
  ["noise with an FBX ending", (file) => writeFileSync(file, "what is this?"), "a.fbx", /./],
  ["noise with a DAE ending", (file) => writeFileSync(file, "what is this?"), "a.dae", /./],
  ["noise with an OBJ ending", (file) => writeFileSync(file, "what is this?"), "a.obj", /./],
  ["an unknown format", (file) => writeFileSync(file, "what is this?"), "a.xyz", /format/],
  ["JSON that is none", (file) => writeFileSync(file, "{ nope"), "a.gltf", /JSON/],
  [
    "wild vertex indices",
    (file) =>
      writeFileSync(
        file,
        gltf((json, bytes) => {
          const accessor = json.accessors[json.meshes[0].primitives[0].indices];
          const start = json.bufferViews[accessor.bufferView].byteOffset;
          bytes.fill(255, start, start + 24);
        }),
      ),
    "a.gltf",
    /./,
  ],
  [
    "wild node indices",
    (file) =>
      writeFileSync(
        file,
        gltf(({ nodes }) => {
          nodes[0].children = [4711];
        }),
      ),
    "a.gltf",
    /4711|node/,
  ],
  [
    "a URI that climbs out of its folder",
    (file) =>
      writeFileSync(
        file,
        gltf(({ buffers }) => {
          buffers[0].uri = "../../etc/passwd";
        }),
      ),
    "a.gltf",
    /outside its folder/,
  ],
  [
    "a 4 GB accessor claim",
    (file) =>
      writeFileSync(
        file,
        gltf((json) => {
          json.accessors[json.meshes[0].primitives[0].attributes.POSITION].count = 357913942;
        }),
      ),
    "a.gltf",
    /./,
  ],
  [
    "a 4 GB buffer claim",
    (file) =>
      writeFileSync(
        file,
        gltf((json) => {
          json.buffers[0].byteLength = 4294967295;
        }),
      ),
    "a.gltf",
    /./,
  ],
  [
    "no joints",
    (file) =>
      writeFileSync(
        file,
        gltf((json) => {
          const shown = json.nodes.findIndex((node) => node.mesh !== undefined);
          const node = json.nodes[shown];
          delete node.skin;
          delete json.skins;
          json.nodes = [node];
          Object.assign(json, { scenes: [{ nodes: [0] }] });
        }),
      ),
    "a.gltf",
    /joints/,
  ],
  [
    "NaN positions",
    (file) =>
      writeFileSync(
        file,
        gltf((json, bytes) => positionBytes(json, bytes).setFloat32(4, NaN, true)),
      ),
    "a.gltf",
    /not (a|finite)|NaN/,
  ],
  [
    "a cyclic hierarchy",
    (file) =>
      writeFileSync(
        file,
        gltf(({ nodes, skins }) => {
          const [root, tip] = skins![0].joints;
          nodes[tip].children = [root];
        }),
      ),
    "a.gltf",
    /circle|cycl|own|parent/,
  ],
  [
    "more than 65,535 joints",
    (file) =>
      writeFileSync(
        file,
        gltf((json) => {
          const first = json.nodes.length;
          const extra = Array.from({ length: 66000 }, (_, i) => first + i);
          json.nodes.push(...extra.map((i) => ({ name: `j${i}` })));
          const root = json.nodes[json.skins![0].joints[0]];
          root.children = [...(root.children ?? []), ...extra];
          json.skins![0].joints.push(...extra);
          delete json.skins![0].inverseBindMatrices;
        }),
      ),
    "a.gltf",
    /65,?535/,
  ],
];

describe("bad input", () => {
  test.each(CASES)(
    "bind: %s ends in one sentence and leaves nothing",
    async (_, make, name, says) => {
      make(folder.at(name));
      const before = folder.list();
      const run = await runCli("bind", folder.at(name), folder.at("out.glb"));
      expect(run.stderr).toMatch(/^heterskin: [^\n]{10,400}\n$/);
      expect(run.stderr).toMatch(says);
      expect(run.status).toBe(1);
      expect(run.stdout).toBe("");
      expect(folder.list()).toEqual(before);
    },
  );

  test.each(CASES.filter(([what]) => what !== "no joints" && !what.startsWith("NaN")))(
    "inspect: %s ends in one sentence",
    async (_, make, name) => {
      make(folder.at(name));
      const run = await runCli("inspect", folder.at(name));
      expect(run.stderr).toMatch(/^heterskin: [^\n]{10,400}\n$/);
      expect(run.status).toBe(1);
    },
  );
});

describe("bad output", () => {
  test.each<[string, (file: string) => void, string, RegExp]>([
    ["a folder that does not exist", () => {}, "none/out.glb", /no folder/],
    ["a folder that is a file", () => {}, "in.glb/out.glb", /no folder/],
    ["a folder in its place", (file) => mkdirSync(file), "out.glb", /folder/],
    ["a format we do not write", () => {}, "out.obj", /cannot be written/],
    ["an FBX of what is none", () => {}, "out.fbx", /only be written if the input is \.fbx/],
    ["a file that is there", (file) => writeFileSync(file, "mine"), "out.glb", /--force/],
  ])("%s is refused before any work", async (_, make, name, says) => {
    writeFileSync(folder.at("in.glb"), glb());
    make(folder.at(name));
    const before = folder.list();
    const run = await runCli("bind", folder.at("in.glb"), folder.at(name));
    expect(run.stderr).toMatch(says);
    expect(run.status).toBe(1);
    expect(folder.list()).toEqual(before);
  });

  test.skipIf(process.platform !== "linux")("a place nobody can write to is refused", async () => {
    writeFileSync(folder.at("in.glb"), glb());
    const run = await runCli("bind", folder.at("in.glb"), "/proc/out.glb");
    expect(run.stderr).toMatch(/^heterskin: \/proc\/out\.glb: [^\n]+\n$/);
    expect(run.status).toBe(1);
  });

  test.each([
    ["--report", "none/r.json"],
    ["--picture", "none/p.png"],
    ["--picture", "p.jpg"],
    ["--report", "out.glb"],
    ["--report", "in.glb"],
  ])("%s %s is refused before anything is written", async (option, name) => {
    writeFileSync(folder.at("in.glb"), glb());
    const run = await runCli(
      "bind",
      folder.at("in.glb"),
      folder.at("out.glb"),
      option,
      folder.at(name),
    );
    expect(run.status).toBe(1);
    expect(folder.list()).toEqual(["in.glb"]);
  });
});
