import { type Character, InputError, type Mesh, type Skeleton } from "../../src/index.ts";
import {
  alignSkeleton,
  type BodyDepth,
  type FittedSkeleton,
  fitSkeleton,
  meshDepth,
  placeTemplate,
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

/** A skeleton in another place, the rotation by right angles that came first, and weights that came along. */
type Aligned = Pick<FittedSkeleton, "skeleton" | "rotation" | "weights">;

/** Below this fraction of joints in the body, the page reports a misfit. */
const FEW = 0.5;
/** How far a dragged joint may jump into the middle, in longest sides. */
const SNAP_REACH = 0.06;

/** How a template is put into a mesh. */
export interface FitOptions {
  /** Fingers of each hand, for a biped. */
  fingers: number;
  /** Whether parts that the template has no bones for get chains of joints. */
  hasChains: boolean;
}

/** Fits skeletons into meshes. */
export interface Fitter {
  fit(mesh: Mesh, template: string, how: FitOptions): Fitted;
  /** Puts the template in that the mesh most likely wants. */
  guess(mesh: Mesh): Fitted;
  /** What is wrong with a skeleton in a mesh; nothing where it fits. */
  misfit(mesh: Mesh, skeleton: Skeleton): Misfit | undefined;
  /** A skeleton where it fits; with the body it was made for, that body is deformed to this one. */
  aligned(mesh: Mesh, from: Pick<Character, "skeleton"> | Character): Aligned;
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
  const putInto = (mesh: Mesh, name: string, how: FitOptions): Fitted => {
    const { template, skeleton } = placeTemplate(mesh, name, how);
    return { template: template.name, skeleton };
  };
  return {
    fit: putInto,
    guess: (mesh: Mesh) => {
      const how = { fingers: 0, hasChains: true };
      try {
        return putInto(mesh, "auto", how);
      } catch (error) {
        // Where no template suits the body, a biped is a beginning.
        if (error instanceof InputError) return putInto(mesh, "biped", how);
        throw error;
      }
    },
    misfit(mesh: Mesh, skeleton: Skeleton): Misfit | undefined {
      const { before, after, changes } = alignSkeleton(bodyOf(mesh), skeleton);
      return before < FEW ? { before, after, changes } : undefined;
    },
    aligned: (mesh: Mesh, from: Pick<Character, "skeleton"> | Character) =>
      "weights" in from && from.weights
        ? fitSkeleton(mesh, from, bodyOf(mesh))
        : alignSkeleton(bodyOf(mesh), from.skeleton),
    snap(mesh: Mesh, point: number[], isMiddle: boolean) {
      const body = bodyOf(mesh);
      const { grid } = body;
      const reach = SNAP_REACH * Math.max(grid.nx, grid.ny, grid.nz) * grid.size;
      const planeX = isMiddle ? point[0] : undefined;
      return snapToMiddle(body, point, { reach, planeX });
    },
  };
}
