import { Matrix4, Object3D, Quaternion, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { shownBinds } from "../binds.ts";
import { poseMatrices } from "../pose-matrices.ts";
import type { Store } from "../store.ts";
import type { Viewport } from "./viewport.ts";

/** Rings around the selected joint that rotate it. */
export interface JointGizmo {
  /** Moves to the joint, or hides if there is nothing to rotate. */
  update(joints: Float32Array): void;
  /** Called with the previous rotations when a drag of the rings ends. */
  onTurned(listener: (before: Float32Array) => void): void;
  /** Whether the pointer is on a ring, so that a click there selects nothing. */
  isHeld(): boolean;
  /** Its object in the scene. */
  helper: Object3D;
}

/** Adds rings to a view; they change the store's rotations. */
export function createJointGizmo(viewport: Viewport, store: Store): JointGizmo {
  let turned: (before: Float32Array) => void = () => undefined;
  const { state } = store;
  const handle = new Object3D();
  const rings = new TransformControls(viewport.camera, viewport.canvas);
  rings.setMode("rotate");
  rings.setSpace("local");
  rings.setSize(0.75);
  viewport.scene.add(handle, rings.getHelper());
  let before = state.rotations;
  rings.addEventListener("dragging-changed", ({ value }) => {
    viewport.controls.enabled = !value;
    if (value) before = state.rotations.slice();
    else turned(before);
  });
  rings.addEventListener("change", viewport.redraw);
  rings.addEventListener("objectChange", () => {
    const parent = state.character?.prepared.character.skeleton.parents[state.joint] ?? -1;
    const above = parent < 0 ? new Quaternion() : turnOf(poseMatrices(state)!, parent);
    const own = above.invert().multiply(handle.quaternion).normalize();
    state.rotations.set(own.toArray(), state.joint * 4);
    store.changed("pose");
  });
  return {
    onTurned(listener) {
      turned = listener;
    },
    helper: rings.getHelper(),
    isHeld: () => rings.dragging || rings.axis !== null,
    update(joints) {
      const matrices = poseMatrices(state);
      const isApart = state.arrangement === "side" && shownBinds(state).length > 1;
      if (!state.isTurning || !matrices || state.clip.index !== -1 || isApart) {
        rings.detach();
        return;
      }
      if (!rings.dragging) {
        handle.position.copy(new Vector3().fromArray(joints, state.joint * 3));
        handle.quaternion.copy(turnOf(matrices, state.joint));
      }
      if (!rings.object) rings.attach(handle);
    },
  };
}

function turnOf(matrices: Float32Array, joint: number): Quaternion {
  return new Quaternion().setFromRotationMatrix(new Matrix4().fromArray(matrices, joint * 16));
}
