import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
} from "three";
import { type Character, linearBlend, type SkinWeights } from "../../../src/index.ts";
import { dualQuaternion } from "../../../src/parts.ts";

/** A character's surface in the scene, posed on the processor. */
export interface Body {
  group: Group;
  mesh: Mesh;
  /** P×3, as posed. */
  positions(): Float32Array;
  /** P×3, as posed. */
  normals(): Float32Array;
  pose(
    weights: SkinWeights | undefined,
    matrices: Float32Array | undefined,
    isDualQuaternion: boolean,
  ): void;
  colour(colours: Float32Array): void;
  showWires(isShown: boolean): void;
  dispose(): void;
}

/** Makes the surface of a prepared character, in its bind pose. */
export function createBody({ mesh: source }: Character): Body {
  const geometry = new BufferGeometry();
  const positions = new BufferAttribute(source.positions.slice(), 3);
  const normals = new BufferAttribute(new Float32Array(source.positions.length), 3);
  const colours = new BufferAttribute(new Float32Array(source.positions.length).fill(0.5), 3);
  geometry.setAttribute("position", positions);
  geometry.setAttribute("normal", normals);
  geometry.setAttribute("color", colours);
  geometry.setIndex(new BufferAttribute(source.triangles, 1));
  const surface = new MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.75,
    metalness: 0,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  const wire = new MeshBasicMaterial({
    wireframe: true,
    color: 0x10131a,
    transparent: true,
    opacity: 0.35,
  });
  const mesh = new Mesh(geometry, surface);
  const wires = new Mesh(geometry, wire);
  wires.visible = false;
  const group = new Group();
  group.add(mesh, wires);
  place(source.positions);
  return {
    group,
    mesh,
    positions: () => positions.array as Float32Array,
    normals: () => normals.array as Float32Array,
    pose(weights, matrices, isDualQuaternion) {
      if (!weights || !matrices) place(source.positions);
      else
        place(
          (isDualQuaternion ? dualQuaternion : linearBlend)(source.positions, weights, matrices),
        );
    },
    colour(values) {
      colours.array.set(values);
      colours.needsUpdate = true;
    },
    showWires(isShown) {
      wires.visible = isShown;
    },
    dispose() {
      geometry.dispose();
      surface.dispose();
      wire.dispose();
    },
  };

  function place(points: Float32Array): void {
    positions.array.set(points);
    fillNormals(normals.array as Float32Array, points, source.triangles);
    positions.needsUpdate = true;
    normals.needsUpdate = true;
    // Poses leave the old bounds; rays must not be turned away by them.
    geometry.computeBoundingSphere();
  }
}

/** Mean normals of the faces around each vertex, by their area; the shader makes them unit length. */
function fillNormals(out: Float32Array, points: Float32Array, triangles: Uint32Array): void {
  out.fill(0);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i] * 3, triangles[i + 1] * 3, triangles[i + 2] * 3];
    const [ux, uy, uz] = [
      points[b] - points[a],
      points[b + 1] - points[a + 1],
      points[b + 2] - points[a + 2],
    ];
    const [vx, vy, vz] = [
      points[c] - points[a],
      points[c + 1] - points[a + 1],
      points[c + 2] - points[a + 2],
    ];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const corner of [a, b, c]) {
      out[corner] += x;
      out[corner + 1] += y;
      out[corner + 2] += z;
    }
  }
  for (let i = 0; i < out.length; i += 3) {
    const size = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    out[i] /= size;
    out[i + 1] /= size;
    out[i + 2] /= size;
  }
}
