import type { Actions } from "./actions/actions.ts";
import { connectFitting } from "./fit-pointer.ts";
import type { KeptBind } from "./kept-bind.ts";
import { paintAt, paintable } from "./paint/paint-tools.ts";
import { copyWeights, rowChanges } from "./paint/row-changes.ts";
import type { Store } from "./store.ts";
import type { CharacterView } from "./view/character-view.ts";
import { type Hit, pickJoint, pickSurface } from "./view/pick.ts";

/** How far the pointer may move between press and release to be a click, in CSS pixels. */
const CLICK_REACH = 5;

/**
 * Lets the pointer select, inspect, paint, and drag joints of a skeleton that is being fitted.
 *
 * @param inspect told what is under the pointer, or nothing
 */
export function connectPointer(
  view: CharacterView,
  store: Store,
  actions: Actions,
  inspect: (hit: Hit | undefined) => void,
  snap: (point: number[], isMiddle: boolean) => Promise<number[]>,
): void {
  const { state } = store;
  const { canvas, controls } = view.viewport;
  const fitting = connectFitting(view, store, snap);
  let pressed: { x: number; y: number } | undefined;
  let stroke: { target: KeptBind; before: KeptBind["weights"] } | undefined;
  let hover: { x: number; y: number } | undefined;

  // What the pointer holds, or points at, is of the character that went.
  store.on(["character"], () => {
    pressed = stroke = hover = undefined;
    controls.enabled = true;
    inspect(undefined);
  });
  const placeOf = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const pressureOf = ({ pointerType, pressure }: PointerEvent) =>
    pointerType === "pen" ? Math.max(0.05, pressure) : 1;
  const paint = (event: PointerEvent) => {
    const { x, y } = placeOf(event);
    const hit = pickSurface(view, x, y);
    if (!hit || !stroke) return;
    paintAt(store, stroke.target, hit, pressureOf(event));
    view.recolor();
    showRing(hit);
  };
  const showRing = (hit: Hit | undefined) => {
    if (hit && state.brush.isOn) view.ring.show(hit.point, hit.normal, state.brush.radius);
    else view.ring.hide();
    view.viewport.redraw();
  };

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      const place = placeOf(event);
      if (state.fitting && fitting.press(place)) {
        controls.enabled = false;
        canvas.setPointerCapture(event.pointerId);
        return;
      }
      const canPaint = state.brush.isOn && !view.gizmo.isHeld();
      const hit = canPaint ? pickSurface(view, place.x, place.y) : undefined;
      if (hit?.bind) {
        controls.enabled = false;
        canvas.setPointerCapture(event.pointerId);
        const target = paintable(store, hit.bind);
        stroke = { target, before: copyWeights(target.weights) };
        actions.history.hold(true);
        if (target !== hit.bind) store.changed("binds", "weights");
        paint(event);
        return;
      }
      pressed = view.gizmo.isHeld() ? undefined : place;
    },
    // Before the controls, which would take the stroke for a turn.
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    if (fitting.isDragging()) return fitting.drag(place);
    if (stroke) paint(event);
    if (!hover) {
      requestAnimationFrame(() => {
        if (hover && !pressed && !stroke) {
          const hit = pickSurface(view, hover.x, hover.y);
          inspect(hit);
          showRing(hit);
        }
        hover = undefined;
      });
    }
    hover = place;
  });
  canvas.addEventListener("pointerleave", () => {
    inspect(undefined);
    showRing(undefined);
  });
  const release = (event: PointerEvent) => {
    const place = placeOf(event);
    if (fitting.isDragging()) {
      controls.enabled = true;
      fitting.release();
    } else if (stroke) endStroke();
    else if (pressed && Math.hypot(place.x - pressed.x, place.y - pressed.y) < CLICK_REACH) {
      select(place);
    }
    pressed = undefined;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  function endStroke(): void {
    const { target, before } = stroke!;
    stroke = undefined;
    actions.history.hold(false);
    controls.enabled = true;
    const step = rowChanges(before, target.weights);
    if (!step) return;
    const wasPainted = target.isPainted;
    const mark = (isPainted: boolean) => {
      target.isPainted = isPainted;
      target.isSaved = false;
      actions.choose(target.id);
    };
    actions.history.record({
      undo() {
        step.undo();
        mark(wasPainted);
      },
      redo() {
        step.redo();
        mark(true);
      },
    });
    target.isPainted = true;
    target.isSaved = false;
    store.changed("binds", "weights", "brush");
    void actions.review();
  }

  function select({ x, y }: { x: number; y: number }): void {
    let joint = pickJoint(view, x, y);
    if (joint < 0) {
      const hit = pickSurface(view, x, y);
      const weights = hit?.bind?.weights;
      if (hit && weights) joint = weights.joints[hit.vertex * weights.influences];
    }
    if (joint < 0) return;
    state.joint = joint;
    state.marked = [];
    store.changed("joint");
  }
}
