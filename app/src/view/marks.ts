import { BufferAttribute, BufferGeometry, Points, PointsMaterial } from "three";

/** Dots on vertices that deserve a look. */
export interface Marks {
  points: Points;
  /** @param positions returns P×3 as posed; called only if there is something to show */
  show(vertices: readonly number[], positions: () => Float32Array): void;
}

/** Creates the dots, hidden at first. */
export function createMarks(): Marks {
  const material = new PointsMaterial({
    color: 0xff2fd0,
    size: 6,
    sizeAttenuation: false,
    depthTest: false,
    transparent: true,
  });
  const points = new Points(new BufferGeometry(), material);
  points.renderOrder = 5;
  points.frustumCulled = false;
  points.visible = false;
  return {
    points,
    show(vertices, positions) {
      points.visible = vertices.length > 0;
      if (!points.visible) return;
      const all = positions();
      const places = new Float32Array(vertices.length * 3);
      vertices.forEach((v, i) => {
        places.set(all.subarray(v * 3, v * 3 + 3), i * 3);
      });
      points.geometry.setAttribute("position", new BufferAttribute(places, 3));
    },
  };
}
