import { nearestParameter } from "../math/segment.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { VoxelGrid } from "../voxel/voxel-grid.ts";
import { walkSegment } from "../voxel/voxelize-bones.ts";
import { diffuseHeat, type HeatSources } from "./diffuse-heat.ts";
import type { MeasuredCharacter } from "./measure.ts";

/**
 * The weight of each candidate bone in the equilibrium of heat that flows from the bones over the
 * surface: a smooth guess without any learning.
 *
 * See {@link heatSources} for which bone heats a vertex, {@link diffuseHeat} for what follows.
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero where there is none
 * @param visibility whether bones a vertex sees through the body come before all others
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

/** What is heated, and by whom. */
export interface HeatedCharacter {
  mesh: Mesh;
  skeleton: Skeleton;
}

/** c in H = c / d². Tuned on the validation characters; flat between 2 and 3 (Pinocchio's 1 is about 1.5 here). */
const STRENGTH = 2.5;

/** Vertices closer to their bone than this, in longest sides of the mesh, are heated no more. */
const LEAST_DISTANCE = 1e-3;

/**
 * A bone at an angle to the inward normal seems (1 + FACING) / (FACING + cos) times as far: 1 straight
 * behind the surface, 1.9 beside it, 21 straight before it.
 */
const FACING = 1.1;

/** A hollow path this much longer than the straight one is a way around something. */
const DETOUR = 1.5;

/** Paths of a cell or two are ragged; this much length is forgiven, in longest sides of the mesh. */
const DETOUR_SLACK = 0.01;

/**
 * Share of a root's or a leaf's segments, from the joint on, that heats. Roots often are controls
 * whose bone only leads to the hips, and the tail of a leaf was drawn to the far end of the body.
 */
const HEATING_SHARE = 0.5;

/**
 * Bones that seem farther than the nearest by up to this factor share its vertices, the less the farther: a
 * tie must not be decided by the last digit of a coordinate, nor a vertex jump from bone to bone.
 */
const TIE = 1.005;

/**
 * Which of its candidate bones heats a vertex, and how strongly: the nearest one, H = c / d².
 *
 * Nearest means: by the straight distance, longer where the bone is not behind the surface, and
 * longer where HollowDist needs a detour to get there. Bones the vertex sees through the body come
 * before all others; one that sees none takes the nearest, so that no loose part stays cold.
 *
 * Lab notes (56 validation characters, L1 / distance): HollowDist alone 0.744 / 0.0073, straight
 * alone 0.727 / 0.0076; straight with facing 0.662 / 0.0070, with detours too 0.657 / 0.0070, with
 * half of each root and leaf 0.634 / 0.0063 (a leaf without its tail 0.653 / 0.0065), and with sight,
 * one cell of the outside forgiven, 0.618 / 0.0056.
 * HollowDist with facing 0.694 / 0.0067: its staircase paths blur which of two bones is nearer.
 * Leaving vertices that see no bone to their neighbors, as Pinocchio does, costs 0.07 and more:
 * joints just outside the skin and overlapping parts hide all bones of many a vertex. Sharing
 * between near ties (5 % 0.682, 15 % 0.721, both against 0.662) and sharpening the result (0.663) do
 * not help; ties that fade over half a percent do (0.631 against 0.635, 90 characters). Shorter segments of branching joints gain on some characters what they lose on others.
 *
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007; the idea of
 * the facing factor is that of Blender's bone heat.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero where there is none
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
  const shares = new Float32Array(count * k);
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
      shares[v * k + slot] = part;
      ties += part;
    }
    for (let slot = 0; slot < k; slot++) shares[v * k + slot] /= ties;
    strengths[v] = (ties * STRENGTH) / Math.max(nearest, LEAST_DISTANCE) ** 2;
  }
  return { k, bones: distances.bones, shares, strengths };
}

/** 1 for the nearest bone, falling to 0 for one that seems {@link TIE} times as far. */
function tiePart(apparent: number, nearest: number): number {
  if (apparent <= nearest) return 1;
  return Math.max(0, (nearest * TIE - apparent) / (nearest * (TIE - 1)));
}

/** S×6, the parts of the bones' segments that heat. */
function heatingSegments(skeleton: Skeleton, { segments, starts }: Bones): Float32Array {
  const heating = segments.slice();
  const children = childrenOf(skeleton);
  for (let joint = 0; joint < jointCount(skeleton); joint++) {
    if (skeleton.parents[joint] >= 0 && children[joint].length > 0) continue;
    for (let i = starts[joint] * 6; i < starts[joint + 1] * 6; i++) {
      if (i % 6 < 3) continue;
      heating[i] = segments[i - 3] + HEATING_SHARE * (segments[i] - segments[i - 3]);
    }
  }
  return heating;
}

/** The candidates of one vertex. */
interface Row {
  /** K, how far each seems to be; Infinity in an empty slot. */
  apparent: Float64Array;
  /** K×3, its nearest point. */
  points: Float64Array;
  /** K, scratch: 1 where the vertex does not see it. */
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

/** Writes the point of a bone nearest to (x, y, z) into `out` at `at`, and answers its distance. */
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
 * How far the nearest candidate in sight seems to be; those nearer or as near and not in sight are
 * taken out of the row. Undefined, and the row as it was, if none is in sight.
 */
function nearestSeen(
  { apparent, points, hidden }: Row,
  v: number,
  sees: Sight,
): number | undefined {
  hidden.fill(0);
  const look = (slot: number): boolean =>
    sees(v, points[slot * 3], points[slot * 3 + 1], points[slot * 3 + 2]);
  // Looking is dear, and nearly always the first or second look ends the search.
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

/** Cells outside the body the straight way may pass: a bone in a thin limb may graze its skin. */
const FORGIVEN = 1;

/**
 * Tells whether a vertex sees a point through the body: the straight way passes at most one cell
 * outside it. Walls do not block, since thin limbs are all wall.
 *
 * @param mesh in the space of `grid`, which was built from it
 * @param outside one byte a cell, see `fillOutside`
 */
function sightThroughBody(mesh: Mesh, grid: VoxelGrid, outside: Uint8Array): Sight {
  return (vertex, x, y, z) => {
    const from = mesh.positions.subarray(vertex * 3, vertex * 3 + 3);
    let passed = 0;
    walkSegment(grid, from, [x, y, z], (cell) => {
      passed += outside[cell];
      return passed <= FORGIVEN;
    });
    return passed <= FORGIVEN;
  };
}
