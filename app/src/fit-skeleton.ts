import type { Mesh, Skeleton } from "../../src/index.ts";
import {
  alignSkeleton,
  type BodyDepth,
  fitTemplate,
  meshDepth,
  snapToMiddle,
} from "../../src/parts.ts";

/** A template in a mesh. */
export interface Fitted {
  template: string;
  skeleton: Skeleton;
}

/** What is wrong with a skeleton from elsewhere, and what would help. */
export interface Misfit {
  /** Shares of its joints in the body, now and after. */
  before: number;
  after: number;
  /** What would be done: turned, scaled, moved; nothing where no way was found. */
  changes: string[];
}

/** Below this fraction of joints in the body, the page reports a misfit. */
const FEW = 0.5;
/** How far a dragged joint may jump into the middle, in longest sides. */
const SNAP_REACH = 0.06;

/** Fits skeletons into meshes. */
export interface Fitter {
  fit(mesh: Mesh, template: string): Fitted;
  /** Puts the template in that the mesh most likely wants. */
  guess(mesh: Mesh): Fitted;
  /** What is wrong with a skeleton in a mesh; nothing where it fits. */
  misfit(mesh: Mesh, skeleton: Skeleton): Misfit | undefined;
  aligned(mesh: Mesh, skeleton: Skeleton): Skeleton;
  /** The middle of the body near a point; with `isMiddle`, in the plane x of the point. */
  snap(mesh: Mesh, point: number[], isMiddle: boolean): number[];
}

/** Makes a fitter; the middle of a mesh is found once. */
export function createFitter(): Fitter {
  let known: { mesh: Mesh; body: BodyDepth } | undefined;
  const bodyOf = (mesh: Mesh) => {
    if (known?.mesh.positions.length !== mesh.positions.length) known = undefined;
    if (!known?.mesh.positions.every((value, i) => value === mesh.positions[i])) {
      known = { mesh, body: meshDepth(mesh) };
    }
    return known!.body;
  };
  const putInto = (mesh: Mesh, template: string): Fitted => ({
    template,
    skeleton: fitTemplate(mesh, template, bodyOf(mesh)),
  });
  return {
    fit: putInto,
    guess: (mesh: Mesh) => putInto(mesh, guessTemplate(mesh)),
    misfit(mesh: Mesh, skeleton: Skeleton): Misfit | undefined {
      const { before, after, changes } = alignSkeleton(bodyOf(mesh), skeleton);
      return before < FEW ? { before, after, changes } : undefined;
    },
    aligned: (mesh: Mesh, skeleton: Skeleton) => alignSkeleton(bodyOf(mesh), skeleton).skeleton,
    snap(mesh: Mesh, point: number[], isMiddle: boolean) {
      const body = bodyOf(mesh);
      const { grid } = body;
      const reach = SNAP_REACH * Math.max(grid.nx, grid.ny, grid.nz) * grid.size;
      const planeX = isMiddle ? point[0] : undefined;
      return snapToMiddle(body, point, { reach, planeX });
    },
  };
}

/** What a body of these proportions most likely is. */
function guessTemplate({ positions }: Mesh): string {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  const [x, y, z] = high.map((value, axis) => value - low[axis]);
  if (y >= 0.8 * Math.max(x, z)) return "biped";
  if (Math.max(x, z) > 6 * Math.max(y, Math.min(x, z))) return "snake";
  return x > 1.6 * z && x > 1.6 * y ? "bird" : "quadruped";
}
