import type { GltfJson, GltfNode } from "../gltf/gltf-json.ts";
import { fbxModel } from "./fbx-model.ts";
import { numbers, properties, property } from "./new-fbx.ts";
import { type RawFbxNode, rawNode } from "./raw-fbx.ts";
import { addObject, connect, type FbxEditor, takeId } from "./raw-objects.ts";

interface GltfCamera {
  perspective?: { yfov: number; aspectRatio?: number; znear: number; zfar?: number };
  orthographic?: { xmag: number; ymag: number; znear: number; zfar: number };
}

interface GltfLight {
  type: string;
  color?: number[];
  intensity?: number;
  spot?: { outerConeAngle?: number };
}

const LIGHTS = "KHR_lights_punctual";
const LIGHT_TYPES = ["point", "directional", "spot"];
const DEGREES = 180 / Math.PI;

/** Height of the film, in millimeters and in inches. */
const FILM = 24;
const INCH = 25.4;

/**
 * Adds the camera or light of a node as a child of its model: FBX cameras look along x and lights along -y,
 * in glTF both look along -z.
 *
 * @param scale units of the file per unit of the glTF
 */
export function addCamera(
  editor: FbxEditor,
  json: GltfJson,
  node: GltfNode,
  parent: bigint,
  scale: number,
): void {
  const camera = (json.cameras as GltfCamera[] | undefined)?.[node.camera as number];
  const lights = json.extensions?.[LIGHTS] as { lights?: GltfLight[] } | undefined;
  const own = node.extensions?.[LIGHTS] as { light?: number } | undefined;
  const light = lights?.lights?.[own?.light ?? -1];
  const add = (type: string, rotation: number[], ...content: RawFbxNode[]) => {
    const name = node.name ?? type;
    const id = takeId(editor);
    const still = { translation: [0, 0, 0], scale: [1, 1, 1] };
    editor.added.push(fbxModel({ id, name, type, rotation, ...still }));
    const attribute = addObject(editor, "NodeAttribute", [name, "NodeAttribute", type], ...content);
    connect(editor, attribute, id);
    connect(editor, id, parent);
  };
  if (camera) add("Camera", [0, 90, 0], cameraProperties(camera, scale), flags("Camera"));
  if (light) add("Light", [90, 0, 0], lightProperties(light), flags("Light"));
}

function flags(type: string): RawFbxNode {
  return rawNode("TypeFlags", [type]);
}

function cameraProperties({ perspective, orthographic }: GltfCamera, scale: number): RawFbxNode {
  const number = (name: string, value: number) => numbers(name, ["double", "Number", ""], value);
  const { znear = 0.1, zfar = 1000 } = perspective ?? orthographic ?? {};
  const aspect = orthographic
    ? orthographic.xmag / orthographic.ymag
    : (perspective?.aspectRatio ?? 1.5);
  const yfov = perspective?.yfov ?? 0.8;
  return properties(
    property(["CameraProjectionType", "enum"], { int: orthographic ? 1 : 0 }),
    number("AspectWidth", aspect),
    number("AspectHeight", 1),
    number("FilmWidth", (FILM * aspect) / INCH),
    number("FilmHeight", FILM / INCH),
    number("FilmAspectRatio", aspect),
    number("FocalLength", FILM / 2 / Math.tan(yfov / 2)),
    number("FieldOfView", 2 * Math.atan(aspect * Math.tan(yfov / 2)) * DEGREES),
    number("OrthoZoom", 2 * (orthographic?.ymag ?? 0.5)),
    number("NearPlane", znear * scale),
    number("FarPlane", zfar * scale),
  );
}

function lightProperties({ type, color = [1, 1, 1], intensity = 1, spot }: GltfLight): RawFbxNode {
  const cone = 2 * (spot?.outerConeAngle ?? Math.PI / 4) * DEGREES;
  return properties(
    property(["LightType", "enum"], { int: Math.max(LIGHT_TYPES.indexOf(type), 0) }),
    numbers("Color", ["Color", "", "A"], ...color),
    // FBX intensities are percentages.
    numbers("Intensity", ["Number", "", "A"], intensity * 100),
    numbers("OuterAngle", ["Number", "", "A"], cone),
  );
}
