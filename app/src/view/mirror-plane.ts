import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
} from "three";
import type { State } from "../store.ts";

/** The plane of symmetry of the brush, and the axis across it. */
export interface MirrorPlaneView {
  group: Group;
  show(state: State): void;
}

/** Creates the plane, which is visible while the brush paints both sides. */
export function createMirrorPlane(): MirrorPlaneView {
  const sheet = new Mesh(
    new PlaneGeometry(1.1, 1.1),
    new MeshBasicMaterial({
      color: 0x4f8cff,
      transparent: true,
      opacity: 0.12,
      depthWrite: false,
      side: DoubleSide,
    }),
  );
  const axis = new BufferGeometry();
  axis.setAttribute("position", new BufferAttribute(Float32Array.of(0, 0, -0.3, 0, 0, 0.3), 3));
  const arrow = new LineSegments(
    axis,
    new LineBasicMaterial({ color: 0xff6a3c, depthTest: false }),
  );
  arrow.renderOrder = 15;
  const group = new Group();
  group.add(sheet, arrow);
  group.visible = false;
  return {
    group,
    show({ brush, facts, character }) {
      group.visible = brush.isOn && brush.isMirrored && facts !== undefined && !!character;
      if (!facts) return;
      const { axis: across, offset } = facts.symmetry.plane;
      group.position.set(0, 0.5, 0).setComponent(across, offset);
      group.rotation.set(across === 1 ? Math.PI / 2 : 0, across === 0 ? Math.PI / 2 : 0, 0);
    },
  };
}
