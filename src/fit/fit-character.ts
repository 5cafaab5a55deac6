import { boundsOf, longestSide } from "../math/aabb.ts";
import { power } from "../math/power.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { skeletonRoles } from "../skeleton/roles.ts";
import { type Skeleton, withPositions } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { alongKnots, type BipedMarks, bipedMarks } from "./biped-marks.ts";
import { bodyCentrality, centralityAt } from "./body-centrality.ts";
import type { BodyDepth } from "./body-depth.ts";
import { boxMapped, boxPlacement } from "./box-placement.ts";
import { meshDepth } from "./fit-template.ts";
import { type DeformedCharacter, deformCharacter } from "./joint-transforms.ts";
import {
  CLOSE_TERMS,
  FAR_TERMS,
  matchResidual,
  type RegisterSource,
  type RegisterTarget,
  registerTarget,
} from "./match-points.ts";
import { refineLimbs } from "./refine-limbs.ts";
import { registerCharacter } from "./register-character.ts";
import { RIGHT_ANGLES, type Rotation, rotatePoints } from "./right-angles.ts";
import { sampleSurface, samplesOn, sampleWeights } from "./surface-samples.ts";
import { symmetrizeJoints } from "./symmetrize-joints.ts";

/** A rigged character whose skeleton goes into another body. */
export interface RiggedSource {
  skeleton: Skeleton;
  mesh: Mesh;
  weights: SkinWeights;
}

/** A skeleton that went with its own body into another. */
export interface RegisteredSkeleton {
  /** J×3. */
  positions: Float32Array;
  /** "kept" if the body matched as it was, "boxed" if it covers the other in no way. */
  way: "kept" | "registered" | "boxed";
  /** The rotation by right angles that came first; undefined for none. */
  rotation: Rotation | undefined;
  /** How far the two surfaces are apart, before and after; squared distances in squared longest sides. */
  before: number;
  after: number;
  /** The vertices of the character deformed onto the body, V×3; undefined if they do not cover it. */
  surface?: Float32Array | undefined;
}

/** Points on each surface. */
const SAMPLES = 400;
/** Fewer points tell whether a body must be rotated. */
const FEW_SAMPLES = 120;
/** A rotation must reduce the residual to this fraction. */
const ROTATE_BELOW = 0.6;
/** Residual of two bodies that differ like clothes; beyond, the fit becomes softer. */
const ALIKE = 45e-4;
/** Stiffness at the end for bodies that are alike, and its ratio at the beginning. */
const FIRM = 3;
const FIRM_START = 30;
const SOFTER = 1.5;
/** From this residual both starts are tried, or that of two bipeds, and limbs are registered twice. */
const UNLIKE = 60e-4;
/** A registration must reduce the residual of a skeleton that stays to this fraction. */
const STAY = 0.92;
/** A limb of a skeleton that stays moves only if its residual falls to this fraction. */
const LIMB_STAYS = 0.6;
/** Residuals at which a registration counts fully, and no more: a garment does not cover a body. */
const COVERED = 80e-4;
const UNCOVERED = 120e-4;
/** Relative gain from which a registration is trusted fully; below, it is blended with its start. */
const TRUSTED = 0.3;

/**
 * Places the skeleton of a rigged character in another body: its mesh is deformed by its own weights until it
 * covers the other surface, and the joints go along.
 *
 * Starts from where the character is and from the other's bounding box, after a rotation by right angles if
 * it lies. A character that already matches stays; one that hardly gains stays near its start.
 */
export function fitCharacter(
  source: RiggedSource,
  target: Mesh,
  body: BodyDepth = meshDepth(target),
): RegisteredSkeleton {
  const size = longestSide(boundsOf(target.positions)) || 1;
  const goal = scaled(target, size);
  const rotation = uprightRotation(source, goal);
  const turned = (points: Float32Array) => (rotation ? rotatePoints(points, rotation) : points);
  const inUnits = (points: Float32Array) => turned(points).map((value) => value / size);
  const mesh: Mesh = { ...source.mesh, positions: inUnits(source.mesh.positions) };
  const joints = inUnits(source.skeleton.positions);
  const other = registerTarget(goal, sampleSurface(goal, SAMPLES, 2), (points) =>
    centralityAt(bodyCentrality(goal), points),
  );
  const posed = { mesh, skeleton: withPositions(source.skeleton, joints), weights: source.weights };
  const starts = startsOf(posed, goal);
  const sourceOf = registerSources(posed);
  const matched = starts.map(sourceOf);
  const residual = (start: RegisterSource) => matchResidual(start, other, CLOSE_TERMS);
  const before = matched.map(residual);
  const isUnlike = Math.min(...before) > UNLIKE;
  const marked = isUnlike
    ? markedStart(posed, goal, bipedMarks(body, boundsOf(target.positions)))
    : undefined;
  if (marked) {
    starts.push(marked);
    matched.push(sourceOf(marked));
    before.push(residual(matched[MARKED]));
  }
  const least = Math.min(...before);
  const firm = FIRM * power(Math.min(1, ALIKE / least), SOFTER);
  const stiff: [number, number] = [FIRM_START * firm, firm];
  const isMarked = before[MARKED] === least;
  const chosen = isMarked ? [MARKED] : chosenStarts(matched, other, isUnlike);
  const runs = chosen.map((at) => ({
    ...registerCharacter(matched[at], other, { stiff }),
    at,
  }));
  const best = runs.reduce((a, b) => (b.residual < a.residual ? b : a));
  if (!rotation && best.residual > STAY * before[0]) {
    const own = refineLimbs(posed, goal, LIMB_STAYS);
    const rest = { rotation, before: before[0], after: before[0] };
    if (own === posed) {
      const { skeleton, mesh: surface } = source;
      return { positions: skeleton.positions, way: "kept", surface: surface.positions, ...rest };
    }
    symmetrizeJoints(posed.skeleton, other, own.skeleton.positions);
    const [positions, surface] = [own.skeleton.positions, own.mesh.positions].map((points) =>
      points.map((value) => value * size),
    );
    return { positions, way: "registered", surface, ...rest };
  }
  const cover = Math.min(1, Math.max(0, (UNCOVERED - best.residual) / (UNCOVERED - COVERED)));
  if (cover === 0) {
    const { positions } = boxPlacement(source.skeleton, source.mesh, target);
    return { positions, way: "boxed", rotation: undefined, before: before[0], after: before[0] };
  }
  const start = starts[best.at];
  let deformed = refineLimbs(deformCharacter(start, best.transforms), goal, 1);
  // Once more, with the surface that is nearest to the limbs now.
  if (isUnlike) deformed = refineLimbs(deformed, goal, 1);
  const found = deformed.skeleton.positions;
  symmetrizeJoints(start.skeleton, other, found);
  const trust = Math.min(1, Math.max(0, 1 - best.residual / before[best.at]) / TRUSTED);
  const boxed = starts[1].skeleton.positions;
  const positions = start.skeleton.positions.map((value, i) => {
    const moved = value + trust * (found[i] - value);
    return (boxed[i] + cover * (moved - boxed[i])) * size;
  });
  const surface = cover === 1 ? deformed.mesh.positions.map((value) => value * size) : undefined;
  const after = best.residual;
  return { positions, way: "registered", rotation, before: before[0], after, surface };
}

function scaled(mesh: Mesh, size: number): Mesh {
  return { ...mesh, positions: mesh.positions.map((value) => value / size) };
}

/** The source as it is, and in the bounding box of the target. */
function startsOf(source: DeformedCharacter, goal: Mesh): DeformedCharacter[] {
  const [from, to] = [boundsOf(source.mesh.positions), boundsOf(goal.positions)];
  const boxed = {
    ...source,
    mesh: { ...source.mesh, positions: boxMapped(source.mesh.positions, from, to) },
    skeleton: withPositions(source.skeleton, boxMapped(source.skeleton.positions, from, to)),
  };
  return [source, boxed];
}

/** Index of the start whose marks are aligned. */
const MARKED = 2;
/** Crotches or necks at heights that differ by this much, in heights, are aligned first. */
const MARKS_DIFFER = 0.08;

/** The start in the box of another biped whose legs or head are longer or shorter; undefined for other bodies. */
function markedStart(
  source: DeformedCharacter,
  goal: Mesh,
  marks: BipedMarks,
): DeformedCharacter | undefined {
  if (skeletonRoles(source.skeleton).kind !== "biped") return undefined;
  const [from, to] = [boundsOf(source.mesh.positions), boundsOf(goal.positions)];
  const own = bipedMarks(meshDepth(source.mesh), from);
  const knots = (["crotch", "neck"] as const).flatMap((mark): [number, number][] =>
    own[mark] === undefined || marks[mark] === undefined ? [] : [[own[mark], marks[mark]]],
  );
  if (!knots.some(([a, b]) => Math.abs(a - b) > MARKS_DIFFER)) return undefined;
  const [low, height] = [from.min[1], from.max[1] - from.min[1]];
  const map = (points: Float32Array) => {
    const marked = points.map((value, i) =>
      i % 3 === 1
        ? low + height * alongKnots([[0, 0], ...knots, [1, 1]], (value - low) / height)
        : value,
    );
    return boxMapped(marked, from, to);
  };
  return {
    ...source,
    mesh: { ...source.mesh, positions: map(source.mesh.positions) },
    skeleton: withPositions(source.skeleton, map(source.skeleton.positions)),
  };
}

/** Takes points of the surface of a start, the same on all. */
function registerSources({ mesh, weights }: DeformedCharacter) {
  const samples = sampleSurface(mesh, SAMPLES);
  const rows = sampleWeights(samples, weights);
  const centrality = centralityAt(bodyCentrality(mesh), samples.points);
  return (start: DeformedCharacter): RegisterSource => ({
    ...samplesOn(samples, start.mesh),
    centrality,
    skeleton: start.skeleton,
    ...rows,
  });
}

/** Both starts for bodies that differ much, else the better one. */
function chosenStarts(
  starts: RegisterSource[],
  other: RegisterTarget,
  isUnlike: boolean,
): number[] {
  if (isUnlike) return [0, 1];
  const far = starts.map((start) => matchResidual(start, other, FAR_TERMS));
  return [far[0] < far[1] ? 0 : 1];
}

/** The rotation by right angles after which a character matches clearly better; undefined for none. */
function uprightRotation({ mesh }: RiggedSource, goal: Mesh): Rotation | undefined {
  const centrality = new Float64Array(FEW_SAMPLES);
  const other = { ...sampleSurface(goal, FEW_SAMPLES, 2), centrality };
  const samples = sampleSurface(mesh, FEW_SAMPLES);
  const [own, to] = [boundsOf(mesh.positions), boundsOf(goal.positions)];
  const center = own.min.map((low, axis) => (low + own.max[axis]) / 2);
  const scale = longestSide(to) / (longestSide(own) || 1);
  const centered = Float32Array.from(samples.points, (value, i) => (value - center[i % 3]) * scale);
  const residuals = RIGHT_ANGLES.map((rotation) => {
    const points = rotatePoints(centered, rotation);
    const middle = boundsOf(points);
    const shift = to.min.map(
      (low, axis) => (low + to.max[axis] - middle.min[axis] - middle.max[axis]) / 2,
    );
    const start = {
      points: Float64Array.from(points, (value, i) => value + shift[i % 3]),
      normals: Float64Array.from(rotatePoints(Float32Array.from(samples.normals), rotation)),
      centrality,
    };
    return matchResidual(start, other, CLOSE_TERMS);
  });
  const best = residuals.indexOf(Math.min(...residuals));
  return residuals[best] < ROTATE_BELOW * residuals[0] ? RIGHT_ANGLES[best] : undefined;
}
