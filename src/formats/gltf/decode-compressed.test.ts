import { type Document, NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTMeshoptCompression } from "@gltf-transform/extensions";
import { draco, quantize, reorder } from "@gltf-transform/functions";
// @ts-expect-error the package has no types
import draco3d from "draco3dgltf";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import { beforeAll, describe, expect, test } from "vitest";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { InputError } from "../../input-error.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

let io: NodeIO;
beforeAll(async () => {
  await MeshoptEncoder.ready;
  io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    "draco3d.encoder": await draco3d.createEncoderModule(),
    "draco3d.decoder": await draco3d.createDecoderModule(),
    "meshopt.encoder": MeshoptEncoder,
    "meshopt.decoder": MeshoptDecoder,
  });
});

const read = (bytes: Uint8Array) => readCharacter({ name: "tube.glb", bytes });

type File = Awaited<ReturnType<typeof read>>;

/** The same vertices with the same weights in any order, up to the rounding of 8-bit weights. */
function expectSame({ character: found }: File, { character: wanted }: File): void {
  expect(found.mesh.positions.length).toBe(wanted.mesh.positions.length);
  expect(found.mesh.triangles.length).toBe(wanted.mesh.triangles.length);
  const count = wanted.mesh.positions.length / 3;
  const weight = ({ weights }: typeof found, v: number, joint: number) => {
    const { influences, joints, weights: shares } = weights!;
    const slot = joints.subarray(v * influences, (v + 1) * influences).indexOf(joint);
    return slot < 0 ? 0 : shares[v * influences + slot];
  };
  for (let v = 0; v < count; v++) {
    const p = wanted.mesh.positions.subarray(v * 3, v * 3 + 3);
    const gaps = Array.from({ length: count }, (_, u) => {
      const q = found.mesh.positions.subarray(u * 3, u * 3 + 3);
      return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    });
    const near = gaps.indexOf(Math.min(...gaps));
    expect(gaps[near]).toBeLessThan(1e-3);
    for (let joint = 1; joint < 4; joint++) {
      expect(Math.abs(weight(found, near, joint) - weight(wanted, v, joint))).toBeLessThan(0.01);
    }
  }
}

const PACKERS = {
  draco: async (document: Document) => {
    await document.transform(draco());
  },
  meshopt: async (document: Document) => {
    await document.transform(reorder({ encoder: MeshoptEncoder }));
    document.createExtension(EXTMeshoptCompression).setRequired(true);
  },
  "meshopt with filters": async (document: Document) => {
    await document.transform(reorder({ encoder: MeshoptEncoder }), quantize());
    document
      .createExtension(EXTMeshoptCompression)
      .setRequired(true)
      .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER });
  },
};

describe("decodeCompressed", () => {
  test.each(Object.entries(PACKERS))("unpacks %s and writes it uncompressed", async (_, pack) => {
    const plain = await read(tubeGlb({ isScaled: true }).builder.glb());
    const document = await io.readBinary(tubeGlb({ isScaled: true }).builder.glb());
    await pack(document);
    const packed = await io.writeBinary(document);
    expect(new TextDecoder().decode(packed)).toMatch(/draco_mesh|meshopt_compression/);
    const file = await read(packed);
    expectSame(file, plain);
    const { bytes } = writeCharacter(file, file.character.weights!);
    expect(new TextDecoder().decode(bytes)).not.toMatch(/draco_mesh|meshopt_compression/);
    expect(await validateGltf(bytes)).toEqual([]);
    expectSame(await read(bytes), plain);
  });

  test("reports a lack of memory in one sentence", async () => {
    const document = await io.readBinary(tubeGlb().builder.glb());
    await document.transform(draco());
    const bytes = await io.writeBinary(document);
    const loader = async () => {
      throw new RangeError("WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory");
    };
    await expect(readCharacter({ name: "a.glb", bytes }, { draco: loader })).rejects.toThrow(
      "a.glb: there is not enough memory to decompress this file; free some memory",
    );
  });

  test("keeps images and animations of a packed file", async () => {
    const document = await io.readBinary(tubeGlb().builder.glb());
    const picture = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 9, 8, 7, 6, 5]);
    document
      .createMaterial()
      .setBaseColorTexture(document.createTexture().setImage(picture).setMimeType("image/png"));
    document
      .getRoot()
      .listMeshes()[0]
      .listPrimitives()[0]
      .setMaterial(document.getRoot().listMaterials()[0]);
    await document.transform(draco());
    const file = await read(await io.writeBinary(document));
    const written = await read(writeCharacter(file, file.character.weights!).bytes);
    const { json, buffers } = written.source;
    const { byteOffset = 0, byteLength } = json.bufferViews![json.images![0].bufferView!];
    expect(buffers[0].slice(byteOffset, byteOffset + byteLength)).toEqual(picture);
  });

  test("reports damaged packed data", async () => {
    for (const pack of Object.values(PACKERS)) {
      const document = await io.readBinary(tubeGlb().builder.glb());
      await pack(document);
      const { json, resources } = await io.writeJSON(document);
      const [uri] = Object.keys(resources);
      const garbled = { name: "a.gltf", bytes: new TextEncoder().encode(JSON.stringify(json)) };
      const resolve = async () => new Uint8Array(resources[uri].length).fill(0xa5);
      await expect(readCharacter({ ...garbled, resolve })).rejects.toThrow(
        /cannot be decoded|does not fit/,
      );
    }
  });

  test("checks the sizes that Meshopt claims against its bytes", async () => {
    const document = await io.readBinary(tubeGlb().builder.glb());
    await PACKERS.meshopt(document);
    const { json, resources } = await io.writeJSON(document);
    for (const view of json.bufferViews!) {
      const packed = view.extensions?.EXT_meshopt_compression as {
        count: number;
        byteStride: number;
      };
      if (!packed) continue;
      packed.count = 2 ** 30;
      view.byteLength = packed.count * packed.byteStride;
    }
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    const resolve = async (uri: string) => resources[uri];
    await expect(readCharacter({ name: "a.gltf", bytes, resolve })).rejects.toThrow(
      /does not fit its data/,
    );
  });

  test("checks the output of Draco against accessors that share it", async () => {
    const document = await io.readBinary(tubeGlb().builder.glb());
    await PACKERS.draco(document);
    const { json, resources } = await io.writeJSON(document);
    const [primitive] = json.meshes![0].primitives;
    // The indices come last and leave integers instead of positions.
    primitive.indices = primitive.attributes.POSITION;
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    const resolve = async (uri: string) => resources[uri];
    await expect(readCharacter({ name: "a.gltf", bytes, resolve })).rejects.toThrow(InputError);
  });

  test("reports an invalid Draco extension", async () => {
    const document = await io.readBinary(tubeGlb().builder.glb());
    await PACKERS.draco(document);
    const { json, resources } = await io.writeJSON(document);
    for (const wild of [{}, { bufferView: 0 }, { bufferView: 99, attributes: {} }, "x", []]) {
      json.meshes![0].primitives[0].extensions = { KHR_draco_mesh_compression: wild };
      const bytes = new TextEncoder().encode(JSON.stringify(json));
      const resolve = async (uri: string) => resources[uri];
      await expect(readCharacter({ name: "a.gltf", bytes, resolve })).rejects.toThrow(
        /cannot be decoded/,
      );
    }
  });
});
