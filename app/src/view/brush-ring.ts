import {
  BufferAttribute,
  BufferGeometry,
  LineBasicMaterial,
  LineLoop,
  Quaternion,
  Vector3,
} from "three";

/** A ring on the surface that shows the radius of the brush. */
export interface BrushRing {
  line: LineLoop;
  show(point: Vector3, normal: Vector3, radius: number): void;
  hide(): void;
}

const CORNERS = 64;

/** Creates the ring, hidden at first. */
export function createBrushRing(): BrushRing {
  const points = new Float32Array((CORNERS + 1) * 3);
  for (let i = 0; i <= CORNERS; i++) {
    const angle = (2 * Math.PI * i) / CORNERS;
    points.set([Math.cos(angle), Math.sin(angle), 0], i * 3);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const line = new LineLoop(
    geometry,
    new LineBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true }),
  );
  line.renderOrder = 20;
  line.frustumCulled = false;
  line.visible = false;
  return {
    line,
    show(point, normal, radius) {
      line.visible = true;
      line.position.copy(point).addScaledVector(normal, 0.004);
      line.quaternion.copy(
        new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal.clone().normalize()),
      );
      line.scale.setScalar(radius);
    },
    hide() {
      line.visible = false;
    },
  };
}
