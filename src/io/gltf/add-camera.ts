import type { SceneCamera, SceneLight, SceneNode } from "../scene.ts";
import type { GltfDraft } from "./gltf-draft.ts";
import { addEntry, entry } from "./gltf-json.ts";

const LIGHTS = "KHR_lights_punctual";

/** Adds the camera and the light of a node, where it has them. */
export function addCamera(
  draft: GltfDraft,
  { camera, light, name }: SceneNode,
  node: number,
): void {
  const { json } = draft;
  if (camera) {
    entry(json, "nodes", node).camera = addEntry(json, "cameras", asCamera(camera, name));
  }
  if (!light) return;
  json.extensionsUsed = [LIGHTS];
  json.extensions ??= {};
  json.extensions[LIGHTS] ??= { lights: [] };
  const { lights } = json.extensions[LIGHTS] as { lights: unknown[] };
  entry(json, "nodes", node).extensions = {
    [LIGHTS]: { light: lights.push(asLight(light, name)) - 1 },
  };
}

function asCamera({ yfov, ymag, aspect, near, far }: SceneCamera, name: string) {
  const [znear, zfar] = [near, far];
  if (yfov !== undefined) {
    return { name, type: "perspective", perspective: { yfov, aspectRatio: aspect, znear, zfar } };
  }
  const height = ymag ?? 1;
  return {
    name,
    type: "orthographic",
    orthographic: { xmag: height * aspect, ymag: height, znear, zfar },
  };
}

function asLight({ type, color, intensity, angle }: SceneLight, name: string) {
  const spot = { outerConeAngle: Math.min(Math.max(angle ?? Math.PI / 4, 1e-3), Math.PI / 2) };
  return { name, type, color, intensity, ...(type === "spot" ? { spot } : {}) };
}
