import { findSymmetry, type Lists, type Symmetry, vertexNeighbours } from "../../src/parts.ts";
import { dab, touchedVertices } from "./paint/brush-stroke.ts";
import { copyWeights, type History } from "./paint/history.ts";
import type { Store } from "./store.ts";
import type { CharacterView } from "./view/character-view.ts";
import { type Hit, pickJoint, pickSurface } from "./view/pick.ts";

/** How far the pointer may move between press and release to be a click, in CSS pixels. */
const CLICK_REACH = 5;

/**
 * Lets the pointer select, inspect and paint.
 *
 * @param inspect told the vertex under the pointer, or nothing
 * @param painted called after each stroke
 */
export function connectPointer(
  view: CharacterView,
  store: Store,
  history: History,
  inspect: (vertex: number | undefined) => void,
  painted: () => void,
): void {
  const { state } = store;
  const { canvas, controls } = view.viewport;
  const tools = paintTools(store);
  let pressed: { x: number; y: number } | undefined;
  let stroke: ReturnType<typeof copyWeights> | undefined;
  let hover: { x: number; y: number } | undefined;

  const placeOf = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const paintAt = ({ x, y }: { x: number; y: number }) => {
    const hit = pickSurface(view, x, y);
    if (!hit || !state.weights) return;
    tools.paint(hit);
    view.recolour();
  };

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      const place = placeOf(event);
      const canPaint = state.brush.isOn && state.weights && state.shown !== "before";
      if (canPaint && !view.gizmo.isHeld() && pickSurface(view, place.x, place.y)) {
        controls.enabled = false;
        canvas.setPointerCapture(event.pointerId);
        stroke = copyWeights(state.weights!);
        paintAt(place);
        return;
      }
      pressed = view.gizmo.isHeld() ? undefined : place;
    },
    // Before the controls, which would take the stroke for a turn.
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => {
    const place = placeOf(event);
    if (stroke) paintAt(place);
    if (!hover) {
      requestAnimationFrame(() => {
        if (hover && !pressed) inspect(pickSurface(view, hover.x, hover.y)?.vertex);
        hover = undefined;
      });
    }
    hover = place;
  });
  canvas.addEventListener("pointerleave", () => inspect(undefined));
  const release = (event: PointerEvent) => {
    const place = placeOf(event);
    if (stroke) {
      history.record(stroke, state.weights!);
      stroke = undefined;
      controls.enabled = true;
      state.isPainted = true;
      store.changed("weights", "brush");
      painted();
    } else if (pressed && Math.hypot(place.x - pressed.x, place.y - pressed.y) < CLICK_REACH) {
      select(place);
    }
    pressed = undefined;
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  function select({ x, y }: { x: number; y: number }): void {
    let joint = pickJoint(view, x, y);
    const { weights } = state;
    if (joint < 0 && weights) {
      const hit = pickSurface(view, x, y);
      if (hit) joint = weights.joints[hit.vertex * weights.influences];
    }
    if (joint < 0) return;
    state.joint = joint;
    state.marked = [];
    store.changed("joint");
  }
}

/** A brush that knows the mesh's neighbours and mirror, found once for each character. */
function paintTools({ state }: Store): { paint(hit: Hit): void } {
  let known: { character: unknown; neighbours: Lists; symmetry: Symmetry } | undefined;
  const facts = () => {
    if (known?.character !== state.character || !known) {
      const { character } = state.character!.prepared;
      const { positions, triangles } = character.mesh;
      known = {
        character: state.character,
        neighbours: vertexNeighbours(triangles, positions.length / 3),
        symmetry: findSymmetry(character, 0),
      };
    }
    return known;
  };
  return {
    paint({ body, point, normal }) {
      const { brush, joint, locked } = state;
      const { neighbours, symmetry } = facts();
      const touched = touchedVertices(
        body.positions(),
        body.normals(),
        point.toArray(),
        normal.toArray(),
        brush.radius,
      );
      const settings = { ...brush, locked, neighbours };
      dab(state.weights!, touched, { ...settings, joint });
      if (!brush.isMirrored) return;
      const across = touched
        .map(({ vertex, reach }) => ({ vertex: symmetry.partners[vertex], reach }))
        .filter(({ vertex }) => vertex >= 0 && !touched.some((own) => own.vertex === vertex));
      const twin = symmetry.twins[joint];
      dab(state.weights!, across, { ...settings, joint: twin < 0 ? joint : twin });
    },
  };
}
