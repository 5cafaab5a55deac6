import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { cotangentLaplacian } from "../mesh/cotangent-laplacian.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { diffuseHeat, type HeatSources } from "./diffuse-heat.ts";

/** Separate bumpy sheets of n×n vertices, and one loose point. */
function sheets(n: number, count: number, seed: number): Mesh {
  const random = createRandom(seed);
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let sheet = 0; sheet < count; sheet++) {
    const base = sheet * n * n;
    for (let i = 0; i < n * n; i++) {
      positions.push((i % n) / n + random() * 0.05, random() * 0.1, Math.floor(i / n) / n + sheet);
      if (i % n === n - 1 || i + n >= n * n) continue;
      triangles.push(base + i, base + i + 1, base + i + n);
      triangles.push(base + i + 1, base + i + n + 1, base + i + n);
    }
  }
  positions.push(0, 5, 0);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Every vertex is heated by one or two of `bones` bones, some by none; all bones are candidates. */
function randomSources(mesh: Mesh, bones: number, seed: number): HeatSources {
  const random = createRandom(seed);
  const count = mesh.positions.length / 3;
  const sources: HeatSources = {
    k: bones,
    bones: new Int32Array(count * bones),
    fractions: new Float32Array(count * bones),
    strengths: Float64Array.from({ length: count }, () => (random() < 0.1 ? 0 : random() * 50)),
  };
  for (let v = 0; v < count; v++) {
    const shift = Math.floor(random() * bones);
    for (let slot = 0; slot < bones; slot++)
      sources.bones[v * bones + slot] = (slot + shift) % bones;
    const [a, b] = [Math.floor(random() * bones), Math.floor(random() * bones)];
    sources.fractions[v * bones + a] += 0.75;
    sources.fractions[v * bones + b] += 0.25;
  }
  return sources;
}

/** (M H + L) w = M H p for one bone, by elimination on the full matrix. */
function solveDense(mesh: Mesh, sources: HeatSources, bone: number): number[] {
  const count = mesh.positions.length / 3;
  const { matrix, areas } = cotangentLaplacian(mesh, vertexNeighbors(mesh.triangles, count));
  const a = Array.from({ length: count }, (_, v) => {
    const row = new Array<number>(count + 1).fill(0);
    const heat = Math.max(areas[v] * sources.strengths[v], 1e-9);
    row[v] = matrix.diagonal[v] + heat;
    for (let p = matrix.pattern.starts[v]; p < matrix.pattern.starts[v + 1]; p++)
      row[matrix.pattern.items[p]] = matrix.values[p];
    for (let slot = v * sources.k; slot < (v + 1) * sources.k; slot++)
      if (sources.bones[slot] === bone) row[count] = heat * sources.fractions[slot];
    return row;
  });
  for (let c = 0; c < count; c++) {
    for (let r = 0; r < count; r++) {
      const factor = a[r][c] / a[c][c];
      if (r !== c && factor !== 0) for (let k = c; k <= count; k++) a[r][k] -= factor * a[c][k];
    }
  }
  return a.map((row, v) => row[count] / row[v]);
}

describe("diffuseHeat", () => {
  test.each([1, 2, 5, 6])("equals the dense solution for %d bones", (bones) => {
    const mesh = sheets(6, 2, bones);
    const sources = randomSources(mesh, bones, bones + 100);
    const heat = diffuseHeat(mesh, sources);
    for (let bone = 0; bone < bones; bone++) {
      solveDense(mesh, sources, bone).forEach((expected, v) => {
        const row = sources.bones.subarray(v * bones, (v + 1) * bones);
        expect(heat[v * bones + row.indexOf(bone)], `vertex ${v}`).toBeCloseTo(expected, 4);
      });
    }
  });

  test("rows sum to 1", () => {
    const mesh = sheets(20, 3, 5);
    const heat = diffuseHeat(mesh, randomSources(mesh, 7, 6));
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const sum = heat.subarray(v * 7, (v + 1) * 7).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum - 1), `vertex ${v}`).toBeLessThan(1e-4);
    }
  });

  test("a bone that does not heat a part has exactly 0 there", () => {
    const mesh = sheets(5, 2, 9);
    const count = mesh.positions.length / 3;
    const sources = randomSources(mesh, 4, 2);
    for (let v = 0; v < count; v++) {
      const [first, second] = v < 25 ? [0, 1] : [2, 3];
      for (let slot = v * 4; slot < v * 4 + 4; slot++) {
        sources.fractions[slot] = [first, second].includes(sources.bones[slot]) ? 0.5 : 0;
      }
    }
    const heat = diffuseHeat(mesh, sources);
    for (let i = 0; i < count * 4; i++) {
      const here = i < 100 ? [0, 1] : [2, 3];
      if (!here.includes(sources.bones[i])) expect(heat[i]).toBe(0);
    }
  });

  test("parts without any strength, area or triangle still receive the weights of their bones", () => {
    const mesh: Mesh = {
      positions: Float32Array.from([0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 5, 5]),
      triangles: Uint32Array.from([0, 1, 2]),
    };
    const heat = diffuseHeat(mesh, {
      k: 2,
      bones: Int32Array.from([0, 1, 0, 1, 1, 0, 1, -1]),
      fractions: Float32Array.from([1, 0, 1, 0, 1, 0, 1, 0]),
      strengths: new Float64Array(4),
    });
    for (let v = 0; v < 4; v++) expect(heat[v * 2] + heat[v * 2 + 1]).toBeCloseTo(1, 4);
    expect(heat[6]).toBe(1);
  });

  test("triangles between random vertices, whose factor is dense, are solved by iteration", () => {
    const random = createRandom(1);
    const count = 6000;
    const mesh: Mesh = {
      positions: Float32Array.from({ length: count * 3 }, () => random()),
      triangles: Uint32Array.from({ length: count * 2 }, () => Math.floor(random() * count)),
    };
    const sources = randomSources(mesh, 4, 8);
    const heat = diffuseHeat(mesh, sources);
    for (let v = 0; v < count; v++) {
      const sum = heat.subarray(v * 4, (v + 1) * 4).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum - 1), `vertex ${v}`).toBeLessThan(1e-3);
    }
  });
});
