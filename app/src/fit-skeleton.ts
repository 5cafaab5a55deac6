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

/** A template fitted into a mesh. */
export interface Fitted {
  template: string;
  skeleton: Skeleton;
}

/** A skeleton from another file that does not fit, and what would help. */
export interface Misfit {
  /** Fraction of its joints inside the body, before and after. */
  before: number;
  after: number;
  /** Changes of the alignment: rotated, scaled, moved; empty if none was found. */
  changes: string[];
}

/** An aligned skeleton, the rotation by right angles that came first, and weights carried along. */
type Aligned = Pick<FittedSkeleton, "skeleton" | "rotation" | "weights">;

/** Below this fraction of joints inside the body, the page reports a misfit. */
const FEW = 0.5;
/** Maximum distance that a dropped joint snaps to the middle, in longest sides. */
const SNAP_REACH = 0.06;

/** Options of the fit of a template. */
export interface FitOptions {
  /** Fingers per hand, for a biped. */
  fingers: number;
  /** Whether parts without a counterpart in the template receive chains of joints. */
  hasChains: boolean;
}

/** Fits skeletons into a mesh. */
export interface Fitter {
  fit(mesh: Mesh, template: string, how: FitOptions): Fitted;
  /** Fits the template that suits the mesh best. */
  guess(mesh: Mesh): Fitted;
  /** How a skeleton misses the mesh; undefined if it fits. */
  misfit(mesh: Mesh, skeleton: Skeleton): Misfit | undefined;
  /** Aligns a skeleton; if its original body is given, that body is deformed to match this one. */
  aligned(mesh: Mesh, from: Pick<Character, "skeleton"> | Character): Aligned;
  /** The middle of the body near a point; with `isMiddle`, in the point's plane of x. */
  snap(mesh: Mesh, point: number[], isMiddle: boolean): number[];
}

/** Creates a fitter; the middle of the mesh is computed once. */
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
        // If no template suits the body, a biped is a start.
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
