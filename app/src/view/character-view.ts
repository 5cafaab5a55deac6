import { forwardKinematics } from "../../../src/index.ts";
import { currentWeights, shownBinds } from "../binds.ts";
import { facingOf } from "../facing.ts";
import type { OpenedCharacter } from "../file-calls.ts";
import type { KeptBind } from "../kept-bind.ts";
import { poseMatrices } from "../pose-matrices.ts";
import type { Store } from "../store.ts";
import { type Body, createBody } from "./body.ts";
import { type BrushRing, createBrushRing } from "./brush-ring.ts";
import { type Box, boxAround, framedBox } from "./camera-fit.ts";
import { bodyColors, weightsOf } from "./colors.ts";
import { createJointGizmo, type JointGizmo } from "./joint-gizmo.ts";
import { createLimbRing, type LimbRing } from "./limb-ring.ts";
import { createLookMaterials, type LookMaterials } from "./look-materials.ts";
import { createMarks } from "./marks.ts";
import { createMirrorPlane } from "./mirror-plane.ts";
import { createSkeletonOverlay, type SkeletonOverlay } from "./skeleton-overlay.ts";
import { type BoneTexture, createBoneTexture } from "./skin-shader.ts";
import { createViewport, type Pass, type Viewport, type ViewportHost } from "./viewport.ts";

/** Bound on joint coordinates when the view is framed: joints of a far too large skeleton stay outside. */
const REACH = 2;
const within = (value: number) => Math.min(REACH, Math.max(-REACH, value));

/** The character on the screen; follows the store. */
export interface CharacterView {
  viewport: Viewport;
  gizmo: JointGizmo;
  ring: BrushRing;
  /** Outline of the limb around a joint that is being placed. */
  limb: LimbRing;
  /** The surface and the weights in a part of the canvas, counted from the left. */
  bodyIn(part: number): { body: Body; bind: KeptBind | undefined } | undefined;
  skeleton(): SkeletonOverlay | undefined;
  /** Updates the colors of the surface, not its pose. */
  recolor(): void;
  /** Updates pose and colors. */
  refresh(): void;
  /** Frames the whole character from the default side. */
  frame(): void;
  /** Frames the whole character in its current pose from the default side. */
  framePosed(): void;
  /** Frames what the selected joint moves. */
  frameJoint(): void;
  isHidden(joint: number): boolean;
  /** Draws the character in a pose by rotations, J×4. */
  thumbnail(rotations: Float32Array, size: number): HTMLCanvasElement | undefined;
  /** Draws the view without skeleton and floor. */
  picture(factor: number): HTMLCanvasElement;
}

/** Shows the store's character on a canvas. */
export function createCharacterView(
  canvas: HTMLCanvasElement,
  store: Store,
  page: Pick<ViewportHost, "insets" | "turned">,
): CharacterView {
  const { state } = store;
  const cover = { value: 1 };
  /** The surface on the left, or the only one; and the one on the right. */
  let bodies: Body[] = [];
  let materials: LookMaterials | undefined;
  let bones: BoneTexture | undefined;
  /** Whether weights may have changed since the surfaces received them. */
  let isWeighed = false;
  let overlay: SkeletonOverlay | undefined;
  const marks = createMarks();
  const ring = createBrushRing();
  const mirror = createMirrorPlane();
  const limb = createLimbRing();
  const viewport = createViewport(canvas, { passes, ...page });
  viewport.scene.add(marks.points, ring.line, mirror.group, limb.lines);
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

  /** Creates the second surface when two are shown. */
  function body(index: number): Body | undefined {
    if (!state.character || !materials || !bones) return undefined;
    if (!bodies[index]) {
      bodies[index] = createBody(state.character, materials, bones);
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
    bones?.dispose();
    bodies = [];
    materials = overlay = bones = undefined;
    if (state.character) {
      const { skeleton } = state.character.prepared.character;
      bones = createBoneTexture(skeleton.names.length);
      materials = createLookMaterials(state.character.look, cover, bones, viewport.redraw);
      overlay = createSkeletonOverlay(skeleton);
      viewport.scene.add(overlay.group);
    }
    refresh();
  }

  function pose() {
    const matrices = state.fitting ? undefined : poseMatrices(state);
    const shown = shownBinds(state);
    bones?.set(state.isDualQuaternion ? undefined : matrices);
    for (let i = 0; i < Math.max(1, shown.length); i++) {
      const own = body(i);
      own?.weigh(shown[i]?.weights, !isWeighed);
      own?.pose(matrices, state.isDualQuaternion);
    }
    isWeighed = true;
    if (overlay) overlay.group.visible = hasOverlay();
    overlay?.pose(matrices);
    mark();
  }

  const hasOverlay = () => state.hasSkeleton || state.fitting !== undefined;

  function mark() {
    if (bodies[0]) marks.show(state.marked, () => bodies[0].positions());
    if (overlay) {
      overlay.group.visible = hasOverlay();
      gizmo.update(overlay.joints);
    }
    mirror.show(state);
    viewport.redraw();
  }

  function paintOverlay() {
    const { joint: selected, hovered, hidden, look } = state;
    overlay?.paint({ selected, hovered, hidden, isColored: look === "dominant" });
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
    isWeighed = false;
    pose();
    recolor();
    paintOverlay();
  }

  /** Everything that is drawn: parts with and without weights, and joints that are being placed. */
  function boxOf({ prepared, look }: OpenedCharacter): Box {
    const { scale, offset, character } = prepared;
    const parts = look.attachments.map(({ positions }) =>
      positions.map((value, i) => (value - offset[i % 3]) * scale),
    );
    if (state.fitting) parts.push(character.skeleton.positions.map(within));
    return framedBox([character.mesh.positions, ...parts]);
  }

  function frame() {
    const { character, up } = state;
    if (!character) return;
    viewport.frame(boxOf(character), facingOf(character.prepared.character), up);
  }

  function framePosed() {
    if (bodies[0]) viewport.stand("usual", framedBox([bodies[0].positions()]));
  }

  function frameJoint() {
    const weights = currentWeights(state);
    if (!bodies[0] || !weights) return frame();
    const own = weightsOf(weights, state.joint);
    const positions = bodies[0].positions();
    const kept: number[] = [];
    own.forEach((weight, v) => {
      if (weight > 0.1) kept.push(...positions.subarray(v * 3, v * 3 + 3));
    });
    if (kept.length === 0) return frame();
    const { low, high } = boxAround([new Float32Array(kept)]);
    const at = low.clone().add(high).multiplyScalar(0.5);
    const { camera, controls } = viewport;
    const back = camera.position.clone().sub(controls.target).normalize();
    const away = Math.max(0.25, high.distanceTo(low) * 2.1);
    viewport.fly({ at, from: at.clone().addScaledVector(back, away) });
  }

  /** Hides everything except the character and its wireframe. Returns a function that shows it again. */
  function hideAids(): () => void {
    const aids = [overlay?.group, gizmo.helper, marks.points, ring.line, mirror.group, limb.lines]
      .filter((aid) => aid?.visible)
      .map((aid) => aid!);
    for (const aid of aids) aid.visible = false;
    return () => {
      for (const aid of aids) aid.visible = true;
    };
  }

  let framed: string | undefined;
  store.on(["character"], () => {
    rebuild();
    viewport.setInset(state.fitting !== undefined);
    limb.hide();
    // The same mesh with another skeleton keeps the camera, unless the skeleton is outside the mesh.
    const { source, character } = state;
    const name = `${source.file}/${character?.vertices}/${character?.misfit !== undefined}`;
    if (name !== framed) frame();
    framed = name;
  });
  store.on(["dress"], rebuild);
  store.on(["up"], frame);
  store.on(["binds", "weights"], () => {
    isWeighed = false;
  });
  store.on(["pose", "binds", "weights", "look"], pose);
  store.on(
    ["binds", "weights", "look", "joint", "shine", "field", "comparison", "fitting"],
    recolor,
  );
  store.on(["joint", "look", "brush"], mark);
  store.on(["character", "joint", "hover", "look", "brush"], paintOverlay);
  return {
    viewport,
    gizmo,
    ring,
    limb,
    bodyIn(part) {
      const found = bodies[part];
      return found && { body: found, bind: shownBinds(state)[part] };
    },
    skeleton: () => overlay,
    recolor,
    refresh,
    frame,
    framePosed,
    frameJoint,
    isHidden: (joint) => state.hidden.has(joint),
    thumbnail(rotations, size) {
      const { character } = state;
      if (!character || !bodies[0] || !bones) return undefined;
      const matrices = forwardKinematics(character.prepared.character.skeleton, rotations);
      bones.set(matrices);
      // Thumbnails show the character's own colors, whatever the view shows.
      const covered = cover.value;
      cover.value = 0;
      const showAids = hideAids();
      bodies.forEach((each, i) => {
        each.group.visible = i === shownBinds(state).length - 1 || bodies.length === 1;
      });
      bodies[0].pose(matrices, false);
      const picture = viewport.thumbnail(size);
      cover.value = covered;
      showAids();
      pose();
      return picture;
    },
    picture(factor) {
      const showAids = hideAids();
      const out = viewport.picture(factor);
      showAids();
      viewport.redraw();
      return out;
    },
  };
}
