import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { glbBuilder, tubeGlb } from "../../test/helpers/glb-builder.ts";
import { readCharacterFile, writeCharacterFile } from "../disk/character-files.ts";
import { checkOutput } from "../disk/output-paths.ts";
import { InputError } from "../input-error.ts";
import { readCharacter } from "./read-character.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "heterskin-io-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function expectRefusal(promise: Promise<unknown>, words: RegExp): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  const { message } = error as InputError;
  expect(message).toMatch(words);
  // One sentence: it ends with its only full stop that ends a word.
  expect(message.replace(/\.(?=\w)/g, "").match(/\.(\s|$)/g)?.length).toBe(1);
}

// biome-ignore lint/suspicious/noExplicitAny: files are broken in every way there is
function broken(change: (json: any) => void): Promise<unknown> {
  const { builder } = tubeGlb();
  change(builder.json);
  return readCharacter({ name: "tube.glb", bytes: builder.glb() });
}

/** Begins like a PNG. */
const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2);

describe("files that are not there", () => {
  test("no file", () =>
    expectRefusal(readCharacterFile(path.join(folder, "none.glb")), /none\.glb: no such file/));
  test("a folder", () => expectRefusal(readCharacterFile(folder), /this is a folder/));
  test("an empty file", async () => {
    await writeFile(path.join(folder, "empty.glb"), "");
    await expectRefusal(readCharacterFile(path.join(folder, "empty.glb")), /the file is empty/);
  });
  test("an unknown format", () =>
    expectRefusal(
      readCharacter({ name: "a.blend", bytes: Uint8Array.from([1, 2]) }),
      /use one of .*\.glb/,
    ));
});

describe("damaged files", () => {
  test("a truncated GLB, wherever it is cut", async () => {
    const bytes = tubeGlb().builder.glb();
    for (let size = 4; size < bytes.length; size += 97) {
      await expectRefusal(
        readCharacter({ name: "cut.glb", bytes: bytes.slice(0, size) }),
        /should have \d+ bytes but has \d+/,
      );
    }
  });

  test("a GLB with a lying chunk", async () => {
    const bytes = tubeGlb().builder.glb();
    new DataView(bytes.buffer).setUint32(12, 0xfffffff0, true);
    await expectRefusal(
      readCharacter({ name: "lie.glb", bytes }),
      /should have \d+ bytes but has \d+/,
    );
  });

  test("a JSON or XML made to exhaust the stack", async () => {
    const deep = `{"asset":{"version":"2.0"},"extras":${"[".repeat(1e5)}${"]".repeat(1e5)}}`;
    await expectRefusal(
      readCharacter({ name: "a.gltf", bytes: new TextEncoder().encode(deep) }),
      /nested more than/,
    );
    const nodes = `<COLLADA>${"<node>".repeat(1e5)}${"</node>".repeat(1e5)}</COLLADA>`;
    await expectRefusal(
      readCharacter({ name: "a.dae", bytes: new TextEncoder().encode(nodes) }),
      /damaged/,
    );
  });

  test("text that is no JSON", () =>
    expectRefusal(
      readCharacter({ name: "a.gltf", bytes: new TextEncoder().encode('{"asset":') }),
      /invalid JSON/,
    ));

  test("a JSON that is no glTF", () =>
    expectRefusal(
      readCharacter({ name: "a.gltf", bytes: new TextEncoder().encode("[]") }),
      /not a glTF/,
    ));

  test.each<[string, (json: ReturnType<typeof tubeGlb>["builder"]["json"]) => void, RegExp]>([
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
  ])("wild indices: %s", (_, change, words) => expectRefusal(broken(change), words));

  test("triangles over vertices that are not there", async () => {
    const { builder } = tubeGlb();
    builder.json.meshes[0].primitives[0].indices = builder.add(
      Uint16Array.from([0, 1, 72]),
      "SCALAR",
    );
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /uses vertex 72, but there are 72/,
    );
  });

  test("weights on joints that are not there", async () => {
    const { builder } = tubeGlb();
    const { attributes } = builder.json.meshes[0].primitives[0];
    attributes.JOINTS_0 = builder.add(new Uint8Array(288).fill(200), "VEC4");
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /joint 200, but its skin has 4/,
    );
  });

  test.each([5126, 5121])("an accessor that claims 4 GB (%i)", async (componentType) => {
    const claim = { componentType, count: 2 ** 32 };
    await expectRefusal(
      broken((json) => Object.assign(json.accessors[0], claim)),
      /accessor 0 needs \d+ bytes/,
    );
    await expectRefusal(
      broken((json) => {
        Object.assign(json.accessors[0], claim);
        delete json.accessors[0].bufferView;
      }),
      /accessor 0 needs \d+ bytes/,
    );
    await expectRefusal(
      broken((json) => Object.assign(json.bufferViews[0], { byteLength: 2 ** 32 })),
      /exceeds buffer/,
    );
    await expectRefusal(
      broken((json) => Object.assign(json.accessors[0], { count: Number.NaN })),
      /unknown type or count/,
    );
  });

  test("a sparse accessor that reaches past its data", () =>
    expectRefusal(
      broken((json) => {
        json.accessors[0].sparse = {
          count: 70,
          indices: { bufferView: 3, byteOffset: 1e6, componentType: 5123 },
          values: { bufferView: 0 },
        };
      }),
      /sparse part of accessor 0 exceeds/,
    ));
});

describe("characters no method could work on", () => {
  test("no joints", async () => {
    const builder = glbBuilder();
    const POSITION = builder.add(new Float32Array(9), "VEC3");
    builder.json.meshes.push({ primitives: [{ attributes: { POSITION } }] });
    builder.json.nodes.push({ mesh: 0 });
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /the file has no joints; .*skeleton/,
    );
    const obj = new TextEncoder().encode("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    await expectRefusal(readCharacter({ name: "a.obj", bytes: obj }), /has no joints/);
  });

  test("nothing at all", () =>
    expectRefusal(
      readCharacter({ name: "a.glb", bytes: glbBuilder().glb() }),
      /a scene refers to node 0|no mesh/,
    ));

  test("positions that are not numbers", async () => {
    const { builder, positions } = tubeGlb();
    positions[40] = Number.NaN;
    builder.json.meshes[0].primitives[0].attributes.POSITION = builder.add(positions, "VEC3");
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /vertex 13 of mesh "tube" is not finite/,
    );
  });

  test.each([Number.NaN, 3e38])("bind matrices of %s", async (value) => {
    const { builder } = tubeGlb();
    builder.json.skins[0].inverseBindMatrices = builder.add(
      new Float32Array(64).fill(value),
      "MAT4",
    );
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /inverse bind matrix 0/,
    );
  });

  test("a hierarchy in a circle, or with two parents", async () => {
    await expectRefusal(
      broken((json) => Object.assign(json.nodes[5], { children: [2] })),
      /its own ancestor/,
    );
    await expectRefusal(
      broken((json) => Object.assign(json.nodes[5], { children: [5] })),
      /its own ancestor/,
    );
    const loop = broken((json) => {
      json.nodes[0].children = [1];
      json.nodes[5].children = [2];
    });
    await expectRefusal(loop, /its own ancestor/);
  });

  test("more joints than can be named", async () => {
    const { builder } = tubeGlb();
    const count = 65536;
    const first = builder.json.nodes.length;
    for (let i = 0; i < count; i++) builder.json.nodes.push({});
    builder.json.nodes[2].children.push(...Array.from({ length: count }, (_, i) => first + i));
    builder.json.skins[0] = { joints: Array.from({ length: count }, (_, i) => first + i) };
    await expectRefusal(
      readCharacter({ name: "a.glb", bytes: builder.glb() }),
      /65536 joints, more than the maximum of 65535/,
    );
  });
});

describe("files beside the file", () => {
  test.each([
    "../outside.bin",
    "%2e%2e/outside.bin",
    "/etc/hostname",
    "file:///etc/hostname",
    "a/../../outside.bin",
  ])("refuses %s", async (uri) => {
    const { builder } = tubeGlb();
    const inner = path.join(folder, "inner");
    await mkdir(inner, { recursive: true });
    await writeFile(path.join(folder, "outside.bin"), builder.bin());
    builder.glb();
    builder.json.buffers[0].uri = uri;
    await writeFile(path.join(inner, "climb.gltf"), JSON.stringify(builder.json));
    await expectRefusal(readCharacterFile(path.join(inner, "climb.gltf")), /outside its folder/);
  });

  test("reads neighbors, and says which one is missing", async () => {
    const { builder } = tubeGlb();
    await writeFile(path.join(folder, "a b.bin"), builder.bin());
    builder.glb();
    builder.json.buffers[0].uri = "a%20b.bin";
    await writeFile(path.join(folder, "near.gltf"), JSON.stringify(builder.json));
    expect((await readCharacterFile(path.join(folder, "near.gltf"))).character.name).toBe("near");
    builder.json.buffers[0].uri = "gone.bin";
    await writeFile(path.join(folder, "far.gltf"), JSON.stringify(builder.json));
    await expectRefusal(
      readCharacterFile(path.join(folder, "far.gltf")),
      /"gone\.bin"\) was not found/,
    );
  });
});

describe("output", () => {
  test("is written whole or not at all, and not over a file without force", async () => {
    const file = await readCharacter({ name: "tube.glb", bytes: tubeGlb().builder.glb() });
    const out = path.join(folder, "out");
    await mkdir(out);
    const target = path.join(out, "tube.glb");
    await writeCharacterFile(target, file, file.character.weights!);
    const first = await readFile(target);
    await expectRefusal(
      writeCharacterFile(target, file, {
        ...file.character.weights!,
        weights: file.character.weights!.weights.map((w) => w / 2 + 0.25),
      }),
      /the file exists/,
    );
    expect(await readFile(target)).toEqual(first);
    await writeCharacterFile(target, file, file.character.weights!, {
      force: true,
      weightType: "uint8",
    });
    expect((await readFile(target)).length).not.toBe(first.length);
    expect(await readdir(out)).toEqual(["tube.glb"]);
    await writeCharacterFile(path.join(out, "tube.gltf"), file, file.character.weights!);
    expect((await readdir(out)).sort()).toEqual(["tube.bin", "tube.glb", "tube.gltf"]);
    expect((await readCharacterFile(path.join(out, "tube.gltf"))).character.mesh).toEqual(
      file.character.mesh,
    );
  });

  test("takes pictures of a .gltf along, in folders of their own", async () => {
    const { builder } = tubeGlb();
    const here = path.join(folder, "here");
    await mkdir(path.join(here, "maps"), { recursive: true });
    await writeFile(path.join(here, "maps", "a.png"), PICTURE);
    builder.json.images = [{ uri: "maps/a.png" }];
    await writeFile(path.join(here, "a.gltf"), builder.gltf());
    const file = await readCharacterFile(path.join(here, "a.gltf"));
    const there = path.join(folder, "there");
    await mkdir(there);
    await writeCharacterFile(path.join(there, "b.gltf"), file, file.character.weights!);
    expect(new Uint8Array(await readFile(path.join(there, "maps", "a.png")))).toEqual(PICTURE);
    // Beside itself the picture is there already and is no file in the way.
    await writeCharacterFile(path.join(here, "b.gltf"), file, file.character.weights!);
    // One from elsewhere comes to lie beside the output, never above it.
    file.source.images.set("../../x.png", PICTURE);
    file.source.json.images!.push({ uri: "../../x.png" });
    await writeCharacterFile(path.join(there, "c.gltf"), file, file.character.weights!);
    expect(new Uint8Array(await readFile(path.join(there, "x.png")))).toEqual(PICTURE);
  });

  test("is RigNet's text where the path says so, and comes back with its weights", async () => {
    const { builder, joints } = tubeGlb();
    const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() });
    const target = path.join(folder, "tube.txt");
    await writeCharacterFile(target, file, file.character.weights!);
    await writeFile(path.join(folder, "bare.glb"), tubeGlb({ isBare: true }).builder.glb());
    const { character } = await readCharacterFile(path.join(folder, "bare.glb"), {
      skeleton: target,
    });
    expect(character.skeleton.positions).toEqual(joints);
    expect([...character.weights!.weights].filter((w) => w > 0)).toEqual(
      [...file.character.weights!.weights].filter((w) => w > 0),
    );
    await expectRefusal(
      writeCharacterFile(target, file, file.character.weights!),
      /the file exists/,
    );
  });

  test("is checked before any work is done", async () => {
    await expectRefusal(checkOutput(path.join(folder, "nowhere", "a.glb")), /does not exist/);
    await expectRefusal(checkOutput(path.join(folder, "a.stl")), /unsupported output format; use/);
    await writeFile(path.join(folder, "taken.glb"), "x");
    await expectRefusal(checkOutput(path.join(folder, "taken.glb")), /the file exists/);
    await checkOutput(path.join(folder, "taken.glb"), true);
    await checkOutput(path.join(folder, "free.glb"));
  });

  test("refuses a place or a format it cannot write", async () => {
    const file = await readCharacter({ name: "tube.glb", bytes: tubeGlb().builder.glb() });
    const { weights } = file.character;
    await expectRefusal(
      writeCharacterFile(path.join(folder, "no", "a.glb"), file, weights!),
      /cannot be written \(ENOENT\)/,
    );
    await expectRefusal(
      writeCharacterFile(path.join(folder, "a.dae"), file, weights!),
      /only a \.dae can be written as a \.dae/,
    );
    await expectRefusal(
      writeCharacterFile(path.join(folder, "a.obj"), file, weights!),
      /use \.glb, \.gltf/,
    );
    await expectRefusal(
      writeCharacterFile(path.join(folder, "a.fbx"), file, weights!),
      /only an \.fbx can be written/,
    );
    await expectRefusal(writeCharacterFile(path.join(folder, "out"), file, weights!), /use \.glb/);
    await mkdir(path.join(folder, "dir.glb"));
    await expectRefusal(
      writeCharacterFile(path.join(folder, "dir.glb"), file, weights!),
      /this is a folder/,
    );
    // A target that cannot be replaced, a folder that is a file: refused late, yet nothing is left behind.
    const before = (await readdir(folder)).sort();
    const forced = { force: true };
    await expectRefusal(
      writeCharacterFile(path.join(folder, "dir.glb"), file, weights!, forced),
      /this is a folder/,
    );
    await writeFile(path.join(folder, "plain"), "x");
    await expectRefusal(
      writeCharacterFile(path.join(folder, "plain", "a.glb"), file, weights!),
      /cannot be written \(ENOTDIR\)/,
    );
    expect((await readdir(folder)).sort()).toEqual([...before, "plain"].sort());
    const locked = path.join(folder, "locked");
    await mkdir(locked);
    await chmod(locked, 0o500);
    if (process.getuid?.() !== 0) {
      await expectRefusal(
        writeCharacterFile(path.join(locked, "a.glb"), file, weights!),
        /cannot be written/,
      );
      expect(await readdir(locked)).toEqual([]);
    }
  });
});
