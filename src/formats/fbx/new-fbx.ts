import { composeMat4 } from "../../math/mat4.ts";
import { cross, dot, normalize, scale as scaled, subtract } from "../../math/vec3.ts";
import { decomposeNode } from "../gltf/node-tree.ts";
import type { FbxPose } from "./fbx-transform.ts";
import { type NewFbxValue, type RawFbx, type RawFbxNode, rawNode, VERSION_AT } from "./raw-fbx.ts";

/** The version that all current programs read: FBX 7.4. */
export const NEW_VERSION = 7400;

/** The footer of a binary file depends on these two, so all files use the same. */
const FILE_ID = "28b32aebb624ccc2bfc8b02aa92bfcf1";
const CREATED = "1970-01-01 10:00:00:000";
const FOOT_NAME = "fabcab09d0c8d466b176fb831cf7267e";
const FOOT_END = "f85a8c6adef5d97eece90ce3758f290b";

/** Wraps the nodes of a new binary FBX in head and foot. */
export function newFbx(nodes: RawFbxNode[]): RawFbx {
  const head = new Uint8Array(27);
  head.set(new TextEncoder().encode("Kaydara FBX Binary  \0\x1a\0"));
  new DataView(head.buffer).setUint32(VERSION_AT, NEW_VERSION, true);
  return { version: NEW_VERSION, head, nodes, ...foot() };
}

/** Returns the nodes that identify a file; they follow its header. */
export function fileMarks(): RawFbxNode[] {
  return [
    rawNode("FileId", [fromHex(FILE_ID)]),
    rawNode("CreationTime", [CREATED]),
    rawNode("Creator", ["heterskin"]),
  ];
}

/** Creates a property of an object: its name, type, label, flags and values. */
export function property(
  [name, type, label = "", flags = ""]: readonly [string, string, string?, string?],
  ...values: NewFbxValue[]
): RawFbxNode {
  return rawNode("P", [name, type, label, flags, ...values]);
}

/** Creates a block of properties. */
export function properties(...list: RawFbxNode[]): RawFbxNode {
  return { ...rawNode("Properties70", [], ...list), isClosed: true };
}

/** Creates a property that is a number, or a vector or color of three. */
export function numbers(
  name: string,
  [type, label, flags]: readonly [type: string, label: string, flags: string],
  ...values: number[]
): RawFbxNode {
  return property([name, type, label, flags], ...values.map((double) => ({ double })));
}

/**
 * Creates an FBX without objects, y up.
 *
 * @param unit centimeters per unit of its coordinates
 */
export function blankFbx(unit: number): RawFbx {
  const version = rawNode("FBXVersion", [{ int: NEW_VERSION }]);
  const header = rawNode(
    "FBXHeaderExtension",
    [],
    rawNode("FBXHeaderVersion", [{ int: 1003 }]),
    version,
  );
  const scene = rawNode(
    "Document",
    [DOCUMENT, "Scene", "Scene"],
    properties(property(["SourceObject", "object"])),
    rawNode("RootNode", [0n]),
  );
  const closed = (name: string, ...children: RawFbxNode[]) => ({
    ...rawNode(name, [], ...children),
    isClosed: true,
  });
  return newFbx([
    header,
    ...fileMarks(),
    rawNode("GlobalSettings", [], rawNode("Version", [{ int: 1000 }]), settings(unit)),
    rawNode("Documents", [], rawNode("Count", [{ int: 1 }]), scene),
    closed("References"),
    rawNode(
      "Definitions",
      [],
      rawNode("Version", [{ int: 100 }]),
      rawNode("Count", [{ int: 1 }]),
      rawNode("ObjectType", ["GlobalSettings"], rawNode("Count", [{ int: 1 }])),
    ),
    closed("Objects"),
    closed("Connections"),
    rawNode("Takes", [], rawNode("Current", [""])),
  ]);
}

const DOCUMENT = 1_000_000_001n;

function settings(unit: number): RawFbxNode {
  const integer = (name: string, int: number) => property([name, "int", "Integer"], { int });
  return properties(
    integer("UpAxis", 1),
    integer("UpAxisSign", 1),
    integer("FrontAxis", 2),
    integer("FrontAxisSign", 1),
    integer("CoordAxis", 0),
    integer("CoordAxisSign", 1),
    integer("OriginalUpAxis", 1),
    integer("OriginalUpAxisSign", 1),
    numbers("UnitScaleFactor", ["double", "Number", ""], unit),
    numbers("OriginalUnitScaleFactor", ["double", "Number", ""], unit),
    // 30 frames per second.
    property(["TimeMode", "enum"], { int: 6 }),
    property(["TimeSpanStart", "KTime", "Time"], 0n),
    property(["TimeSpanStop", "KTime", "Time"], 46186158000n),
  );
}

/** The end of a file: an id, zeros up to a multiple of 16, the version, 120 zeros, the magic bytes. */
function foot(): Pick<RawFbx, "foot" | "footAt"> {
  const bytes = new Uint8Array(16 + 16 + 140);
  bytes.set(fromHex(FOOT_NAME));
  new DataView(bytes.buffer).setUint32(32, NEW_VERSION, true);
  bytes.set(fromHex(FOOT_END), bytes.length - 16);
  return { foot: bytes, footAt: 0 };
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(i * 2, i * 2 + 2), 16),
  );
}

const DEGREES = 180 / Math.PI;

/** A node of the scene to be created. */
interface NewModel extends FbxPose {
  id: bigint;
  name: string;
  /** Null, LimbNode, Mesh, Camera or Light. */
  type: string;
  /** Whether faces are shown from behind; default true. */
  isDoubleSided?: boolean;
}

/** Creates a model; scale is inherited as in glTF. */
export function fbxModel(model: NewModel): RawFbxNode {
  const vector = (label: string, values: number[]) => numbers(label, [label, "", "A"], ...values);
  const { id, name, type, translation, rotation, scale, isDoubleSided = true } = model;
  return rawNode(
    "Model",
    [id, `${name}\0\x01Model`, type],
    rawNode("Version", [{ int: 232 }]),
    properties(
      property(["InheritType", "enum"], { int: 1 }),
      vector("Lcl Translation", translation),
      vector("Lcl Rotation", rotation),
      vector("Lcl Scaling", scale),
    ),
    rawNode("Shading", [{ flag: true }]),
    rawNode("Culling", [isDoubleSided ? "CullingOff" : "CullingOnCCW"]),
  );
}

/** Creates the attribute that makes a model a bone. */
export function limbAttribute(id: bigint, name: string): RawFbxNode {
  return rawNode(
    "NodeAttribute",
    [id, `${name}\0\x01NodeAttribute`, "LimbNode"],
    properties(numbers("Size", ["double", "Number", ""], 1)),
    rawNode("TypeFlags", ["Skeleton"]),
  );
}

/** Returns the pose of a matrix without shear; of another, the nearest that has none. */
export function poseOfMatrix(matrix: ArrayLike<number>): FbxPose {
  const node = decomposeNode(matrix);
  const m = node.matrix;
  if (!m) return poseOf(node);
  // Gram-Schmidt keeps the first axis, and the plane of the first two.
  const x = normalize(m.slice(0, 3));
  const second = m.slice(4, 7);
  const y = normalize(subtract(second, scaled(x, dot(second, x))));
  const z = cross(x, y);
  const axes = [x, y, z];
  const scale = axes.map((axis, i) => dot(m.slice(i * 4, i * 4 + 3), axis));
  const rotation = eulerOf([...x, 0, ...y, 0, ...z, 0, 0, 0, 0, 1]);
  return { translation: m.slice(12, 15), rotation, scale };
}

/** Returns the pose of a node with translation, rotation and scale. */
function poseOf(node: { translation?: number[]; rotation?: number[]; scale?: number[] }): FbxPose {
  const { translation = [0, 0, 0], rotation, scale = [1, 1, 1] } = node;
  return { translation, rotation: rotation ? eulerOfQuaternion(rotation) : [0, 0, 0], scale };
}

/** Returns the angles in degrees about x, then y, then z, of a quaternion. */
export function eulerOfQuaternion(rotation: ArrayLike<number>): number[] {
  return eulerOf(composeMat4([0, 0, 0], rotation));
}

/** Angles in degrees about x, then y, then z, of a matrix without scale. */
function eulerOf(m: number[]): number[] {
  const y = Math.asin(Math.min(Math.max(-m[2], -1), 1));
  // In gimbal lock x and z rotate about the same axis: all of the angle is assigned to x.
  const isLocked = Math.abs(m[2]) > 1 - 1e-9;
  const x = isLocked ? Math.atan2(Math.sign(-m[2]) * m[4], m[5]) : Math.atan2(m[6], m[10]);
  const z = isLocked ? 0 : Math.atan2(m[1], m[0]);
  return [x, y, z].map((angle) => angle * DEGREES);
}
