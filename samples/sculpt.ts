import type { Character } from "../src/character/character.ts";
import { vertexNeighbors } from "../src/mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../src/mesh/mesh.ts";
import { type SkinWeights, weightsFromDense } from "../src/weights/skin-weights.ts";
import { pruneWeights } from "../src/weights/trim-weights.ts";
import { limitInfluences } from "../src/weights/weight-locks.ts";
import type { BodyPart, Weigh } from "./body-part.ts";
import { melt } from "./melt.ts";
import { relax } from "./relax.ts";
import type { Rig } from "./rig.ts";
import type { SignedDistance } from "./signed-distance.ts";
import { type Box, surfaceNets } from "./surface-nets.ts";

/** A closed surface of a character: parts melted together, or a mesh. */
export type Shell = SolidShell | SheetShell;

/** A surface given as a mesh. */
export interface SheetShell {
  mesh: Mesh;
  weigh: Weigh;
}

/** Parts melted together. */
export interface SolidShell {
  parts: BodyPart[];
  /** Side of a grid cell, about the length of an edge. */
  cell: number;
  /** Width of the fillets between parts; 0 leaves edges where parts meet. */
  blend: number;
  /** Bounds of the parts. */
  box: Box;
  /** Smoothing iterations of the weights over the surface; default 3. */
  smoothing?: number;
  /** Solid that is subtracted from the melted parts. */
  carve?: (solid: SignedDistance) => SignedDistance;
}

/** Slots per vertex of the known weights, as in most engines. */
const INFLUENCES = 4;

/** Weights below this fraction of a vertex's largest are dropped, because no artist would paint them. */
const FAINT = 0.02;

/** Side of a block with a list of nearby parts, in cells. */
const BLOCK_CELLS = 4;

/** Iterations of relaxing the triangles. */
const RELAX_STEPS = 5;

/** Creates a character of closed shells, with the weights that its parts define. */
export function sculpt(name: string, rig: Rig, shells: Shell[]): Character {
  const meshes: Mesh[] = [];
  const tables: Float64Array[] = [];
  for (const shell of shells) {
    const mesh = "mesh" in shell ? shell.mesh : meshOf(shell);
    const weigh = "mesh" in shell ? shell.weigh : sharedWeigh(shell);
    const rounds = "mesh" in shell ? 0 : (shell.smoothing ?? 3);
    meshes.push(mesh);
    tables.push(smoothTable(weighVertices(mesh, rig, weigh), mesh, rounds));
  }
  return {
    name,
    mesh: joinMeshes(meshes),
    skeleton: rig.skeleton,
    weights: finish(tables, rig.skeleton.parents.length),
  };
}

function meshOf(shell: SolidShell): Mesh {
  const solid = solidOf(shell);
  return relax(surfaceNets(solid, shell.box, shell.cell), solid, shell.cell, RELAX_STEPS);
}

function solidOf({ parts, blend, cell, carve }: SolidShell): SignedDistance {
  const solid = melt(
    parts.map((part) => part.distance),
    blend,
    BLOCK_CELLS * cell,
  );
  return carve ? carve(solid) : solid;
}

/** V×J, the weight by `weigh` of each joint at each vertex. */
function weighVertices(mesh: Mesh, rig: Rig, weigh: Weigh): Float64Array {
  const joints = rig.skeleton.parents.length;
  const table = new Float64Array(vertexCount(mesh) * joints);
  for (let vertex = 0; vertex < vertexCount(mesh); vertex++) {
    const p = mesh.positions.subarray(vertex * 3, vertex * 3 + 3);
    weigh(p, (joint, amount) => {
      table[vertex * joints + rig.index(joint)] += amount;
    });
  }
  return table;
}

/** The weights of each part, blended between the parts near the point. */
function sharedWeigh({ parts, blend }: SolidShell): Weigh {
  const softness = Math.max(blend, 1e-6) * 0.45;
  return (p, give) => {
    const far = parts.map((part) => part.distance(p[0], p[1], p[2]));
    const nearest = Math.min(...far);
    const shares = far.map((d) => Math.exp((nearest - d) / softness));
    const sum = shares.reduce((a, b) => a + b);
    parts.forEach((part, i) => {
      if (shares[i] < 1e-3) return;
      part.weigh(p, (joint, amount) => give(joint, (shares[i] / sum) * amount));
    });
  };
}

/** Replaces each row by the mean of itself and its neighbors' mean, several times. */
function smoothTable(table: Float64Array, mesh: Mesh, rounds: number): Float64Array {
  const count = vertexCount(mesh);
  const joints = table.length / count;
  const { starts, items } = vertexNeighbors(mesh.triangles, count);
  let rows = table;
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(rows.length);
    for (let vertex = 0; vertex < count; vertex++) {
      const share = 0.5 / (starts[vertex + 1] - starts[vertex]);
      for (let joint = 0; joint < joints; joint++) {
        let sum = 0;
        for (let i = starts[vertex]; i < starts[vertex + 1]; i++)
          sum += rows[items[i] * joints + joint];
        next[vertex * joints + joint] = rows[vertex * joints + joint] / 2 + sum * share;
      }
    }
    rows = next;
  }
  return rows;
}

function joinMeshes(meshes: Mesh[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    for (const vertex of mesh.triangles) triangles.push(first + vertex);
    for (const value of mesh.positions) positions.push(value);
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

function finish(tables: Float64Array[], joints: number): SkinWeights {
  const table = new Float64Array(tables.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const rows of tables) {
    table.set(rows, at);
    at += rows.length;
  }
  return limitInfluences(pruneWeights(weightsFromDense(table, joints), FAINT), INFLUENCES);
}
