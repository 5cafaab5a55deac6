import type { Actions } from "./actions/actions.ts";
import { connectFitting } from "./fit-pointer.ts";
import type { KeptBind } from "./kept-bind.ts";
import type { Brush } from "./paint/brush-stroke.ts";
import { readRow } from "./paint/edit-row.ts";
import { paintAt, paintable, strokeKind } from "./paint/paint-tools.ts";
import { recordChange } from "./paint/record-change.ts";
import { copyWeights } from "./paint/row-changes.ts";
import type { Store } from "./store.ts";
import type { CharacterView } from "./view/character-view.ts";
import { type Hit, pickJoint, pickSurface } from "./view/pick.ts";

/** Maximum pointer movement between press and release of a click, in CSS pixels. */
const CLICK_REACH = 5;

/**
 * Connects the pointer: selects, inspects, paints, and drags joints of a skeleton that is being placed.
 *
 * @param inspect receives what is under the pointer, or undefined
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
  const fitting = connectFitting(view, store, actions.history, snap);
  let pressed: { x: number; y: number } | undefined;
  let stroke: { target: KeptBind; before: KeptBind["weights"]; kind: Brush } | undefined;
  /** Brush size and position of the pointer when resizing started. */
  let sizing: { radius: number; x: number } | undefined;
  let hover: { x: number; y: number } | undefined;
  let last: { x: number; y: number } | undefined;

  // What the pointer drags or hovers belongs to the previous character.
  store.on(["character"], () => {
    pressed = stroke = hover = sizing = undefined;
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
    paintAt(store, stroke.target, hit, { pressure: pressureOf(event), kind: stroke.kind });
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
      if (sizing) {
        // The click confirms the size and does not paint.
        sizing = undefined;
        event.stopImmediatePropagation();
        return;
      }
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
        const kind = strokeKind(state.brush.kind, event);
        stroke = { target, before: copyWeights(target.weights), kind };
        actions.history.hold(true);
        if (target !== hit.bind) store.changed("binds", "weights");
        paint(event);
        return;
      }
      pressed = view.gizmo.isHeld() ? undefined : place;
    },
    // Before the controls, which would rotate the view.
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    last = place;
    if (fitting.isDragging()) return fitting.drag(place);
    if (sizing) {
      const radius = sizing.radius + (place.x - sizing.x) / (2 * canvas.clientHeight);
      state.brush.radius = Math.min(0.3, Math.max(0.01, radius));
      store.changed("brush");
    }
    if (stroke) paint(event);
    if (!hover) {
      requestAnimationFrame(() => {
        // During a motion the posed surface exists only on the GPU.
        if (hover && !pressed && !stroke && !state.clip.isPlaying) {
          const hit = pickSurface(view, hover.x, hover.y);
          inspect(hit);
          point(hit);
          showRing(hit);
        }
        hover = undefined;
      });
    }
    hover = place;
  });
  canvas.addEventListener("pointerleave", () => {
    inspect(undefined);
    point(undefined);
    showRing(undefined);
  });
  addEventListener("keydown", (event) => {
    if (!state.brush.isOn || event.ctrlKey || event.metaKey || isField(event.target)) return;
    const key = event.key.toLowerCase();
    if (key === "escape" && sizing) {
      state.brush.radius = sizing.radius;
      sizing = undefined;
      store.changed("brush");
    } else if (key === "f" && last) {
      sizing = sizing ? undefined : { radius: state.brush.radius, x: last.x };
    } else if (key === "e" && last) takeWeight(last);
  });

  /** Sets the strength of the brush to the weight under the pointer. */
  function takeWeight({ x, y }: { x: number; y: number }): void {
    const hit = pickSurface(view, x, y);
    if (!hit?.bind) return;
    const weight = readRow(hit.bind.weights, hit.vertex).get(state.joint) ?? 0;
    Object.assign(state.brush, { kind: "replace", strength: Math.max(0.05, weight) });
    store.changed("brush");
  }

  /** Highlights the joint that moves the surface under the pointer. */
  function point(hit: Hit | undefined): void {
    const weights = hit?.bind?.weights;
    const joint = hit && weights ? weights.joints[hit.vertex * weights.influences] : undefined;
    if (joint === state.hovered) return;
    state.hovered = joint;
    store.changed("hover");
  }
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
    recordChange(store, actions, target, before);
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
    if (state.solo !== undefined) state.solo = joint;
    state.marked = [];
    store.changed("joint");
  }
}

/** Whether an element receives typed text. */
function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && !/range|checkbox|radio/.test(target.type);
}
