import { Vector3 } from "three";
import { poseMatrices } from "../pose-matrices.ts";
import type { Store } from "../store.ts";
import { type Body, createBody } from "./body.ts";
import { vertexColours } from "./colours.ts";
import { createJointGizmo, type JointGizmo } from "./joint-gizmo.ts";
import { createMarks } from "./marks.ts";
import { createSkeletonOverlay, type SkeletonOverlay } from "./skeleton-overlay.ts";
import { createViewport, type Viewport } from "./viewport.ts";

/** The character on the screen: always what the store says. */
export interface CharacterView {
  viewport: Viewport;
  gizmo: JointGizmo;
  /** The surface on top at a place of the canvas; nothing before a character is open. */
  bodyAt(fraction: number): Body | undefined;
  skeleton(): SkeletonOverlay | undefined;
  /** Colours the surface anew, without posing it. */
  recolour(): void;
  frame(): void;
}

/** Shows the store's character on a canvas. */
export function createCharacterView(canvas: HTMLCanvasElement, store: Store): CharacterView {
  const { state } = store;
  let after: Body | undefined;
  let before: Body | undefined;
  let overlay: SkeletonOverlay | undefined;
  const marks = createMarks();
  const viewport = createViewport(canvas, passes);
  viewport.scene.add(marks.points);
  const gizmo = createJointGizmo(viewport, store);
  const isSplit = () => state.shown === "split" && state.before !== undefined;

  function passes() {
    const show = (body: Body | undefined) => () => {
      if (after) after.group.visible = body === after;
      if (before) before.group.visible = body === before;
    };
    if (isSplit()) {
      return [
        { left: 0, right: state.cut, prepare: show(before) },
        { left: state.cut, right: 1, prepare: show(after) },
      ];
    }
    const body = state.shown === "before" && state.before ? before : after;
    return [{ left: 0, right: 1, prepare: show(body) }];
  }

  function rebuild() {
    for (const part of [after, before, overlay]) {
      if (!part) continue;
      viewport.scene.remove(part.group);
      part.dispose();
    }
    after = before = overlay = undefined;
    if (state.character) {
      const { character } = state.character.prepared;
      after = createBody(character);
      before = createBody(character);
      overlay = createSkeletonOverlay(character.skeleton);
      viewport.scene.add(after.group, before.group, overlay.group);
      frame();
    }
    pose();
    recolour();
  }

  function pose() {
    const matrices = poseMatrices(state);
    const seesBefore = state.shown !== "after" && state.before !== undefined;
    after?.pose(state.weights, matrices, state.isDualQuaternion);
    if (seesBefore) before?.pose(state.before?.weights, matrices, state.isDualQuaternion);
    overlay?.pose(matrices);
    mark();
  }

  function mark() {
    if (after) marks.show(state.marked, after.positions());
    if (overlay) {
      overlay.select(state.joint);
      overlay.group.visible = state.hasSkeleton;
      gizmo.update(overlay.joints);
    }
    viewport.redraw();
  }

  function recolour() {
    after?.colour(vertexColours(state, state.weights));
    after?.showWires(state.isWireframe);
    if (before && state.before) {
      const { weights } = state.before;
      before.colour(vertexColours(state, weights, true));
      before.showWires(state.isWireframe);
    }
    viewport.redraw();
  }

  function frame() {
    if (!state.character) return;
    const { positions } = state.character.prepared.character.mesh;
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const point = new Vector3();
    for (let at = 0; at < positions.length; at += 3) {
      point.fromArray(positions, at);
      low.min(point);
      high.max(point);
    }
    viewport.frame(low, high);
  }

  store.on(["character"], rebuild);
  store.on(["pose", "weights", "look"], pose);
  store.on(["weights", "look", "joint", "field", "comparison"], recolour);
  store.on(["joint", "look"], mark);
  return {
    viewport,
    gizmo,
    bodyAt: (fraction) => {
      if (isSplit()) return fraction < state.cut ? before : after;
      return state.shown === "before" && state.before ? before : after;
    },
    skeleton: () => overlay,
    recolour,
    frame,
  };
}
