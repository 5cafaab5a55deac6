import { nearestParameter } from "../math/vec3.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/voxelize-bones.ts";
import { diffuseHeat, type HeatSources } from "./diffuse-heat.ts";
import type { MeasuredCharacter } from "./measure.ts";

/**
 * Returns the weight of each candidate bone in the equilibrium of heat that flows from the bones over the
 * surface: a smooth estimate without learning.
 *
 * See {@link heatSources} for the bones that heat a vertex and {@link diffuseHeat} for the diffusion.
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero if undefined
 * @param visibility whether bones that a vertex sees through the body are preferred
 * @returns V×K on the slots of `measured.distances`, each in [0, 1]; rows sum to 1, less what flows
 *   from bones that are not among the candidates
 */
export function heatPrior(
  character: HeatedCharacter,
  measured: MeasuredCharacter,
  normals: Float32Array,
  visibility = true,
): Float32Array {
  return diffuseHeat(character.mesh, heatSources(character, measured, normals, visibility));
}

/** A mesh and the skeleton that heats it. */
export interface HeatedCharacter {
  mesh: Mesh;
  skeleton: Skeleton;
}

/** c in H = c / d², tuned on the validation characters (flat between 2 and 3). */
const STRENGTH = 2.5;

/** Lower limit of the distance to a bone, in longest sides of the mesh. */
const MIN_DISTANCE = 1e-3;

/**
 * A bone at an angle to the inward normal appears (1 + FACING) / (FACING + cos) times as far: 1 straight
 * behind the surface, 1.9 beside it, 21 straight in front of it.
 */
const FACING = 1.1;

/** A hollow path this much longer than the straight one is a detour. */
const DETOUR = 1.5;

/** Allowance for paths of a cell or two, in longest sides of the mesh. */
const DETOUR_SLACK = 0.01;

/**
 * Fraction of a root's or a leaf's segments, from the joint on, that heats. Roots are often controls whose
 * bone only leads to the hips, and the tail of a leaf extends to the end of the body.
 */
const HEATING_FRACTION = 0.5;

/**
 * Bones that appear farther than the nearest by up to this factor contribute, fading with distance: ties must
 * not be decided by rounding, nor a vertex jump from bone to bone.
 */
const TIE = 1.005;

/**
 * Determines which of its candidate bones heats a vertex, and how strongly: the nearest one, H = c / d².
 *
 * The apparent distance is the Euclidean distance, longer if the bone is not behind the surface, and longer if
 * HollowDist needs a detour. Bones that the vertex sees through the body come before all others; a vertex that
 * sees none takes the nearest, so that no loose part stays cold.
 *
 * HollowDist alone is worse: its staircase paths blur which of two bones is nearer. So is leaving vertices
 * that see no bone to their neighbors, as Pinocchio does: joints just outside the skin and overlapping parts
 * hide all bones of many vertices.
 *
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007; the facing factor is
 * that of Blender's bone heat.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero if undefined
 * @param visibility whether it matters what a vertex sees
 */
export function heatSources(
  character: HeatedCharacter,
  measured: MeasuredCharacter,
  normals: Float32Array,
  visibility = true,
): HeatSources {
  const { mesh } = character;
  const { grid, outside, bones, distances } = measured;
  const { k } = distances;
  const count = vertexCount(mesh);
  const fractions = new Float32Array(count * k);
  const strengths = new Float64Array(count);
  const heating = { ...bones, segments: heatingSegments(character.skeleton, bones) };
  const sees = visibility ? sightThroughBody(mesh, grid, outside) : undefined;
  const row = createRow(k);
  for (let v = 0; v < count; v++) {
    measureRow(row, v, mesh.positions, normals, heating, measured);
    const nearest = (sees && nearestSeen(row, v, sees)) ?? Math.min(...row.apparent);
    let ties = 0;
    for (let slot = 0; slot < k; slot++) {
      const part = tiePart(row.apparent[slot], nearest);
      fractions[v * k + slot] = part;
      ties += part;
    }
    for (let slot = 0; slot < k; slot++) fractions[v * k + slot] /= ties;
    strengths[v] = (ties * STRENGTH) / Math.max(nearest, MIN_DISTANCE) ** 2;
  }
  return { k, bones: distances.bones, fractions, strengths };
}

/** 1 for the nearest bone, falling to 0 for one that appears {@link TIE} times as far. */
function tiePart(apparent: number, nearest: number): number {
  if (apparent <= nearest) return 1;
  return Math.max(0, (nearest * TIE - apparent) / (nearest * (TIE - 1)));
}

/** The heating parts of the bones' segments, S×6. */
function heatingSegments(skeleton: Skeleton, { segments, starts }: Bones): Float32Array {
  const heating = segments.slice();
  const children = childrenOf(skeleton);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (skeleton.parents[joint] >= 0 && children[joint].length > 0) continue;
    for (let i = starts[joint] * 6; i < starts[joint + 1] * 6; i++) {
      if (i % 6 < 3) continue;
      heating[i] = segments[i - 3] + HEATING_FRACTION * (segments[i] - segments[i - 3]);
    }
  }
  return heating;
}

interface Row {
  /** K, apparent distances; Infinity in an empty slot. */
  apparent: Float64Array;
  /** K×3, nearest points. */
  points: Float64Array;
  /** K, scratch: 1 if the vertex does not see it. */
  hidden: Uint8Array;
}

function createRow(k: number): Row {
  return {
    apparent: new Float64Array(k),
    points: new Float64Array(k * 3),
    hidden: new Uint8Array(k),
  };
}

function measureRow(
  { apparent, points }: Row,
  v: number,
  positions: Float32Array,
  normals: Float32Array,
  heating: Bones,
  { distances }: MeasuredCharacter,
): void {
  const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
  for (let slot = 0; slot < apparent.length; slot++) {
    const bone = distances.bones[v * apparent.length + slot];
    apparent[slot] = Infinity;
    if (bone < 0) continue;
    const straight = nearestPoint(points, slot * 3, heating, bone, x, y, z);
    const dx = x - points[slot * 3];
    const dy = y - points[slot * 3 + 1];
    const dz = z - points[slot * 3 + 2];
    const along = dx * normals[v * 3] + dy * normals[v * 3 + 1] + dz * normals[v * 3 + 2];
    const cosine = straight > 0 ? along / straight : 1;
    const hollow = distances.distances[v * apparent.length + slot];
    const detour = hollow < Infinity ? hollow / (DETOUR * (straight + DETOUR_SLACK)) : 1;
    apparent[slot] = straight * ((1 + FACING) / (FACING + cosine)) * Math.max(1, detour);
  }
}

/** Writes the point of a bone nearest to (x, y, z) to `out` at `at`, and returns its distance. */
function nearestPoint(
  out: Float64Array,
  at: number,
  { segments, starts }: Bones,
  bone: number,
  x: number,
  y: number,
  z: number,
): number {
  let best = Infinity;
  for (let s = starts[bone]; s < starts[bone + 1]; s++) {
    const t = nearestParameter(segments, s, x, y, z);
    const o = s * 6;
    const px = segments[o] + t * (segments[o + 3] - segments[o]);
    const py = segments[o + 1] + t * (segments[o + 4] - segments[o + 1]);
    const pz = segments[o + 2] + t * (segments[o + 5] - segments[o + 2]);
    const squared = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2;
    if (squared >= best) continue;
    best = squared;
    out[at] = px;
    out[at + 1] = py;
    out[at + 2] = pz;
  }
  return Math.sqrt(best);
}

/**
 * Apparent distance of the nearest visible candidate; hidden candidates that are as near are removed from the
 * row. Returns undefined, and leaves the row unchanged, if none is visible.
 */
function nearestSeen({ apparent, points, hidden }: Row, v: number, sees: Sight) {
  hidden.fill(0);
  const look = (slot: number): boolean =>
    sees(v, points[slot * 3], points[slot * 3 + 1], points[slot * 3 + 2]);
  // Visibility tests are expensive, and nearly always the first or second ends the search.
  for (let tries = 0; tries < apparent.length; tries++) {
    let slot = -1;
    for (let i = 0; i < apparent.length; i++) {
      if (hidden[i] === 0 && (slot < 0 || apparent[i] < apparent[slot])) slot = i;
    }
    if (apparent[slot] === Infinity) return undefined;
    hidden[slot] = 1;
    if (!look(slot)) continue;
    hidden[slot] = 0;
    const nearest = apparent[slot];
    for (let i = 0; i < apparent.length; i++) {
      if (apparent[i] > nearest * TIE || i === slot) continue;
      if (hidden[i] === 1 || !look(i)) apparent[i] = Infinity;
    }
    return nearest;
  }
  return undefined;
}

/** Whether a vertex sees a point. */
export type Sight = (vertex: number, x: number, y: number, z: number) => boolean;

/** Cells outside the body that the line of sight may pass: a bone in a thin limb may graze its skin. */
const ALLOWED = 1;

/**
 * Tests whether a vertex sees a point through the body: the line passes at most one cell outside it. Walls do
 * not block, since thin limbs are all wall.
 *
 * @param mesh in the space of `grid`, which was built from it
 * @param outside one byte per cell, see `fillOutside`
 */
function sightThroughBody(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): Sight {
  return (vertex, x, y, z) => {
    const from = mesh.positions.subarray(vertex * 3, vertex * 3 + 3);
    let passed = 0;
    walkSegment(grid, from, [x, y, z], (cell) => {
      passed += outside[cell];
      return passed <= ALLOWED;
    });
    return passed <= ALLOWED;
  };
}
