import { describe, expect, test } from "vitest";
import { bounds, packGlb, skinOf, tubeGlb } from "../../test/helpers/glb-builder.ts";
import { validateGltf } from "../../test/helpers/validate-gltf.ts";
import { createRandom } from "../math/random.ts";
import { checkWeights } from "../weights/check-weights.ts";
import { type SkinWeights, weightsFromSlots } from "../weights/skin-weights.ts";
import { limitInfluences } from "../weights/weight-locks.ts";
import { readFloats, readIntegers } from "./gltf/accessors.ts";
import { splitGlb } from "./gltf/glb.ts";
import { type InputFile, readCharacter } from "./read-character.ts";
import { writeCharacter } from "./write-character.ts";

const SEED = 11;

const read = (bytes: Uint8Array, name = "tube.glb", skeleton?: InputFile) =>
  readCharacter({ name, bytes }, skeleton ? { skeleton } : {});

/** Weights that no file has: `slots` joints at every vertex. */
function randomWeights(vertices: number, joints: number, slots: number): SkinWeights {
  const random = createRandom(SEED);
  const rows = Array.from({ length: vertices }, () => {
    const all = Array.from({ length: joints }, (_, joint) => ({ joint, key: random() }));
    return all
      .sort((a, b) => a.key - b.key)
      .slice(0, slots)
      .map(({ joint }) => joint);
  });
  const values = Float32Array.from({ length: vertices * slots }, () => 0.05 + random());
  return weightsFromSlots(rows.flat(), values, slots);
}

function expectSameWeights(
  found: SkinWeights | undefined,
  wanted: SkinWeights,
  tolerance = 1e-6,
): void {
  expect(found?.influences).toBe(wanted.influences);
  expect([...found!.joints]).toEqual([...wanted.joints]);
  found!.weights.forEach((weight, i) => {
    expect(Math.abs(weight - wanted.weights[i])).toBeLessThan(tolerance);
  });
}

describe("writeCharacter", () => {
  test.each([
    { maxInfluences: 4, weightType: "float32", tolerance: 1e-6 },
    { maxInfluences: 8, weightType: "float32", tolerance: 1e-6 },
    { maxInfluences: 8, weightType: "uint16", tolerance: 1 / 65535 },
    { maxInfluences: 4, weightType: "uint8", tolerance: 1 / 255 },
    { maxInfluences: 1, weightType: "uint8", tolerance: 1e-6 },
  ] as const)("reads the weights it wrote ($maxInfluences, $weightType)", async (given) => {
    const { tolerance, ...options } = given;
    const file = await read(tubeGlb({ joints: 9, isScaled: true }).builder.glb());
    const weights = randomWeights(72, 9, 8);
    const { bytes } = writeCharacter(file, weights, options);
    expect(await validateGltf(bytes)).toEqual([]);
    const again = await read(bytes);
    const wanted = limitInfluences(weights, options.maxInfluences);
    if (options.weightType === "float32") expectSameWeights(again.character.weights, wanted);
    again.character.weights!.weights.forEach((weight, i) => {
      expect(Math.abs(weight - wanted.weights[i])).toBeLessThanOrEqual(tolerance);
    });
    expect(checkWeights(again.character.weights!, 72, 9)).toEqual([]);
    expect(again.character.mesh).toEqual(file.character.mesh);
    expect(again.character.skeleton).toEqual(file.character.skeleton);
  });

  test("stores integers with an exact sum", async () => {
    const file = await read(tubeGlb({ joints: 9 }).builder.glb());
    const { bytes } = writeCharacter(file, randomWeights(72, 9, 8), {
      maxInfluences: 8,
      weightType: "uint16",
    });
    const { source } = await read(bytes);
    const { attributes } = source.json.meshes![0].primitives[0];
    const [a, b] = [
      readIntegers(source, attributes.WEIGHTS_0),
      readIntegers(source, attributes.WEIGHTS_1),
    ];
    for (let v = 0; v < 72; v++) {
      const row = [...a.subarray(v * 4, v * 4 + 4), ...b.subarray(v * 4, v * 4 + 4)];
      expect(row.reduce((sum, value) => sum + value, 0)).toBe(65535);
    }
  });

  test("carries over unknown content, and every other byte", async () => {
    const { builder, positions } = tubeGlb();
    const { json } = builder;
    const deltas = positions.map((value) => value / 10);
    const times = builder.add(Float32Array.from([0, 1]), "SCALAR", { min: [0], max: [1] });
    const turns = builder.add(Float32Array.from([0, 0, 0, 1, 0, 0, 1, 0]), "VEC4");
    json.animations = [
      {
        name: "wave",
        channels: [{ sampler: 0, target: { node: 3, path: "rotation" } }],
        samplers: [{ input: times, output: turns }],
      },
    ];
    json.meshes[0].primitives[0].targets = [
      { POSITION: builder.add(deltas, "VEC3", bounds(deltas)) },
    ];
    json.meshes[0].extras = { targetNames: ["fat"] };
    json.extensionsUsed = ["VRM", "ACME_secret"];
    json.extensions = {
      VRM: { meta: { title: "tube" }, humanoid: { humanBones: [{ bone: "hips", node: 2 }] } },
    };
    json.nodes[2].extensions = { ACME_secret: { answer: 42 } };
    json.nodes[4].extras = { note: "artist's" };
    json.materials = [
      { name: "skin", extensions: { ACME_secret: { deep: [1, 2, { three: 3 }] } } },
    ];
    json.meshes[0].primitives[0].material = 0;
    const before = builder.glb();
    const { bytes, format } = writeCharacter(
      await read(before, "tube.vrm"),
      randomWeights(72, 4, 3),
    );
    expect(format).toBe("vrm");
    const [was, is] = [splitGlb("was", before), splitGlb("is", bytes)];
    const [oldJson, newJson] = [JSON.parse(was.text), JSON.parse(is.text)];
    for (const key of ["animations", "extensions", "extensionsUsed", "materials"]) {
      expect(newJson[key]).toEqual(oldJson[key]);
    }
    expect(newJson.meshes[0].extras).toEqual(oldJson.meshes[0].extras);
    expect(newJson.nodes.map((node: { name: string }) => node.name)).toEqual(
      json.nodes.map((node: { name: string }) => node.name),
    );
    expect([newJson.nodes[2].extensions, newJson.nodes[4].extras]).toEqual([
      { ACME_secret: { answer: 42 } },
      { note: "artist's" },
    ]);
    const { JOINTS_0, WEIGHTS_0 } = json.meshes[0].primitives[0].attributes;
    oldJson.accessors.forEach((accessor: { bufferView: number }, index: number) => {
      if (index === JOINTS_0 || index === WEIGHTS_0) return;
      expect(newJson.accessors[index]).toEqual(accessor);
      const { byteOffset, byteLength } = oldJson.bufferViews[accessor.bufferView];
      expect(newJson.bufferViews[accessor.bufferView]).toEqual(
        oldJson.bufferViews[accessor.bufferView],
      );
      expect(is.bin!.slice(byteOffset, byteOffset + byteLength)).toEqual(
        was.bin!.slice(byteOffset, byteOffset + byteLength),
      );
    });
  });

  test("does not grow when repeated", async () => {
    const file = await read(tubeGlb().builder.glb());
    const once = writeCharacter(file, randomWeights(72, 4, 4)).bytes;
    const twice = writeCharacter(await read(once), randomWeights(72, 4, 4)).bytes;
    expect(twice).toEqual(once);
  });

  test("removes sets it no longer needs", async () => {
    const file = await read(tubeGlb({ joints: 9 }).builder.glb());
    const eight = writeCharacter(file, randomWeights(72, 9, 8), { maxInfluences: 8 }).bytes;
    const four = writeCharacter(await read(eight), randomWeights(72, 9, 3)).bytes;
    const { attributes } = JSON.parse(splitGlb("four", four).text).meshes[0].primitives[0];
    expect(Object.keys(attributes).sort()).toEqual(["JOINTS_0", "POSITION", "WEIGHTS_0"]);
  });

  test("adds a skin with existing joints", async () => {
    const { builder, positions, joints } = tubeGlb({ isBare: true, isScaled: true });
    const file = await read(builder.glb());
    const weights = randomWeights(72, 4, 4);
    const { bytes } = writeCharacter(file, weights);
    expect(await validateGltf(bytes)).toEqual([]);
    const again = await read(bytes);
    expectSameWeights(again.character.weights, weights);
    again.character.mesh.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(positions[i], 5);
    });
    again.character.skeleton.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(joints[i], 5);
    });
  });

  test("adds the joints of another file, and a copy of a mesh that is used at two positions", async () => {
    const { builder } = tubeGlb({ isBare: true, joints: 1 });
    builder.json.nodes.push(
      { name: "twin", mesh: 0, translation: [1, 0, 0], children: [4] },
      { name: "child" },
    );
    builder.json.scenes[0].nodes.push(3);
    const rig = tubeGlb({ isScaled: true, joints: 5 });
    const skeleton = { name: "rig.glb", bytes: rig.builder.glb() };
    const file = await read(builder.glb(), "tube.glb", skeleton);
    const weights = randomWeights(144, 5, 4);
    const { bytes } = writeCharacter(file, weights);
    expect(await validateGltf(bytes)).toEqual([]);
    const again = await read(bytes);
    expectSameWeights(again.character.weights, weights);
    expect(again.character.mesh.positions[72 * 3]).toBeCloseTo(1.2, 5);
    again.character.skeleton.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(rig.joints[i], 5);
    });
  });

  test("extends a skin by a missing joint with weight", async () => {
    const { builder, joints } = tubeGlb();
    // The second mesh follows only joints 0 and 1, in its own bind space.
    const { attributes, indices } = builder.json.meshes[0].primitives[0];
    const moved = tubeGlb().positions.map((value) => value + 3);
    const POSITION = builder.add(moved, "VEC3", bounds(moved));
    const zeros = builder.add(new Uint8Array(288), "VEC4");
    builder.json.meshes.push({
      primitives: [{ attributes: { ...attributes, POSITION, JOINTS_0: zeros }, indices }],
    });
    builder.json.skins.push(skinOf(builder, joints.slice(0, 6), [-3, -3, -3]));
    builder.json.nodes.push({ mesh: 1, skin: 1 });
    builder.json.scenes[0].nodes.push(6);
    const file = await read(builder.glb());
    const weights = randomWeights(144, 4, 4);
    const { bytes } = writeCharacter(file, weights);
    expect(await validateGltf(bytes)).toEqual([]);
    const again = await read(bytes);
    expectSameWeights(again.character.weights, weights);
    expect(again.source.json.skins![1].joints.length).toBe(4);
    const inverses = readFloats(again.source, again.source.json.skins![1].inverseBindMatrices!);
    const byJoint = again.source.json.skins![1].joints.map((node, i) => [
      node,
      inverses[i * 16 + 13],
    ]);
    for (const [node, y] of byJoint) expect(y).toBeCloseTo(-3 - joints[(node - 2) * 3 + 1], 5);
  });

  test("assigns a vertex without weight to its nearest bone", async () => {
    const file = await read(tubeGlb().builder.glb());
    const bare = { influences: 4, joints: new Uint16Array(288), weights: new Float32Array(288) };
    const { bytes } = writeCharacter(file, bare);
    expect(await validateGltf(bytes)).toEqual([]);
    const { weights } = (await read(bytes)).character;
    // At the end of the tube the bone to the last joint is as near as that joint.
    expect([weights!.joints[0], weights!.joints.at(-1)]).toEqual([0, 2]);
  });

  test("writes a .gltf with its buffer and images next to it, and embeds them in a GLB", async () => {
    const { builder } = tubeGlb();
    const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
    builder.json.images = [{ uri: "skin%20a.png" }];
    const resolve = async (uri: string) => (uri === "skin%20a.png" ? picture : undefined);
    const file = await readCharacter({ name: "tube.gltf", bytes: builder.gltf(), resolve });
    const written = writeCharacter(file, randomWeights(72, 4, 4), { name: "out" });
    expect([...written.sidecars.keys()].sort()).toEqual(["out.bin", "skin%20a.png"]);
    expect(written.sidecars.get("skin%20a.png")).toEqual(picture);
    const again = await readCharacter({
      name: "out.gltf",
      bytes: written.bytes,
      resolve: async (uri) => written.sidecars.get(uri),
    });
    expect(again.character.mesh).toEqual(file.character.mesh);
    const glb = await read(writeCharacter(file, randomWeights(72, 4, 4), { format: "glb" }).bytes);
    const { bufferView } = glb.source.json.images![0];
    const { byteOffset = 0, byteLength } = glb.source.json.bufferViews![bufferView!];
    expect(glb.source.buffers[0].slice(byteOffset, byteOffset + byteLength)).toEqual(picture);
  });

  test("refuses unsupported output", async () => {
    const file = await read(tubeGlb().builder.glb());
    const weights = randomWeights(72, 4, 4);
    expect(() => writeCharacter(file, weights, { format: "vrm" })).toThrow("not a VRM");
    expect(() => writeCharacter(file, weights, { maxInfluences: 9 })).toThrow("use 1 to 8");
    expect(() => writeCharacter(file, randomWeights(71, 4, 4))).toThrow("a row for each of 72");
  });

  test("reads a GLB whose JSON was packed by another program", () => {
    expect(splitGlb("x", packGlb("{}", new Uint8Array(4))).text.trim()).toBe("{}");
  });
});
