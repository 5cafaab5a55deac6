import { describe, expect, test } from "vitest";
import { bounds, glbBuilder, skinOf, tubeGlb } from "../../test/helpers/glb-builder.ts";
import { checkWeights } from "../weights/check-weights.ts";
import { weightsFromSlots } from "../weights/skin-weights.ts";
import { readCharacter } from "./read-character.ts";
import { writeCharacter } from "./write-character.ts";

const read = (bytes: Uint8Array, name = "tube.glb") => readCharacter({ name, bytes });

function expectClose(found: ArrayLike<number>, wanted: ArrayLike<number>, tolerance = 1e-5): void {
  expect(found.length).toBe(wanted.length);
  for (let i = 0; i < found.length; i++)
    expect(Math.abs(found[i] - wanted[i])).toBeLessThan(tolerance);
}

describe("readCharacter", () => {
  test.each([{ isScaled: false }, { isScaled: true }])(
    "converts vertices and joints to the world space of the rest pose ($isScaled)",
    async (options) => {
      const { builder, positions, joints } = tubeGlb(options);
      const { character } = await read(builder.glb());
      expect(character.name).toBe("tube");
      expectClose(character.mesh.positions, positions);
      expectClose(character.skeleton.positions, joints);
      expect([...character.skeleton.parents]).toEqual([-1, 0, 1, 2]);
      expect(character.skeleton.names).toEqual(["bone0", "bone1", "bone2", "bone3"]);
      expect(checkWeights(character.weights!, positions.length / 3, 4)).toEqual([]);
    },
  );

  test("reads the joints of a file in other units without their scale", async () => {
    const bare = tubeGlb({ isBare: true });
    const rig = tubeGlb({ isScaled: true });
    const file = await readCharacter(
      { name: "bare.glb", bytes: bare.builder.glb() },
      { skeleton: { name: "rig.glb", bytes: rig.builder.glb() } },
    );
    expectClose(file.character.skeleton.positions, rig.joints);
    const count = bare.positions.length / 3;
    const weights = weightsFromSlots(new Int32Array(count), new Float32Array(count).fill(1), 1);
    const again = await read(writeCharacter(file, weights, { format: "glb" }).bytes);
    expectClose(again.character.mesh.positions, bare.positions);
    expectClose(again.character.skeleton.positions, rig.joints);
    for (const node of again.rig.nodes)
      expect(again.source.json.nodes![node].scale).toBeUndefined();
  });

  test("reads a .gltf with a data URI like the same GLB", async () => {
    const { builder } = tubeGlb({ isScaled: true });
    const [glb, gltf] = [await read(builder.glb()), await read(builder.gltf(), "tube.gltf")];
    expect(gltf.character).toEqual(glb.character);
    expect([glb.format, gltf.format]).toEqual(["glb", "gltf"]);
  });

  test.each(["tube.fbx", "tube.dae", "tube.obj", "tube.gltf"])(
    "recognizes a GLB by its bytes, although it is called %s",
    async (name) => {
      const bytes = tubeGlb().builder.glb();
      const file = await read(bytes, name);
      expect(file.format).toBe("glb");
      expect(file.character).toEqual((await read(bytes)).character);
    },
  );

  test("uses the bind pose, not the rest pose of the file", async () => {
    const { builder, positions, joints } = tubeGlb();
    builder.json.nodes[3].rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const { character, oddities } = await read(builder.glb());
    expectClose(character.mesh.positions, positions);
    expectClose(character.skeleton.positions, joints);
    expect(oddities.join()).toContain("3 of 4 joints");
  });

  test("uses the nearest joint above as the parent, across other nodes", async () => {
    const { builder } = tubeGlb();
    builder.json.nodes.push({ name: "between", children: [4] });
    builder.json.nodes[3].children = [builder.json.nodes.length - 1];
    const { character } = await read(builder.glb());
    expect([...character.skeleton.parents]).toEqual([-1, 0, 1, 2]);
  });

  test("aligns two skins with different bind spaces by the joints they share", async () => {
    const { builder, positions, joints } = tubeGlb();
    const moved = positions.map((value, i) => value - [5, 6, 7][i % 3]);
    const { attributes, indices } = builder.json.meshes[0].primitives[0];
    const POSITION = builder.add(moved, "VEC3", bounds(moved));
    builder.json.meshes.push({
      primitives: [{ attributes: { ...attributes, POSITION }, indices }],
    });
    builder.json.skins.push(skinOf(builder, joints, [5, 6, 7]));
    builder.json.nodes.push({ mesh: 1, skin: 1 });
    builder.json.scenes[0].nodes.push(6);
    const { character, parts } = await read(builder.glb());
    expect(parts.map((part) => [part.mesh, part.skin, part.first])).toEqual([
      [0, 0, 0],
      [1, 1, positions.length / 3],
    ]);
    expectClose(character.mesh.positions.subarray(positions.length), positions);
    expect(character.skeleton.names.length).toBe(4);
  });

  test("merges skins with separate joints", async () => {
    const { builder } = tubeGlb();
    builder.json.nodes.push({ name: "tail", translation: [0, 0, 1] }, { mesh: 1, skin: 1 });
    builder.json.nodes[2].children.push(6);
    builder.json.scenes[0].nodes.push(7);
    builder.json.meshes.push(structuredClone(builder.json.meshes[0]));
    const inverse = builder.add(
      Float32Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -1, 1]),
      "MAT4",
    );
    builder.json.skins.push({ joints: [6], inverseBindMatrices: inverse });
    const zeros = builder.add(new Uint8Array(72 * 4), "VEC4");
    builder.json.meshes[1].primitives[0].attributes.JOINTS_0 = zeros;
    const { character } = await read(builder.glb());
    expect(character.skeleton.names.at(-1)).toBe("tail");
    expect(character.skeleton.parents[4]).toBe(0);
    expect(character.weights!.joints.at(-2)).toBe(4);
  });

  test("reads quantized positions, weights and sparse accessors", async () => {
    const { builder, positions } = tubeGlb();
    const { attributes } = builder.json.meshes[0].primitives[0];
    const quantized = Int16Array.from(positions, (value) => Math.round((value / 2) * 32767));
    const padded = new Int16Array((quantized.length / 3) * 4);
    quantized.forEach((value, i) => {
      padded[Math.floor(i / 3) * 4 + (i % 3)] = value;
    });
    attributes.POSITION = builder.add(padded, "VEC4", { normalized: true });
    builder.json.accessors[attributes.POSITION].type = "VEC3";
    builder.json.bufferViews.at(-1).byteStride = 8;
    // Two meters were stored as 1: a scale without a joint in the bind matrices restores them.
    const inverses = builder.json.accessors[builder.json.skins[0].inverseBindMatrices];
    const matrices = new Float32Array(64);
    [0, 0.5, 1, 1.5].forEach((y, j) => {
      matrices.set([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, -y, 0, 1], j * 16);
    });
    inverses.bufferView = builder.json.accessors[builder.add(matrices, "MAT4")].bufferView;
    const rows = builder.add(Uint16Array.from([3, 5]), "SCALAR");
    const values = builder.add(Int16Array.from([32767, 0, 0, 0, 32767, 0]), "SCALAR");
    builder.json.accessors[attributes.POSITION].sparse = {
      count: 2,
      indices: { bufferView: builder.json.accessors[rows].bufferView, componentType: 5123 },
      values: { bufferView: builder.json.accessors[values].bufferView },
    };
    const bytes = Uint8Array.from({ length: 288 }, (_, i) => [100, 155, 0, 0][i % 4]);
    attributes.WEIGHTS_0 = builder.add(bytes, "VEC4", { normalized: true });
    attributes.JOINTS_0 = builder.add(
      Uint16Array.from({ length: 288 }, (_, i) => i % 4),
      "VEC4",
    );
    const { character } = await read(builder.glb());
    const wanted = positions.slice();
    wanted.set([2, 0, 0], 9);
    wanted.set([0, 2, 0], 15);
    expectClose(character.mesh.positions, wanted, 1e-4);
    expect([...character.weights!.joints.subarray(0, 2)]).toEqual([1, 0]);
    expectClose(character.weights!.weights.subarray(0, 2), [155 / 255, 100 / 255]);
  });

  test("adds up a repeated joint over several sets, and drops unused slots", async () => {
    const { builder } = tubeGlb();
    const { attributes } = builder.json.meshes[0].primitives[0];
    const set = (row: number[]) => Array.from({ length: 72 }, () => row).flat();
    attributes.JOINTS_0 = builder.add(Uint8Array.from(set([0, 1, 0, 0])), "VEC4");
    attributes.WEIGHTS_0 = builder.add(Float32Array.from(set([0.1, 0.3, 0, 0])), "VEC4");
    attributes.JOINTS_1 = builder.add(Uint8Array.from(set([3, 1, 2, 0])), "VEC4");
    attributes.WEIGHTS_1 = builder.add(Float32Array.from(set([0.2, 0.4, 0, 0])), "VEC4");
    const { weights } = (await read(builder.glb())).character;
    expect(weights!.influences).toBe(3);
    expect([...weights!.joints.subarray(0, 3)]).toEqual([1, 3, 0]);
    expectClose(weights!.weights.subarray(0, 3), [0.7, 0.2, 0.1]);
  });

  test("shares vertices between primitives over the same data, and expands strips and fans", async () => {
    const { builder, positions } = tubeGlb();
    const { primitives } = builder.json.meshes[0];
    const strip = builder.add(Uint16Array.from([0, 8, 1, 9]), "SCALAR");
    const fan = builder.add(Uint16Array.from([0, 1, 2, 3]), "SCALAR");
    primitives.push({ ...primitives[0], indices: strip, mode: 5 });
    primitives.push({ ...primitives[0], indices: fan, mode: 6 });
    const { character, parts } = await read(builder.glb());
    expect(character.mesh.positions.length).toBe(positions.length);
    expect(parts[0].primitives).toEqual([0, 1, 2]);
    expect([...character.mesh.triangles.subarray(-12)]).toEqual([
      0, 8, 1, 8, 9, 1, 0, 1, 2, 0, 2, 3,
    ]);
  });

  test("ignores unskinned meshes next to skinned ones", async () => {
    const { builder, positions } = tubeGlb();
    const { POSITION } = builder.json.meshes[0].primitives[0].attributes;
    builder.json.meshes.push({ primitives: [{ attributes: { POSITION } }] });
    builder.json.nodes.push({ name: "hat", mesh: 1 });
    builder.json.nodes[5].children = [6];
    const { character } = await read(builder.glb());
    expect(character.mesh.positions.length).toBe(positions.length);
    expect(character.skeleton.names.length).toBe(4);
  });

  test("uses a branch of nodes without meshes as the skeleton if nothing is skinned", async () => {
    const { builder, positions, joints } = tubeGlb({ isScaled: true, isBare: true });
    const { character } = await read(builder.glb());
    expectClose(character.mesh.positions, positions);
    expectClose(character.skeleton.positions, joints);
    expect(character.weights).toBeUndefined();
  });

  test("uses the skeleton of another file, or of RigNet text", async () => {
    const mesh = tubeGlb({ isBare: true, joints: 1 });
    const rig = tubeGlb({ isScaled: true, joints: 5 });
    const file = { name: "tube.glb", bytes: mesh.builder.glb() };
    const other = await readCharacter(file, {
      skeleton: { name: "rig.glb", bytes: rig.builder.glb() },
    });
    expectClose(other.character.skeleton.positions, rig.joints);
    expect([...other.rig.nodes]).toEqual([-1, -1, -1, -1, -1]);
    const bytes = new TextEncoder().encode("joints a 0 0 0\njoints b 0 1 0\nroot a\nhier a b\n");
    const text = await readCharacter(file, { skeleton: { name: "rig.txt", bytes } });
    expect(text.character.skeleton.names).toEqual(["a", "b"]);
    expectClose(text.character.mesh.positions, mesh.positions);
  });

  test("reads files without a skeleton if joints are not needed", async () => {
    const builder = glbBuilder();
    const corners = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    builder.json.meshes.push({
      primitives: [{ attributes: { POSITION: builder.add(corners, "VEC3") } }],
    });
    builder.json.nodes.push({ mesh: 0, translation: [0, 2, 0] });
    const { character } = await readCharacter(
      { name: "a.glb", bytes: builder.glb() },
      { needsJoints: false },
    );
    expectClose(character.mesh.positions, [0, 2, 0, 1, 2, 0, 0, 3, 0]);
    expect(character.skeleton.names).toEqual([]);
  });
});
