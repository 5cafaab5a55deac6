import { Raycaster, Vector2, Vector3 } from "three";
import type { Body } from "./body.ts";
import type { CharacterView } from "./character-view.ts";

/** What lies under the pointer. */
export interface Hit {
  body: Body;
  /** The corner of the face nearest to the pointer. */
  vertex: number;
  point: Vector3;
  normal: Vector3;
}

/** How near a joint must be to be meant, in CSS pixels. */
const JOINT_REACH = 12;

/** The surface under a place of the canvas. */
export function pickSurface(view: CharacterView, x: number, y: number): Hit | undefined {
  const { canvas, camera } = view.viewport;
  const body = view.bodyAt(x / canvas.clientWidth);
  if (!body) return undefined;
  const place = new Vector2((x / canvas.clientWidth) * 2 - 1, 1 - (y / canvas.clientHeight) * 2);
  const ray = new Raycaster();
  ray.setFromCamera(place, camera);
  const [hit] = ray.intersectObject(body.mesh, false);
  if (!hit?.face) return undefined;
  const positions = body.positions();
  const corners = [hit.face.a, hit.face.b, hit.face.c];
  const distance = (v: number) => new Vector3().fromArray(positions, v * 3).distanceTo(hit.point);
  const vertex = corners.reduce((best, v) => (distance(v) < distance(best) ? v : best));
  return {
    body,
    vertex,
    point: hit.point,
    normal: new Vector3().fromArray(body.normals(), vertex * 3),
  };
}

/** The joint under a place of the canvas, -1 where there is none. */
export function pickJoint(view: CharacterView, x: number, y: number): number {
  const overlay = view.skeleton();
  if (!overlay?.group.visible) return -1;
  let best = -1;
  let nearest = JOINT_REACH;
  for (let joint = 0; joint * 3 < overlay.joints.length; joint++) {
    const at = view.viewport.toScreen(new Vector3().fromArray(overlay.joints, joint * 3));
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < nearest) [best, nearest] = [joint, distance];
  }
  return best;
}
