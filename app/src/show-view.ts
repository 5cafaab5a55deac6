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
import type { ViewTools } from "./ui/view-tools.ts";
import type { Insets } from "./view/camera-fit.ts";
import { type CharacterView, createCharacterView } from "./view/character-view.ts";
import { INSET } from "./view/viewport.ts";

/**
 * Opens the view and connects pointer and keyboard.
 *
 * @returns the view and functions that fly its camera; undefined if the browser has no WebGL
 */
export function showView(
  store: Store,
  engine: Engine,
  actions: Actions,
  tools: ViewTools,
): { view: CharacterView; flyTo: (vertices: number[], joint: number) => void } | undefined {
  try {
    const canvas = find<HTMLCanvasElement>("canvas");
    // Tested on a separate canvas, because a canvas supports only one kind of context.
    if (!document.createElement("canvas").getContext("webgl2")) throw new Error("no WebGL");
    const view = createCharacterView(canvas, store, { insets, turned: tools.turned });
    const snap = (point: number[], isMiddle: boolean) =>
      engine.file().call("snap", { point, isMiddle });
    connectPointer(view, store, actions, createInspector(store), snap);
    connectKeys(view, store);
    // The frame around the second view has the size of that view.
    new ResizeObserver(() => {
      const side = `${Math.round(INSET * Math.min(canvas.clientWidth, canvas.clientHeight))}px`;
      Object.assign(find("side-view").style, { width: side, height: side });
    }).observe(canvas);
    // Not the head bar: the legend may wrap to another line and must not move the view.
    const bars = new ResizeObserver(view.viewport.measure);
    for (const id of ["view-tools", "stage-bottom"]) bars.observe(find(id));
    view.gizmo.onTurned((before) => recordPose(store, actions, before));
    canvas.addEventListener("webglcontextlost", () =>
      showAlert(
        "The browser lost access to the graphics card; the view returns with it, and the weights are safe.",
      ),
    );
    canvas.addEventListener("webglcontextrestored", () => {
      clearAlert();
      view.refresh();
    });
    return { view, flyTo: (vertices, joint) => flyTo(view, vertices, joint) };
  } catch {
    document.body.classList.add("no-view");
    showLasting(
      "This browser cannot show 3D (WebGL is disabled or missing); opening, binding and saving still work. To see the view, enable hardware acceleration or use another browser.",
    );
    return undefined;
  }
}

/** Parts of the canvas that are covered by bars. */
function insets(): Insets {
  const foot = find("stage-bottom").getBoundingClientRect();
  find("stage").style.setProperty("--foot", `${Math.round(foot.height) + 8}px`);
  return covered();
}

function covered(): Insets {
  const canvas = find("canvas").getBoundingClientRect();
  const [head, foot] = ["stage-head", "stage-bottom"].map((id) => find(id).getBoundingClientRect());
  const covers = (part: DOMRect) =>
    part.height > 0 && part.left < canvas.right && part.right > canvas.left;
  const inside = (value: number) => Math.min(canvas.height / 3, Math.max(0, value));
  return {
    top: covers(head) ? inside(head.bottom - canvas.top) : 0,
    bottom: covers(foot) ? inside(canvas.bottom - foot.top) : 0,
  };
}

/** Looks at vertices from the direction they face, as close as shows all of them. */
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
  // Never from below the floor.
  facing.y = Math.max(facing.y, -0.1 * facing.length());
  // Close enough to see it, far enough to see where it is.
  const away = Math.min(3, Math.max(1.2, radius * 5));
  viewport.fly({ at, from: at.clone().addScaledVector(facing.normalize(), away) });
}
