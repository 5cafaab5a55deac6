import { Vector3 } from "three";
import { shownBinds } from "../binds.ts";
import { facingOf } from "../facing.ts";
import type { KeptBind } from "../kept-bind.ts";
import { poseMatrices } from "../pose-matrices.ts";
import type { Store } from "../store.ts";
import { type Body, createBody } from "./body.ts";
import { type BrushRing, createBrushRing } from "./brush-ring.ts";
import { bodyColors } from "./colors.ts";
import { createJointGizmo, type JointGizmo } from "./joint-gizmo.ts";
import { createLookMaterials, type LookMaterials } from "./look-materials.ts";
import { createMarks } from "./marks.ts";
import { createMirrorPlane } from "./mirror-plane.ts";
import { createSkeletonOverlay, type SkeletonOverlay } from "./skeleton-overlay.ts";
import { createViewport, type Pass, type Viewport } from "./viewport.ts";

/** The character on the screen: always what the store says. */
export interface CharacterView {
  viewport: Viewport;
  gizmo: JointGizmo;
  ring: BrushRing;
  /** The surface in a part of the canvas, from the left, and whose weights it has. */
  bodyIn(part: number): { body: Body; bind: KeptBind | undefined } | undefined;
  skeleton(): SkeletonOverlay | undefined;
  /** Updates the colors of the surface, not its pose. */
  recolor(): void;
  /** Updates pose and colors. */
  refresh(): void;
  frame(): void;
}

/** Shows the store's character on a canvas. */
export function createCharacterView(canvas: HTMLCanvasElement, store: Store): CharacterView {
  const { state } = store;
  const cover = { value: 1 };
  /** The surface on the left, or the only one; and the one on the right. */
  let bodies: Body[] = [];
  let materials: LookMaterials | undefined;
  let overlay: SkeletonOverlay | undefined;
  const marks = createMarks();
  const ring = createBrushRing();
  const mirror = createMirrorPlane();
  const viewport = createViewport(canvas, passes);
  viewport.scene.add(marks.points, ring.line, mirror.group);
  const gizmo = createJointGizmo(viewport, store);

  function passes(): Pass[] {
    const show = (chosen: number) => () => {
      bodies.forEach((body, i) => {
        body.group.visible = i === chosen;
      });
    };
    if (shownBinds(state).length < 2) {
      return [{ left: 0, right: 1, isWhole: true, prepare: show(0) }];
    }
    const isWhole = state.arrangement === "side";
    const cut = isWhole ? 0.5 : state.cut;
    return [
      { left: 0, right: cut, isWhole, prepare: show(0) },
      { left: cut, right: 1, isWhole, prepare: show(1) },
    ];
  }

  /** A second surface is made when two are to be seen. */
  function body(index: number): Body | undefined {
    if (!state.character || !materials) return undefined;
    if (!bodies[index]) {
      bodies[index] = createBody(state.character, materials);
      viewport.scene.add(bodies[index].group);
    }
    return bodies[index];
  }

  function rebuild() {
    for (const part of [...bodies, ...(overlay ? [overlay] : [])]) {
      viewport.scene.remove(part.group);
      part.dispose();
    }
    materials?.dispose();
    bodies = [];
    materials = overlay = undefined;
    if (state.character) {
      materials = createLookMaterials(state.character.look, cover, viewport.redraw);
      overlay = createSkeletonOverlay(state.character.prepared.character.skeleton);
      viewport.scene.add(overlay.group);
    }
    refresh();
  }

  function pose() {
    const matrices = poseMatrices(state);
    const shown = shownBinds(state);
    for (let i = 0; i < Math.max(1, shown.length); i++) {
      body(i)?.pose(shown[i]?.weights, matrices, state.isDualQuaternion);
    }
    overlay?.pose(matrices);
    mark();
  }

  function mark() {
    if (bodies[0]) marks.show(state.marked, bodies[0].positions());
    if (overlay) {
      overlay.select(state.joint);
      overlay.group.visible = state.hasSkeleton || state.fitting !== undefined;
      gizmo.update(overlay.joints);
    }
    mirror.show(state);
    viewport.redraw();
  }

  function recolor() {
    cover.value = state.look === "plain" || state.fitting ? 0 : state.cover;
    shownBinds(state).forEach((bind, i) => {
      body(i)?.color(bodyColors(state, bind));
    });
    for (const each of bodies) each.showWires(state.isWireframe);
    viewport.redraw();
  }

  function refresh() {
    pose();
    recolor();
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
    viewport.frame(low, high, facingOf(state.character.prepared.character.skeleton));
  }

  let framed: string | undefined;
  store.on(["character"], () => {
    rebuild();
    // The same mesh with another skeleton keeps the visitor's view of it.
    const name = `${state.source.file}/${state.character?.vertices}`;
    if (name !== framed) frame();
    framed = name;
  });
  store.on(["pose", "binds", "weights", "look"], pose);
  store.on(["binds", "weights", "look", "joint", "field", "comparison", "fitting"], recolor);
  store.on(["joint", "look", "brush"], mark);
  return {
    viewport,
    gizmo,
    ring,
    bodyIn(part) {
      const found = bodies[part];
      return found && { body: found, bind: shownBinds(state)[part] };
    },
    skeleton: () => overlay,
    recolor,
    refresh,
    frame,
  };
}
