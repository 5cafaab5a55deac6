import type { PreparedCharacter } from "../../character/character.ts";
import type { MeasuredCharacter } from "../../distance/measure.ts";
import { boundsOf } from "../../math/aabb.ts";
import { cross } from "../../math/vec3.ts";
import { type Direction, findUp } from "../../skeleton/find-up.ts";
import type { Solver } from "../solver.ts";

/**
 * A rotation by quarters and a translation: the coordinate along axis t is signs[t] × the old one
 * along axes[t] + shift[t].
 */
type Rotation = { axes: number[]; signs: number[]; shift: number[] };

/** Default left direction: the smallest rotation that brings a direction up. */
const LEFT: Record<Direction, Direction> = {
  x: "-y",
  y: "x",
  z: "x",
  "-x": "y",
  "-y": "-x",
  "-z": "x",
};

/** Cached rotated characters, so that their measurements are reused. */
const rotated = new WeakMap<
  PreparedCharacter["character"],
  Map<string, { prepared: PreparedCharacter; rotation: Rotation }>
>();

/**
 * Rotates characters with another up axis (see `findUp`) upright before solving, and rotates the
 * measurements back.
 */
export function upright(solve: Solver): Solver {
  return async (prepared, options) => {
    const { character } = prepared;
    const up = options.up === "auto" ? undefined : options.up;
    const found = up ? { up } : findUp(character.skeleton, character.mesh.positions);
    if (!found || found.up === "y") return solve(prepared, options);
    const standing = recall(prepared, found.up, found.left ?? LEFT[found.up]);
    const solved = await solve(standing.prepared, options);
    const how = up ? "as requested" : "by its legs";
    return {
      ...solved,
      measured: solved.measured && rotateBack(solved.measured, standing.rotation),
      notes: [
        ...(solved.notes ?? []),
        `Its ${found.up} axis points up (${how}); it was bound as if it stood upright. Set the up axis to y to bind it as it is.`,
      ],
    };
  };
}

function recall(prepared: PreparedCharacter, up: Direction, left: Direction) {
  const known = rotated.get(prepared.character) ?? new Map();
  rotated.set(prepared.character, known);
  const made = known.get(`${up} ${left}`) ?? makeStanding(prepared, up, left);
  known.set(`${up} ${left}`, made);
  return made;
}

function makeStanding(prepared: PreparedCharacter, up: Direction, left: Direction) {
  const { character, scale, offset } = prepared;
  const rotation = rotationOf(up, left);
  const box = boundsOf(apply(rotation, character.mesh.positions));
  rotation.shift = [-(box.min[0] + box.max[0]) / 2, -box.min[1], -(box.min[2] + box.max[2]) / 2];
  const zero = Float32Array.from(offset, (value) => -value * scale);
  const [x, y, z] = apply(rotation, zero);
  const mesh = { ...character.mesh, positions: apply(rotation, character.mesh.positions) };
  const { skeleton } = character;
  const rotatedSkeleton = {
    ...skeleton,
    positions: apply(rotation, skeleton.positions),
    ends: skeleton.ends && apply(rotation, skeleton.ends),
  };
  const standing: PreparedCharacter = {
    ...prepared,
    character: { ...character, mesh, skeleton: rotatedSkeleton },
    offset: [-x / scale, -y / scale, -z / scale],
  };
  return { prepared: standing, rotation };
}

/** Left becomes x, up becomes y, and forward, left × up, becomes z. */
function rotationOf(up: Direction, left: Direction): Rotation {
  const [x, y] = [vectorOf(left), vectorOf(up)];
  const rows = [x, y, cross(x, y)];
  const axes = rows.map((row) => row.findIndex((value) => value !== 0));
  return { axes, signs: rows.map((row, t) => row[axes[t]]), shift: [0, 0, 0] };
}

function vectorOf(direction: Direction): number[] {
  const axis = "xyz".indexOf(direction.slice(-1));
  return [0, 1, 2].map((a) => (a === axis ? (direction.length > 1 ? -1 : 1) : 0));
}

function apply({ axes, signs, shift }: Rotation, points: Float32Array): Float32Array {
  return points.map((_, i) => {
    const t = i % 3;
    return signs[t] * points[i - t + axes[t]] + shift[t];
  });
}

function inverse({ axes, signs, shift }: Rotation): Rotation {
  const from = [0, 1, 2].map((axis) => axes.indexOf(axis));
  const back = from.map((t) => -signs[t] * shift[t]);
  return { axes: from, signs: from.map((t) => signs[t]), shift: back };
}

/** Rotates measurements of the standing character back. */
function rotateBack(measured: MeasuredCharacter, rotation: Rotation): MeasuredCharacter {
  const back = inverse(rotation);
  const { grid, bones } = measured;
  const old = [grid.nx, grid.ny, grid.nz];
  const counts = back.axes.map((axis) => old[axis]);
  const strides = [1, old[0], old[0] * old[1]];
  const move = (cells: Uint8Array) => {
    const out = new Uint8Array(cells.length);
    let cell = 0;
    for (let z = 0; z < counts[2]; z++) {
      for (let y = 0; y < counts[1]; y++) {
        for (let x = 0; x < counts[0]; x++, cell++) {
          const at = [x, y, z].reduce((sum, i, axis) => {
            const index = back.signs[axis] > 0 ? i : counts[axis] - 1 - i;
            return sum + index * strides[back.axes[axis]];
          }, 0);
          out[cell] = cells[at];
        }
      }
    }
    return out;
  };
  const corner = back.axes.map((axis, a) => {
    const end = back.signs[a] > 0 ? 0 : old[axis] * grid.size;
    return back.signs[a] * (grid.origin[axis] + end) + back.shift[a];
  });
  const [nx, ny, nz] = counts;
  const origin: [number, number, number] = [corner[0], corner[1], corner[2]];
  const [segments, heads, ends] = [bones.segments, bones.heads, bones.ends].map((points) =>
    apply(back, points),
  );
  return {
    ...measured,
    grid: { nx, ny, nz, size: grid.size, cells: move(grid.cells), origin },
    outside: move(measured.outside),
    bones: { ...bones, segments, heads, ends },
  };
}
