import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { History } from "./history.ts";
import { otherSideJoint } from "./other-side-joint.ts";
import type { Store } from "./store.ts";
import type { CharacterView } from "./view/character-view.ts";
import { pickJoint } from "./view/pick.ts";

type Place = { x: number; y: number };

/** Dragging of joints by the pointer. */
export interface FitPointer {
  isDragging(): boolean;
  /** Starts to drag the joint under the pointer, if there is one. */
  press(place: Place): boolean;
  drag(place: Place): void;
  /** Ends the drag; the joint moves to the middle of the body if snapping is on. */
  release(): void;
}

/** Lets the pointer drag the joints of a skeleton into the body. */
export function connectFitting(
  view: CharacterView,
  store: Store,
  history: Pick<History, "record">,
  snap: (point: number[], isMiddle: boolean) => Promise<number[]>,
): FitPointer {
  const { state } = store;
  let dragged: { joint: number; plane: Plane; before: Float32Array } | undefined;
  // A drag ends when its skeleton is replaced.
  store.on(["character"], () => {
    dragged = undefined;
  });

  const skeleton = () => state.character!.prepared.character.skeleton;
  const put = (joint: number, point: ArrayLike<number>) => {
    const { positions } = skeleton();
    const twin = otherSideJoint(skeleton(), joint);
    const isMirrored = state.fitting?.isMirrored && twin >= 0;
    // Joints in the plane of symmetry stay in it.
    const x = isMirrored && twin === joint ? positions[joint * 3] : point[0];
    positions.set([x, point[1], point[2]], joint * 3);
    if (isMirrored && twin !== joint) positions.set([-x, point[1], point[2]], twin * 3);
    ring(joint);
    store.changed("pose");
  };

  const ring = (joint: number) => {
    const { mesh } = state.character!.prepared.character;
    view.limb.show(mesh, skeleton(), joint);
  };

  /** Records a drag as an undoable step; where the joints are by then is known when it is undone. */
  function record(before: Float32Array): void {
    if (skeleton().positions.every((value, i) => value === before[i])) return;
    let after = before;
    const set = (positions: Float32Array) => {
      if (skeleton().positions.length !== positions.length) return;
      skeleton().positions.set(positions);
      store.changed("pose");
    };
    history.record({
      undo() {
        after = skeleton().positions.slice();
        set(before);
      },
      redo: () => set(after),
    });
    store.changed("brush");
  }

  /** Moves a joint to the middle of the body, unless it is dragged in the meantime. */
  async function toMiddle(joint: number): Promise<void> {
    const { character } = state;
    const { positions } = skeleton();
    const point = Array.from(positions.subarray(joint * 3, joint * 3 + 3));
    const isMiddle = otherSideJoint(skeleton(), joint) === joint;
    // Without a middle, or once it is no longer wanted, the joint stays where it was dropped.
    const snapped = await snap(point, isMiddle).catch(() => point);
    if (state.character !== character) return;
    const isMoved = point.some((value, axis) => positions[joint * 3 + axis] !== value);
    if (!isMoved) put(joint, snapped);
  }

  return {
    isDragging: () => dragged !== undefined,
    press({ x, y }: Place): boolean {
      const joint = pickJoint(view, x, y);
      if (joint < 0) return false;
      const at = new Vector3().fromArray(skeleton().positions, joint * 3);
      const facing = view.viewport.camera.getWorldDirection(new Vector3());
      const plane = new Plane().setFromNormalAndCoplanarPoint(facing, at);
      dragged = { joint, plane, before: skeleton().positions.slice() };
      state.joint = joint;
      store.changed("joint");
      ring(joint);
      return true;
    },
    drag({ x, y }: Place): void {
      if (!dragged) return;
      const place = view.viewport.inPart(x, y);
      const ray = new Raycaster();
      ray.setFromCamera(new Vector2(place.x, place.y), view.viewport.camera);
      const point = ray.ray.intersectPlane(dragged.plane, new Vector3());
      if (point) put(dragged.joint, point.toArray());
    },
    release(): void {
      const { joint, before } = dragged!;
      dragged = undefined;
      record(before);
      const { fitting } = state;
      if (!fitting?.isSnapping) return;
      fitting.settling = Promise.all([fitting.settling, toMiddle(joint)]);
    },
  };
}
