import { deflateSync } from "node:zlib";
import type { FbxNode, FbxValue } from "../../src/formats/fbx/fbx-node.ts";

/** Joints of the sample, bottom to top. */
export const FBX_JOINTS = 6;

/** Weight of a joint at a point of the sample, before normalization. */
export function fbxWeight(point: number, joint: number): number {
  return 1 + ((point * 7 + joint * 3) % 5);
}

/**
 * A standing square of 1 m with a chain of six bones, as text FBX 7.4: z up, centimeters, the mesh moved by its
 * geometric transform and rotated by its pre-rotation, every point on all six bones.
 */
export function fbxSevenText(): string {
  const bones = Array.from({ length: FBX_JOINTS }, (_, j) => j);
  const clusters = bones.map(
    (j) => `
	Deformer: ${300 + j}, "SubDeformer::", "Cluster" {
		Indexes: *4 { a: 0,1,2,3 }
		Weights: *4 { a: ${[0, 1, 2, 3].map((point) => fbxWeight(point, j)).join()} }
		Transform: *16 { a: ${[1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, -20 * j, 1].join()} }
		TransformLink: *16 { a: ${[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 20 * j, 1].join()} }
	}`,
  );
  const models = bones.map(
    (j) => `
	Model: ${200 + j}, "Model::bone${j}", "LimbNode" {
		Properties70:  {
			P: "Lcl Translation", "Lcl Translation", "", "A",0,0,${j > 0 ? 20 : 0}
		}
	}`,
  );
  const links = bones.flatMap((j) => [
    `C: "OO",${300 + j},${30}`,
    `C: "OO",${200 + j},${300 + j}`,
    `C: "OO",${200 + j},${j > 0 ? 199 + j : 0}`,
  ]);
  return `; FBX 7.4.0 project file
FBXHeaderExtension:  {
	FBXVersion: 7400
}
GlobalSettings:  {
	Properties70:  {
		P: "UpAxis", "int", "Integer", "",2
		P: "UpAxisSign", "int", "Integer", "",1
		P: "FrontAxis", "int", "Integer", "",1
		P: "FrontAxisSign", "int", "Integer", "",-1
		P: "CoordAxis", "int", "Integer", "",0
		P: "CoordAxisSign", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",1
	}
}
Objects:  {
	Geometry: 10, "Geometry::square", "Mesh" {
		Vertices: *12 { a: -50,0,0,50,0,0,50,100,0,-50,100,0 }
		PolygonVertexIndex: *4 { a: 0,1,2,-4 }
		LayerElementNormal: 0 {
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "Direct"
			Normals: *12 { a: 0,0,1,0,0,1,0,0,1,0,0,1 }
		}
		LayerElementUV: 0 {
			MappingInformationType: "ByPolygonVertex"
			ReferenceInformationType: "IndexToDirect"
			UV: *8 { a: 0,0,1,0,1,1,0,1 }
			UVIndex: *4 { a: 0,1,2,3 }
		}
		LayerElementMaterial: 0 {
			MappingInformationType: "AllSame"
			ReferenceInformationType: "IndexToDirect"
			Materials: *1 { a: 0 }
		}
	}
	Geometry: 11, "Geometry::taller", "Shape" {
		Indexes: *2 { a: 2,3 }
		Vertices: *6 { a: 0,10,0,0,10,0 }
	}
	Deformer: 12, "Deformer::", "BlendShape" {
	}
	Deformer: 13, "SubDeformer::taller", "BlendShapeChannel" {
	}
	Model: 20, "Model::square", "Mesh" {
		Properties70:  {
			P: "PreRotation", "Vector3D", "Vector", "",90,0,0
			P: "GeometricTranslation", "Vector3D", "Vector", "",50,0,0
		}
	}
	Material: 25, "Material::red", "" {
		Properties70:  {
			P: "DiffuseColor", "Color", "", "A",1,0,0
		}
	}
	Deformer: 30, "Deformer::", "Skin" {
	}${clusters.join("")}${models.join("")}
	AnimationStack: 50, "AnimStack::nod", "" {
	}
	AnimationLayer: 51, "AnimLayer::base", "" {
	}
	AnimationCurveNode: 52, "AnimCurveNode::R", "" {
	}
	AnimationCurve: 53, "AnimCurve::", "" {
		KeyTime: *2 { a: 0,46186158000 }
		KeyValueFloat: *2 { a: 0,90 }
	}
}
Connections:  {
	C: "OO",10,20
	C: "OO",20,0
	C: "OO",25,20
	C: "OO",30,10
	C: "OO",12,10
	C: "OO",13,12
	C: "OO",11,13
	C: "OO",51,50
	C: "OO",52,51
	C: "OP",52,201, "Lcl Rotation"
	C: "OP",53,52, "d|X"
	${links.join("\n\t")}
}
`;
}

/** The node tree as a binary FBX of this version; long arrays are compressed. */
export function fbxBinary(root: FbxNode, version: number): Uint8Array {
  const header = Buffer.alloc(27);
  header.write("Kaydara FBX Binary  \0\x1a\0", "latin1");
  header.writeUInt32LE(version, 23);
  const chunks: Buffer[] = [header];
  let at = 27;
  for (const child of root.children) {
    const node = encodeNode(child, at, version >= 7500);
    chunks.push(node);
    at += node.length;
  }
  chunks.push(Buffer.alloc(version >= 7500 ? 25 : 13));
  return new Uint8Array(Buffer.concat(chunks));
}

function encodeNode(node: FbxNode, at: number, isLong: boolean): Buffer {
  const width = isLong ? 8 : 4;
  const list =
    node.children.length === 1 && node.children[0].name === "a"
      ? node.children[0].values
      : undefined;
  const values = list ? [encodeArray(list as number[])] : node.values.map(encodeValue);
  const name = Buffer.from(node.name);
  const body = Buffer.concat(values);
  let end = at + width * 3 + 1 + name.length + body.length;
  const children: Buffer[] = [];
  for (const child of list ? [] : node.children) {
    const bytes = encodeNode(child, end, isLong);
    children.push(bytes);
    end += bytes.length;
  }
  if (children.length > 0) {
    children.push(Buffer.alloc(width * 3 + 1));
    end += width * 3 + 1;
  }
  const head = Buffer.alloc(width * 3 + 1);
  [end, values.length, body.length].forEach((value, i) => {
    if (isLong) head.writeBigUInt64LE(BigInt(value), i * 8);
    else head.writeUInt32LE(value, i * 4);
  });
  head.writeUInt8(name.length, width * 3);
  return Buffer.concat([head, name, body, ...children]);
}

function encodeValue(value: FbxValue): Buffer {
  if (typeof value === "string") {
    const [kind, name] = value.includes("::") ? value.split("::") : ["", ""];
    const text = Buffer.from(value.includes("::") ? `${name}\0\x01${kind}` : value, "latin1");
    const size = Buffer.alloc(5);
    size.write("S");
    size.writeUInt32LE(text.length, 1);
    return Buffer.concat([size, text]);
  }
  const out = Buffer.alloc(9);
  if (Number.isInteger(value)) {
    out.write("L");
    out.writeBigInt64LE(BigInt(value as number), 1);
  } else {
    out.write("D");
    out.writeDoubleLE(Number(value), 1);
  }
  return out;
}

function encodeArray(values: number[]): Buffer {
  const isInteger = values.every((value) => Number.isInteger(value) && Math.abs(value) < 2 ** 31);
  const data = isInteger ? Int32Array.from(values) : Float64Array.from(values);
  const raw = Buffer.from(data.buffer);
  const packed = values.length > 4 ? deflateSync(raw) : raw;
  const head = Buffer.alloc(13);
  head.write(isInteger ? "i" : "d");
  head.writeUInt32LE(values.length, 1);
  head.writeUInt32LE(values.length > 4 ? 1 : 0, 5);
  head.writeUInt32LE(packed.length, 9);
  return Buffer.concat([head, packed]);
}
