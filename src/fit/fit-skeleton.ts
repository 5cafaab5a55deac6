import { transferWeights } from "../finish/transfer-weights.ts";
import { boundsOf, longestSide } from "../math/aabb.ts";
import { segmentDistance } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { type BodyKind, skeletonRoles } from "../skeleton/roles.ts";
import { type Skeleton, withPositions } from "../skeleton/skeleton.ts";
import { bipedTemplate, TEMPLATES } from "../skeleton/templates.ts";
import { rowCount, type SkinWeights } from "../weights/skin-weights.ts";
import { alignSkeleton } from "./align-skeleton.ts";
import type { BodyDepth } from "./body-depth.ts";
import { boxPlacement } from "./box-placement.ts";
import { layByRoles } from "./fit-by-roles.ts";
import { fitCharacter } from "./fit-character.ts";
import { fitTemplate, meshDepth } from "./fit-template.ts";
import { depthAt, type JointDoubt, jointDoubts } from "./joint-doubts.ts";
import type { Rotation } from "./right-angles.ts";
import { sampleSurface } from "./surface-samples.ts";

/** A skeleton to fit, with the body that it was made for if there is one. */
export interface SkeletonSource {
  skeleton: Skeleton;
  mesh?: Mesh | undefined;
  weights?: SkinWeights | undefined;
}

/** How a skeleton came into a body. */
export type FitWay = "kept" | "registered" | "aligned" | "laid" | "boxed";

/** A skeleton in a body. */
export interface FittedSkeleton {
  skeleton: Skeleton;
  way: FitWay;
  /** The rotation by right angles that came first; undefined for none. */
  rotation: Rotation | undefined;
  /** Fraction of the bones inside the body, 0 to 1. */
  inside: number;
  /** Joints whose position a person should check. */
  doubts: JointDoubt[];
  /** The weights of the skeleton's own body, transferred after that was deformed to this one. */
  weights?: SkinWeights | undefined;
}

/**
 * Fits a skeleton into a mesh, y up.
 *
 * With its own mesh and weights, the character is deformed to the other body (`fitCharacter`). Without, the
 * skeleton stays if it fits, and otherwise the best of several placements is chosen: rotated, scaled and moved;
 * laid on the limbs of the body by the roles of its joints; mapped to the bounding box.
 */
export function fitSkeleton(
  mesh: Mesh,
  source: SkeletonSource,
  body: BodyDepth = meshDepth(mesh),
): FittedSkeleton {
  const { skeleton, mesh: own, weights } = source;
  const finish = (positions: Float32Array, way: FitWay, rotation?: Rotation): FittedSkeleton => {
    const fitted = withPositions(skeleton, positions);
    const { inside } = skeletonScore(mesh, body, fitted);
    return { skeleton: fitted, way, rotation, inside, doubts: jointDoubts(fitted, body) };
  };
  const hasBody =
    own && weights && own.triangles.length > 0 && rowCount(weights) === vertexCount(own);
  if (hasBody) {
    const fitted = fitCharacter({ skeleton, mesh: own, weights }, mesh, body);
    const { positions, way, rotation, surface } = fitted;
    const worn = surface && {
      name: "source",
      mesh: { ...own, positions: surface },
      skeleton,
      weights,
    };
    const carried = worn && transferWeights(worn, mesh, { angle: FACING }).weights;
    return { ...finish(positions, way, rotation), weights: carried };
  }
  const aligned = alignSkeleton(body, skeleton);
  if (aligned.changes.length === 0 && aligned.before >= FITS)
    return finish(skeleton.positions, "kept");
  const candidates: [FitWay, Float32Array][] = [["aligned", aligned.skeleton.positions]];
  const laid = laidOnLimbs(mesh, aligned.skeleton, body);
  if (laid) candidates.push(["laid", laid]);
  candidates.push(["boxed", boxPlacement(aligned.skeleton, undefined, mesh).positions]);
  const scores = candidates.map(
    ([, positions]) => skeletonScore(mesh, body, withPositions(skeleton, positions)).score,
  );
  const [way, positions] = candidates[scores.indexOf(Math.max(...scores))];
  return finish(positions, way, aligned.rotation);
}

/** Share of the transferred weights of a fitted skeleton's own character in the result. */
export const CARRIED_SHARE = 0.7;
/** Maximum angle between two surfaces from which weights are transferred, in degrees: bodies differ in detail. */
const FACING = 60;
/** Fraction of joints in the body from which a skeleton fits as it is. */
const FITS = 0.6;

/** Lays a skeleton on a template of its kind, fitted into the body; undefined if there is none. */
function laidOnLimbs(mesh: Mesh, skeleton: Skeleton, body: BodyDepth): Float32Array | undefined {
  const roles = skeletonRoles(skeleton);
  const template = templateOfKind(roles.kind, skeleton);
  if (!template) return undefined;
  const placed = fitTemplate(mesh, template, body);
  return layByRoles({ skeleton, roles }, { skeleton: placed, roles: skeletonRoles(placed) });
}

function templateOfKind(kind: BodyKind, skeleton: Skeleton) {
  if (kind !== "biped") return TEMPLATES.find(({ name }) => name === kind);
  const hasFingers = skeletonRoles(skeleton).roles.some((role) => role?.part === "finger");
  return bipedTemplate({ fingers: hasFingers ? 5 : 0, spine: 3 });
}

const SAMPLES = 300;
/** Points along a bone that must be in the body. */
const ALONG = 4;
/** Weight of the mean distance from the surface to the nearest bone, in longest sides. */
const REACH = 4;

/** Scores a skeleton in a body: bones inside it, and near all of its surface. */
export function skeletonScore(
  mesh: Mesh,
  body: BodyDepth,
  { parents, positions }: Skeleton,
): { score: number; inside: number } {
  let [inside, count] = [0, 0];
  const bones: number[][] = [];
  parents.forEach((parent, joint) => {
    const end = [...positions.subarray(joint * 3, joint * 3 + 3)];
    const start = parent < 0 ? end : [...positions.subarray(parent * 3, parent * 3 + 3)];
    bones.push([...start, ...end]);
    for (let i = 1; i <= ALONG; i++) {
      const [x, y, z] = end.map((value, axis) => start[axis] + ((value - start[axis]) * i) / ALONG);
      count++;
      if (depthAt(body, x, y, z) > 0) inside++;
    }
  });
  const segments = Float32Array.from(bones.flat());
  const { points } = sampleSurface(mesh, SAMPLES);
  const size = longestSide(boundsOf(mesh.positions)) || 1;
  let away = 0;
  for (let i = 0; i < SAMPLES; i++) {
    let min = Infinity;
    for (let bone = 0; bone < bones.length; bone++) {
      min = Math.min(
        min,
        segmentDistance(segments, bone, points[i * 3], points[i * 3 + 1], points[i * 3 + 2]),
      );
    }
    away += min / SAMPLES / size;
  }
  const share = inside / Math.max(1, count);
  return { score: share - REACH * away, inside: share };
}
