import { Vector3 } from "three";
import type { Actions } from "./actions/actions.ts";
import type { Engine } from "./engine.ts";
import { connectKeys } from "./keys.ts";
import { connectPointer } from "./pointer.ts";
import type { Store } from "./store.ts";
import { clearAlert, showAlert, showLasting } from "./ui/alerts.ts";
import { find } from "./ui/dom.ts";
import { createInspector } from "./ui/inspector.ts";
import { recordPose } from "./ui/pose-panel.ts";
import { type CharacterView, createCharacterView } from "./view/character-view.ts";

/**
 * Opens the view and lets pointer and keys at it.
 *
 * @returns flies the camera to vertices, or to a joint; nothing where the browser offers no WebGL
 */
export function showView(
  store: Store,
  engine: Engine,
  actions: Actions,
): ((vertices: number[], joint: number) => void) | undefined {
  try {
    const canvas = find<HTMLCanvasElement>("canvas");
    // Asked on a canvas of its own, since a canvas gives one kind of context only.
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("no WebGL");
    const view = createCharacterView(canvas, store);
    const snap = (point: number[], isMiddle: boolean) =>
      engine.file().call("snap", { point, isMiddle });
    connectPointer(view, store, actions, createInspector(store), snap);
    connectKeys(view);
    view.gizmo.onTurned((before) => recordPose(store, actions, before));
    canvas.addEventListener("webglcontextlost", () =>
      showAlert(
        "The browser lost the graphics card; the view comes back with it, weights are safe.",
      ),
    );
    canvas.addEventListener("webglcontextrestored", () => {
      clearAlert();
      view.refresh();
    });
    return (vertices, joint) => flyTo(view, vertices, joint);
  } catch {
    document.body.classList.add("no-view");
    showLasting(
      "This browser shows no 3D (WebGL is off or missing), so there is no picture; opening, binding and saving work all the same. Another browser, or turning on hardware acceleration, brings the picture back.",
    );
    return undefined;
  }
}

/** Looks at vertices from where they face, as near as shows them all. */
function flyTo(view: CharacterView, vertices: number[], joint: number): void {
  const { viewport } = view;
  const shown = view.bodyIn(0);
  const overlay = view.skeleton();
  if (!shown || !overlay) return;
  const { body } = shown;
  const at = new Vector3();
  const facing = new Vector3();
  const point = (v: number) => new Vector3().fromArray(body.positions(), v * 3);
  for (const v of vertices) {
    at.add(point(v));
    facing.add(new Vector3().fromArray(body.normals(), v * 3));
  }
  if (vertices.length > 0) at.divideScalar(vertices.length);
  else at.fromArray(overlay.joints, joint * 3);
  const radius = vertices.reduce((most, v) => Math.max(most, point(v).distanceTo(at)), 0.08);
  if (facing.length() < 0.2 * Math.max(1, vertices.length)) {
    facing.copy(viewport.camera.position).sub(viewport.controls.target);
  }
  const away = Math.min(3, Math.max(0.7, radius * 5));
  viewport.fly({ at, from: at.clone().addScaledVector(facing.normalize(), away) });
}
