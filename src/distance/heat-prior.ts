import { nearestParameter } from "../math/segment.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import type { Bones } from "../skeleton/bones.ts";
import { childrenOf, jointCount, type Skeleton } from "../skeleton/skeleton.ts";
import type { BoneDistances } from "./bone-distances.ts";
import { diffuseHeat, type HeatSources } from "./diffuse-heat.ts";
import type { MeasuredCharacter } from "./measure.ts";
import { type Sight, sightThroughBody } from "./sight.ts";

/** Options for {@link heatPrior}. */
export interface HeatOptions {
  /** c in H = c / d²: how strongly bones heat against how well the surface conducts. */
  strength?: number | undefined;
  /** Whether a bone that a vertex does not see through the body heats it only if it sees none. */
  visibility?: boolean | undefined;
}

/** What is heated, and by whom. */
export interface HeatedCharacter {
  mesh: Mesh;
  skeleton: Skeleton;
}

/** Tuned on the validation characters; flat between 2 and 3 (Pinocchio's 1 is about 1.5 here). */
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

/** Bones within this factor of the nearest share its vertices. */
const TIE = 1.0001;

/**
 * The weight of each candidate bone in the equilibrium of heat that flows from the bones over the
 * surface: a smooth guess without any learning.
 *
 * A vertex is heated by its nearest bone. Nearest means: by the straight distance, longer where the
 * bone is not behind the surface, and longer where HollowDist needs a detour to get there.
 *
 * Lab notes (56 validation characters, L1 / distance): HollowDist alone 0.744 / 0.0073, straight
 * alone 0.727 / 0.0076; straight with facing 0.662 / 0.0070, with detours too 0.657 / 0.0070, with
 * half of each root and leaf 0.634 / 0.0063 (a leaf without its tail 0.653 / 0.0065),
 * and with sight, one cell of the outside forgiven, 0.618 / 0.0056.
 * HollowDist with facing 0.694 / 0.0067: its staircase paths blur which of two bones is nearer.
 * Leaving vertices that see no bone to their neighbours, as Pinocchio does, costs 0.07 and more:
 * joints just outside the skin and overlapping parts hide all bones of many a vertex. Sharing
 * between near ties (5 % 0.682, 15 % 0.721, both against 0.662) and sharpening the result (0.663) do
 * not help. Shorter segments of branching joints gain on some characters what they lose on others.
 *
 * Based on: Baran and Popović. Automatic rigging and animation of 3D characters. 2007; the facing
 * factor is that of Blender's bone heat.
 *
 * @param character prepared: welded, longest side 1
 * @param measured its grid, bones with tails, and HollowDist
 * @param normals V×3, pointing out of the body; zero where there is none
 * @returns V×K on the slots of `distances`, each in [0, 1]; rows sum to 1, less what flows from
 *   bones that are not among the candidates
 */
export function heatPrior(
  character: HeatedCharacter,
  measured: MeasuredCharacter,
  normals: Float32Array,
  options: HeatOptions = {},
): Float32Array {
  return diffuseHeat(character.mesh, heatSources(character, measured, normals, options));
}

/** Which of its candidate bones heat a vertex, and how strongly; see {@link heatPrior}. */
export function heatSources(
  { mesh, skeleton }: HeatedCharacter,
  { grid, outside, bones, distances }: MeasuredCharacter,
  normals: Float32Array,
  options: HeatOptions = {},
): HeatSources {
  const { strength = STRENGTH, visibility = true } = options;
  const sees = visibility ? sightThroughBody(mesh, grid, outside) : undefined;
  const { k } = distances;
  const count = vertexCount(mesh);
  const shares = new Float32Array(count * k);
  const strengths = new Float64Array(count);
  const row = new Float64Array(k);
  const heating = { ...bones, segments: heatingSegments(skeleton, bones) };
  for (let v = 0; v < count; v++) {
    let nearest = apparentDistances(row, v, mesh, heating, distances, normals, sees);
    // A vertex that sees no bone takes the nearest one, so that no loose part stays cold.
    if (nearest === Infinity) {
      nearest = apparentDistances(row, v, mesh, heating, distances, normals);
    }
    let ties = 0;
    for (let slot = 0; slot < k; slot++) if (row[slot] <= nearest * TIE) ties++;
    for (let slot = 0; slot < k; slot++) {
      if (row[slot] <= nearest * TIE) shares[v * k + slot] = 1 / ties;
    }
    strengths[v] = (ties * strength) / Math.max(nearest, LEAST_DISTANCE) ** 2;
  }
  return { k, bones: distances.bones, shares, strengths };
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

/** Fills `row` (K) with how far each candidate of vertex v seems to be, and answers the least. */
function apparentDistances(
  row: Float64Array,
  v: number,
  mesh: Mesh,
  bones: Bones,
  distances: BoneDistances,
  normals: Float32Array,
  sees?: Sight,
): number {
  let nearest = Infinity;
  for (let slot = 0; slot < row.length; slot++) {
    const bone = distances.bones[v * row.length + slot];
    if (bone < 0) {
      row[slot] = Number.NaN;
      continue;
    }
    row[slot] = apparentDistance(
      mesh.positions,
      normals,
      v,
      bones,
      bone,
      distances.distances[v * row.length + slot],
      sees,
    );
    if (row[slot] < nearest) nearest = row[slot];
  }
  return nearest;
}

function apparentDistance(
  positions: Float32Array,
  normals: Float32Array,
  v: number,
  { segments, starts }: Bones,
  bone: number,
  hollow: number,
  sees?: Sight,
): number {
  const [x, y, z] = [positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]];
  let squared = Infinity;
  let dx = 0;
  let dy = 0;
  let dz = 0;
  for (let s = starts[bone]; s < starts[bone + 1]; s++) {
    const t = nearestParameter(segments, s, x, y, z);
    const o = s * 6;
    const ux = x - segments[o] - t * (segments[o + 3] - segments[o]);
    const uy = y - segments[o + 1] - t * (segments[o + 4] - segments[o + 1]);
    const uz = z - segments[o + 2] - t * (segments[o + 5] - segments[o + 2]);
    const length = ux * ux + uy * uy + uz * uz;
    if (length >= squared) continue;
    squared = length;
    dx = ux;
    dy = uy;
    dz = uz;
  }
  if (sees && !sees(v, x - dx, y - dy, z - dz)) return Infinity;
  const straight = Math.sqrt(squared);
  const along = dx * normals[v * 3] + dy * normals[v * 3 + 1] + dz * normals[v * 3 + 2];
  const cosine = straight > 0 ? along / straight : 1;
  const facing = (1 + FACING) / (FACING + cosine);
  const detour = hollow < Infinity ? hollow / (DETOUR * (straight + DETOUR_SLACK)) : 1;
  return straight * facing * Math.max(1, detour);
}
