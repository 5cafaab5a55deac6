import { reportLoss } from "../losses.ts";
import type { SceneCamera, SceneLight, SceneNode } from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import { type DaeDocument, refer } from "./dae-document.ts";
import { type XmlElement, xmlDescendants, xmlNumbers } from "./xml.ts";

const DEGREE = Math.PI / 180;
/**
 * Reads the camera and the light of a COLLADA node; both look along -z, as in glTF.
 *
 * @param unit meters per unit of the file
 */
export function readDaeCamera(
  document: DaeDocument,
  node: XmlElement,
  unit: number,
): Pick<SceneNode, "camera" | "light"> {
  const shown = (kind: string) =>
    refer(document, childOf(node, `instance_${kind}`)?.attributes.url);
  const [camera, light] = [shown("camera"), shown("light")];
  const read = light && lightOf(light);
  if (light && !read) reportLoss(document.losses, "ambient lights");
  return { camera: camera && cameraOf(camera, unit), light: read };
}

function cameraOf(camera: XmlElement, unit: number): SceneCamera {
  const number = (name: string) => xmlNumbers(xmlDescendants(camera, name)[0])[0];
  const positive = (value: number | undefined, fallback: number) =>
    value !== undefined && value > 0 && value < Infinity ? value : fallback;
  const near = positive(number("znear"), 0.1) * unit;
  const far = Math.max(positive(number("zfar"), 1000) * unit, near * 10);
  const aspect = positive(number("aspect_ratio"), 1.5);
  if (xmlDescendants(camera, "orthographic").length > 0) {
    const height = positive(number("ymag"), positive(number("xmag"), aspect) / aspect);
    return { ymag: height * unit, aspect, near, far };
  }
  const wide = positive(number("xfov"), 50) * DEGREE;
  const stated = number("yfov");
  const yfov = stated > 0 ? stated * DEGREE : 2 * Math.atan(Math.tan(wide / 2) / aspect);
  return { yfov: Math.min(Math.max(yfov, 0.01), 3.1), aspect, near, far };
}

function lightOf(light: XmlElement): SceneLight | undefined {
  const common = childOf(light, "technique_common");
  const kind = common?.children.find(({ name }) => ["point", "directional", "spot"].includes(name));
  if (!kind) return undefined;
  const rgb = [0, 1, 2].map((c) => Math.max(xmlNumbers(childOf(kind, "color"))[c] || 0, 0));
  const intensity = Math.max(1, ...rgb);
  const [cone = 180] = xmlNumbers(childOf(kind, "falloff_angle"));
  return {
    type: kind.name as SceneLight["type"],
    color: rgb.map((value) => value / intensity),
    intensity: Number.isFinite(intensity) ? intensity : 1,
    angle: ((cone > 0 ? cone : 180) / 2) * DEGREE,
  };
}
