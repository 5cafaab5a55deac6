import { Raycaster, Vector2, Vector3 } from "three";
import type { KeptBind } from "../kept-bind.ts";
import type { Body } from "./body.ts";
import type { CharacterView } from "./character-view.ts";
import { hitMesh } from "./ray-mesh.ts";

/** What is under the pointer. */
export interface Hit {
  body: Body;
  /** The weights that the surface shows. */
  bind: KeptBind | undefined;
  /** The welded corner of the face nearest to the pointer. */
  vertex: number;
  point: Vector3;
  normal: Vector3;
}

/** Maximum distance from the pointer to a joint, in CSS pixels. */
const JOINT_REACH = 12;

/** Finds the surface at a position on the canvas. */
export function pickSurface(view: CharacterView, x: number, y: number): Hit | undefined {
  const { viewport } = view;
  const { part, ...place } = viewport.inPart(x, y);
  const shown = view.bodyIn(part);
  if (!shown) return undefined;
  const { body, bind } = shown;
  const { ray } = rayAt(view, place);
  const positions = body.positions();
  const hit = hitMesh(positions, body.triangles, ray.origin.toArray(), ray.direction.toArray());
  if (!hit) return undefined;
  const point = ray.at(hit.distance, new Vector3());
  const corners = body.triangles.subarray(hit.corner, hit.corner + 3);
  const distance = (v: number) => new Vector3().fromArray(positions, v * 3).distanceTo(point);
  const vertex = corners.reduce((best, v) => (distance(v) < distance(best) ? v : best));
  const normal = new Vector3().fromArray(body.normals(), vertex * 3);
  return { body, bind, vertex, point, normal };
}

/** Ray from the camera through a position in a part, -1 to 1 each way. */
export function rayAt({ viewport }: CharacterView, place: { x: number; y: number }): Raycaster {
  const ray = new Raycaster();
  ray.setFromCamera(new Vector2(place.x, place.y), viewport.camera);
  return ray;
}

/** Finds the joint at a position on the canvas; -1 if there is none. */
export function pickJoint(view: CharacterView, x: number, y: number): number {
  const overlay = view.skeleton();
  if (!overlay?.group.visible) return -1;
  let best = -1;
  let nearest = JOINT_REACH;
  for (let joint = 0; joint * 3 < overlay.joints.length; joint++) {
    if (view.isHidden(joint)) continue;
    const at = view.viewport.toScreen(new Vector3().fromArray(overlay.joints, joint * 3), x);
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < nearest) [best, nearest] = [joint, distance];
  }
  return best;
}
