import { describe, expect, test } from "vitest";
import {
  FBX_JOINTS,
  fbxBinary,
  fbxSevenText,
  fbxWeight,
} from "../../../test/helpers/fbx-sample.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import { InputError } from "../../input-error.ts";
import { readFloats } from "../gltf/accessors.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";
import { parseFbxText } from "./parse-fbx.ts";

const text = fbxSevenText();
const asText = () => new TextEncoder().encode(text);
const asBinary = (version: number) => fbxBinary(parseFbxText("a.fbx", text), version);
const read = (bytes: Uint8Array) => readCharacter({ name: "square.fbx", bytes });

const FILES = {
  text: asText,
  "binary 7.4": () => asBinary(7400),
  "binary 7.7": () => asBinary(7700),
};

describe.each(Object.entries(FILES))("FBX as %s", (_, bytes) => {
  test("converts mesh and joints to meters, y up", async () => {
    const { character, oddities } = await read(bytes());
    const wanted = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    expect(character.mesh.positions.length).toBe(wanted.length);
    character.mesh.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(wanted[i], 6);
    });
    expect(character.mesh.triangles.length).toBe(6);
    expect(character.skeleton.names).toEqual([
      "bone0",
      "bone1",
      "bone2",
      "bone3",
      "bone4",
      "bone5",
    ]);
    expect([...character.skeleton.parents]).toEqual([-1, 0, 1, 2, 3, 4]);
    character.skeleton.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(i % 3 === 1 ? 0.2 * Math.floor(i / 3) : 0, 6);
    });
    expect(oddities).toEqual([]);
  });

  test("keeps all six influences", async () => {
    const { weights } = (await read(bytes())).character;
    expect(weights!.influences).toBe(FBX_JOINTS);
    for (let point = 0; point < 4; point++) {
      const raw = Array.from({ length: FBX_JOINTS }, (_, joint) => fbxWeight(point, joint));
      const total = raw.reduce((sum, value) => sum + value, 0);
      for (let slot = 0; slot < FBX_JOINTS; slot++) {
        const at = point * FBX_JOINTS + slot;
        expect(weights!.weights[at]).toBeCloseTo(raw[weights!.joints[at]] / total, 6);
      }
    }
  });

  test("becomes a valid GLB with material, shape, normals and animation", async () => {
    const file = await read(bytes());
    const written = writeCharacter(file, file.character.weights!, { maxInfluences: 8 });
    expect(written.format).toBe("glb");
    expect(await validateGltf(written.bytes)).toEqual([]);
    const { source } = await readCharacter({ name: "a.glb", bytes: written.bytes });
    const { json } = source;
    const [primitive] = json.meshes![0].primitives;
    expect(json.materials).toMatchObject([
      { name: "red", pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 1] } },
    ]);
    expect(json.meshes![0].extras).toEqual({ targetNames: ["taller"] });
    const rises = readFloats(source, primitive.targets![0].POSITION);
    expect(rises[7]).toBeCloseTo(0.1, 6);
    const normals = readFloats(source, primitive.attributes.NORMAL);
    expect([normals[0], normals[1], normals[2]].map((value) => Math.round(value) + 0)).toEqual([
      0, 0, 1,
    ]);
    const uvs = readFloats(source, primitive.attributes.TEXCOORD_0);
    expect([...uvs]).toEqual([0, 1, 1, 1, 1, 0, 0, 0]);
    const [animation] = json.animations!;
    const turn = animation.channels.find(({ target }) => target.path === "rotation")!;
    expect(json.nodes![turn.target.node!].name).toBe("bone1");
    const sampler = animation.samplers[turn.sampler];
    expect([...readFloats(source, sampler.input)]).toEqual([0, 1]);
    const last = readFloats(source, sampler.output).subarray(4);
    expect(last[0]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(last[3]).toBeCloseTo(Math.SQRT1_2, 6);
  });
});

describe("damaged FBX", () => {
  test("is refused wherever it is truncated, never with another error", async () => {
    const whole = asBinary(7400);
    for (let size = 28; size < whole.length - 200; size += 41) {
      const error = await read(whole.slice(0, size)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
    }
    for (let size = 30; size < text.length - 20; size += 97) {
      const bytes = new TextEncoder().encode(text.slice(0, size));
      const error = await read(bytes).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
    }
  });

  test("is refused if an array claims more than zlib can contain", async () => {
    const whole = asBinary(7400);
    const marker = Buffer.from(whole).indexOf("PolygonVertexIndex") + 18;
    const view = new DataView(whole.buffer);
    expect(String.fromCharCode(whole[marker])).toBe("i");
    view.setUint32(marker + 1, 0xffffffff, true);
    await expect(read(whole)).rejects.toThrow("damaged");
  });

  test("is refused if a polygon uses a missing point", async () => {
    const bytes = new TextEncoder().encode(text.replace("a: 0,1,2,-4", "a: 0,1,9,-4"));
    await expect(read(bytes)).rejects.toThrow(
      'a polygon of "square" uses vertex 9, but there are 4',
    );
  });

  test("is refused if models form a cycle", async () => {
    const bytes = new TextEncoder().encode(text.replace('C: "OO",200,0', 'C: "OO",200,205'));
    await expect(read(bytes)).rejects.toThrow("its own ancestor");
  });

  const CORNERS = ["3000000000", "-3000000000", "-1000000000000000000"];
  test.each(CORNERS)("refuses a corner %s", async (corner) => {
    const text = fbxSevenText().replace("a: 0,1,2,-4", `a: 0,1,${corner},-4`);
    await expect(read(new TextEncoder().encode(text))).rejects.toThrow(
      /a polygon of .* uses vertex/,
    );
  });
});

describe("FBX 6", () => {
  test("finds geometry inside models and objects by name", async () => {
    const six = `; FBX 6.1.0 project file
Objects:  {
	Model: "Model::tri", "Mesh" {
		Properties60:  {
			Property: "Lcl Translation", "Lcl Translation", "A+",0.0,0.0,0.0
		}
		Vertices: 0.0,0.0,0.0,100.0,0.0,0.0,
		0.0,100.0,0.0
		PolygonVertexIndex: 0,1,-3
	}
	Model: "Model::arm", "Limb" {
		Properties60:  {
			Property: "Lcl Translation", "Lcl Translation", "A+",0.0,50.0,0.0
		}
	}
	Deformer: "Deformer::Skin tri", "Skin" {
	}
	Deformer: "SubDeformer::Cluster tri arm", "Cluster" {
		Indexes: 0,1,2
		Weights: 1,1,1
		Transform: 1,0,0,0,0,1,0,0,0,0,1,0,0,-50,0,1
		TransformLink: 1,0,0,0,0,1,0,0,0,0,1,0,0,50,0,1
	}
}
Connections:  {
	Connect: "OO", "Model::tri", "Model::Scene"
	Connect: "OO", "Model::arm", "Model::Scene"
	Connect: "OO", "Deformer::Skin tri", "Model::tri"
	Connect: "OO", "SubDeformer::Cluster tri arm", "Deformer::Skin tri"
	Connect: "OO", "Model::arm", "SubDeformer::Cluster tri arm"
}
Takes:  {
	Take: "lift" {
		Model: "Model::arm" {
			Channel: "Transform" {
				Channel: "T" {
					Channel: "Y" {
						KeyCount: 3
						Key: 0,50,L,46186158000,70,U,s,0,0,n,92372316000,90,L
					}
				}
			}
		}
	}
}
`;
    const { character, source } = await readCharacter({
      name: "tri.fbx",
      bytes: new TextEncoder().encode(six),
    });
    expect([...character.mesh.positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect([...character.skeleton.positions]).toEqual([0, 0.5, 0]);
    expect([...character.weights!.weights]).toEqual([1, 1, 1]);
    const [lift] = source.json.animations!;
    const move = lift.channels.find(({ target }) => target.path === "translation")!;
    const { input, output } = lift.samplers[move.sampler];
    expect([...readFloats(source, input)]).toEqual([0, 1, 2]);
    expect([...readFloats(source, output)]).toEqual([0, 50, 0, 0, 70, 0, 0, 90, 0]);
  });

  test("skips weights of missing points", async () => {
    const wild = text.replace(
      "Indexes: *4 { a: 0,1,2,3 }",
      "Indexes: *4 { a: 0,-1,2.5,4294967295 }",
    );
    const { character } = await readCharacter({
      name: "wild.fbx",
      bytes: new TextEncoder().encode(wild),
    });
    expect(wild).not.toBe(text);
    expect(character.weights!.weights.every(Number.isFinite)).toBe(true);
  });
});
