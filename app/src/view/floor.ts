import {
  CanvasTexture,
  GridHelper,
  Group,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  type Vector3,
} from "three";
import type { Direction } from "../../../src/parts.ts";
import { type Box, turnToUp, vectorOf } from "./camera-fit.ts";

/** The ground below a character, with a soft shadow. */
export interface Floor {
  group: Group;
  /** Moves it below a box. */
  put(box: Box, up: Direction): void;
}

/** Creates a grid of 20 by 20 cells and a shadow. */
export function createFloor(): Floor {
  const grid = new GridHelper(2, 20, 0x8890a0, 0x8890a0);
  grid.material.transparent = true;
  grid.material.opacity = 0.25;
  grid.material.depthWrite = false;
  const shadow = new Mesh(
    new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
    new MeshBasicMaterial({ map: shade(), transparent: true, depthWrite: false, opacity: 0.5 }),
  );
  shadow.renderOrder = -1;
  shadow.position.y = 0.0005;
  const group = new Group();
  group.add(grid, shadow);
  return {
    group,
    put({ low, high }, up) {
      const turn = turnToUp(up);
      const axis = vectorOf(up);
      const size = high.clone().sub(low);
      const center = low.clone().add(high).multiplyScalar(0.5);
      const tall = Math.abs(size.dot(axis));
      group.quaternion.copy(turn);
      group.position.copy(center).addScaledVector(axis, -tall / 2);
      // The box in the axes of the floor.
      const flat = size.clone().applyQuaternion(turn.clone().invert());
      shadow.scale.copy(abs(flat)).multiplyScalar(1.25).setY(1);
    },
  };
}

const abs = (v: Vector3) => v.set(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));

/** Creates a dark spot that fades towards its edge. */
function shade(): CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const pen = canvas.getContext("2d");
  if (pen) {
    const fade = pen.createRadialGradient(64, 64, 4, 64, 64, 63);
    fade.addColorStop(0, "rgb(10 14 24 / 75%)");
    fade.addColorStop(0.55, "rgb(10 14 24 / 28%)");
    fade.addColorStop(1, "rgb(10 14 24 / 0%)");
    pen.fillStyle = fade;
    pen.fillRect(0, 0, 128, 128);
  }
  return new CanvasTexture(canvas);
}
