import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments } from "three";
import type { Mesh, Skeleton } from "../../../src/index.ts";

/** The outline of a limb around a joint, which helps to see its middle. */
export interface LimbRing {
  lines: LineSegments;
  show(mesh: Mesh, skeleton: Skeleton, joint: number): void;
  hide(): void;
}

/** Creates the ring, hidden at first. */
export function createLimbRing(): LimbRing {
  const material = new LineBasicMaterial({ color: 0xff9d2e, depthTest: false, transparent: true });
  const lines = new LineSegments(new BufferGeometry(), material);
  lines.renderOrder = 9;
  lines.frustumCulled = false;
  lines.visible = false;
  return {
    lines,
    show(mesh, skeleton, joint) {
      const point = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
      const ring = limbOutline(mesh, point, boneAt(skeleton, joint));
      lines.visible = ring.length > 0;
      lines.geometry.setAttribute("position", new BufferAttribute(ring, 3));
    },
    hide() {
      lines.visible = false;
    },
  };
}

/** Direction of the bone at a joint: to its child, otherwise from its parent. */
function boneAt({ parents, positions }: Skeleton, joint: number): number[] {
  const child = parents.indexOf(joint);
  const [from, to] = child >= 0 ? [joint, child] : [Math.max(0, parents[joint]), joint];
  return [0, 1, 2].map((axis) => positions[to * 3 + axis] - positions[from * 3 + axis]);
}

/**
 * Intersects a mesh with a plane and returns the closed line nearest to a point of the plane.
 *
 * @returns S×6, both ends of each segment
 */
export function limbOutline(
  { positions, triangles }: Mesh,
  point: ArrayLike<number>,
  normal: readonly number[],
): Float32Array {
  const count = positions.length / 3;
  const side = new Float32Array(count);
  for (let v = 0; v < count; v++) {
    for (let axis = 0; axis < 3; axis++) {
      side[v] += (positions[v * 3 + axis] - point[axis]) * normal[axis];
    }
  }
  /** Segments by the edges at their ends, which neighbors share. */
  const byEdge = new Map<number, number[]>();
  const pieces: { ends: [number, number]; points: number[] }[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const cuts: { edge: number; at: number[] }[] = [];
    for (let corner = 0; corner < 3; corner++) {
      const [a, b] = [triangles[i + corner], triangles[i + ((corner + 1) % 3)]];
      if (side[a] < 0 === side[b] < 0) continue;
      const t = side[a] / (side[a] - side[b]);
      const at = [0, 1, 2].map(
        (axis) => positions[a * 3 + axis] + t * (positions[b * 3 + axis] - positions[a * 3 + axis]),
      );
      cuts.push({ edge: Math.min(a, b) * count + Math.max(a, b), at });
    }
    if (cuts.length !== 2) continue;
    const index = pieces.push({
      ends: [cuts[0].edge, cuts[1].edge],
      points: [...cuts[0].at, ...cuts[1].at],
    });
    for (const { edge } of cuts) byEdge.set(edge, [...(byEdge.get(edge) ?? []), index - 1]);
  }
  const away = ({ points }: (typeof pieces)[number]) =>
    Math.hypot(...[0, 1, 2].map((axis) => (points[axis] + points[axis + 3]) / 2 - point[axis]));
  let nearest = -1;
  pieces.forEach((piece, i) => {
    if (nearest < 0 || away(piece) < away(pieces[nearest])) nearest = i;
  });
  const found = new Set<number>(nearest < 0 ? [] : [nearest]);
  for (const piece of found) {
    for (const edge of pieces[piece].ends) for (const next of byEdge.get(edge)!) found.add(next);
  }
  return Float32Array.from([...found].flatMap((piece) => pieces[piece].points));
}
