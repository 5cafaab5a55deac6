import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import "../../test/helpers/matchers.ts";
import { makeSample } from "../../samples/index.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import type { BoneDistances } from "../distance/bone-distances.ts";
import type { MeasuredCharacter } from "../distance/measure.ts";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { buildProxy, type ProxyMesh } from "../mesh/proxy-mesh.ts";
import { bonesOf } from "../skeleton/bones.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { loadMethod } from "./methods.ts";
import { carryWeights } from "./proxy.ts";

/** A square sheet of n×n cells at height y, wound upward or downward. */
function sheet(n: number, y: number, upwards: boolean): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      positions.push(i / n, y, j / n);
      if (i === n || j === n) continue;
      const a = i * (n + 1) + j;
      const square = [a, a + 1, a + n + 2, a, a + n + 2, a + n + 1];
      triangles.push(...(upwards ? square : square.reverse()));
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Weights of joints 0 and 1 on the vertices of a proxy, by the fraction of joint 0 per vertex. */
function rows(proxy: ProxyMesh, share: (v: number) => number): SkinWeights {
  const out: SkinWeights = {
    influences: 2,
    joints: new Uint16Array(proxy.vertices.length * 2),
    weights: new Float32Array(proxy.vertices.length * 2),
  };
  proxy.vertices.forEach((v, row) => {
    const first = share(v);
    const heavier = first >= 0.5;
    out.joints.set(heavier ? [0, first < 1 ? 1 : 0] : [1, 0], row * 2);
    out.weights.set(heavier ? [first, 1 - first] : [1 - first, first], row * 2);
  });
  return out;
}

function shareOf({ influences, joints, weights }: SkinWeights, v: number, joint: number): number {
  let sum = 0;
  for (let i = v * influences; i < (v + 1) * influences; i++) {
    if (joints[i] === joint) sum += weights[i];
  }
  return sum;
}

/** Two bones at one position, with equal distances everywhere by default, which never reject a corner. */
function measuredOf(mesh: Mesh, distances?: BoneDistances): MeasuredCharacter {
  const count = mesh.positions.length / 3;
  const skeleton: Skeleton = {
    names: ["a", "b"],
    parents: Int32Array.of(-1, -1),
    positions: new Float32Array(6).fill(0.5),
  };
  return {
    grid: { nx: 1, ny: 1, nz: 1, origin: [0, 0, 0], size: 0.01, cells: new Uint8Array(1) },
    outside: new Uint8Array(1),
    bones: bonesOf(skeleton),
    distances: distances ?? {
      k: 1,
      bones: new Int32Array(count),
      distances: new Float32Array(count).fill(0.5),
    },
  };
}

/** Mean L1 between two sets of weights. */
function meanL1(a: SkinWeights, b: SkinWeights, joints: number): number {
  const count = a.weights.length / a.influences;
  let sum = 0;
  for (let v = 0; v < count; v++) sum += rowL1(a, v, b, v, joints);
  return sum / count;
}

function rowL1(a: SkinWeights, v: number, b: SkinWeights, u: number, joints: number): number {
  const difference = new Float64Array(joints);
  for (let i = 0; i < a.influences; i++) {
    difference[a.joints[v * a.influences + i]] += a.weights[v * a.influences + i];
  }
  for (let i = 0; i < b.influences; i++) {
    difference[b.joints[u * b.influences + i]] -= b.weights[u * b.influences + i];
  }
  return difference.reduce((sum, value) => sum + Math.abs(value), 0);
}

describe("carryWeights", () => {
  test("interpolates a linear change without blocks, and keeps the vertices of the proxy", async () => {
    const mesh = sheet(60, 0, true);
    const proxy = await buildProxy(mesh, 200);
    expect(proxy.vertices.length).toBeLessThan(450);
    const given = rows(proxy, (v) => mesh.positions[v * 3]);
    const carried = carryWeights(mesh, measuredOf(mesh), proxy, given);
    expect(carried).toBeSkinWeights(mesh.positions.length / 3, 2);
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      expect(shareOf(carried, v, 0)).toBeCloseTo(mesh.positions[v * 3], 4);
    }
  });

  test("uses the side of a thin plate that a vertex faces", async () => {
    // One connected part: the two sides share a rim.
    const n = 40;
    const both = joinMeshes(sheet(n, 0.01, true), sheet(n, 0, false));
    const side = (n + 1) ** 2;
    const rim = [0, n * (n + 1)].flatMap((a) => [a, a + side, a + 1]);
    const mesh = { ...both, triangles: Uint32Array.of(...both.triangles, ...rim) };
    const random = createRandom(5);
    // Slightly crumpled, so that the coarse sides cross each other.
    for (let v = 0; v < side * 2; v++) mesh.positions[v * 3 + 1] += (random() - 0.5) * 0.009;
    const proxy = await buildProxy(mesh, 500);
    const given = rows(proxy, (v) => (v < side ? 1 : 0));
    const carried = carryWeights(mesh, measuredOf(mesh), proxy, given);
    let wrong = 0;
    for (let v = 0; v < side * 2; v++)
      wrong += Math.abs(shareOf(carried, v, 0) - (v < side ? 1 : 0));
    expect(wrong / (side * 2)).toBeLessThan(0.02);
  });

  test("does not use corners that a wall separates from the vertex", async () => {
    // Two halves of a sheet, x < 0.5 and x > 0.5: bone 0 is near one, bone 1 near the other.
    const mesh = sheet(41, 0, true);
    const left = (v: number) => mesh.positions[v * 3] < 0.5;
    const count = mesh.positions.length / 3;
    const distances = {
      k: 2,
      bones: new Int32Array(count * 2),
      distances: new Float32Array(count * 2),
    };
    for (let v = 0; v < count; v++) {
      distances.bones.set(left(v) ? [0, 1] : [1, 0], v * 2);
      distances.distances.set([0.1, 0.9], v * 2);
    }
    const proxy = await buildProxy(mesh, 100);
    const given = rows(proxy, (v) => (left(v) ? 1 : 0));
    const carried = carryWeights(mesh, measuredOf(mesh, distances), proxy, given);
    for (let v = 0; v < count; v++) {
      expect(Math.abs(shareOf(carried, v, 0) - (left(v) ? 1 : 0))).toBeLessThan(0.1);
    }
  });
});

describe("buildProxy", () => {
  test.each([1, 2])(
    "keeps some vertices of every part, including loose vertices, seed %i",
    async (seed) => {
      const random = createRandom(seed);
      const islands = Array.from({ length: 150 }, () => {
        const tiny = sheet(1, 0, true);
        const at = [random() * 2 - 1, 0.05 + random(), random() * 2 - 1];
        for (let i = 0; i < 12; i++) tiny.positions[i] = tiny.positions[i] * 1e-3 + at[i % 3];
        return tiny;
      });
      const loose = { positions: Float32Array.of(5, 5, 5, 6, 6, 6), triangles: new Uint32Array(0) };
      const mesh = joinMeshes(sheet(60, 0, true), ...islands, loose);
      const proxy = await buildProxy(mesh, 2400);
      expect(proxy.vertices.length).toBeLessThan(3200);
      const parts = new Set(proxy.fineParts);
      expect(parts.size).toBe(153);
      expect(new Set(proxy.parts)).toEqual(parts);
      for (let f = 0; f < proxy.parts.length; f++) {
        for (let k = 0; k < 3; k++) {
          const v = proxy.vertices[proxy.mesh.triangles[f * 3 + k]];
          expect(proxy.fineParts[v]).toBe(proxy.parts[f]);
        }
      }
      proxy.vertices.forEach((v, i) => {
        const [a, b] = [proxy.mesh.positions, mesh.positions];
        expect([...a.subarray(i * 3, i * 3 + 3)]).toEqual([...b.subarray(v * 3, v * 3 + 3)]);
      });
      const carried = carryWeights(
        mesh,
        measuredOf(mesh),
        proxy,
        rows(proxy, () => 1),
      );
      expect(carried).toBeSkinWeights(mesh.positions.length / 3, 2);
    },
  );

  test("stays near the limit if there are more parts than the limit allows", async () => {
    const random = createRandom(9);
    const cloud = Float32Array.from({ length: 3 * 5000 }, () => random());
    const mesh = { positions: cloud, triangles: Uint32Array.of(0, 1, 2) };
    const proxy = await buildProxy(mesh, 400);
    expect(proxy.vertices.length).toBeLessThanOrEqual(400);
    const carried = carryWeights(
      mesh,
      measuredOf(mesh),
      proxy,
      rows(proxy, () => 1),
    );
    expect(carried).toBeSkinWeights(5000, 2);
  });
});

describe.each([
  ["heat", 0.1],
  ["network", 0.1],
])("%s on a proxy of half the vertices", (method, most) => {
  test("differs little from the full mesh, has no additional jumps, and is reproducible", async () => {
    const prepared = prepareCharacter(makeSample("fox"));
    const { mesh, skeleton } = prepared.character;
    const count = mesh.positions.length / 3;
    const joints = skeleton.parents.length;
    const solve = await loadMethod(method);
    const model = new Uint8Array(readFileSync("models/heterskin.onnx"));
    const options = { model, provider: "cpu" as const, threads: 1 };
    const { weights: direct } = await solve(prepared, options);
    const half = { ...options, proxyVertices: Math.round(count / 2) };
    const { weights: carried } = await solve(prepared, half);
    expect(carried).toBeSkinWeights(count, joints);
    const l1 = meanL1(direct, carried, joints);
    expect(l1).toBeGreaterThan(0);
    expect(l1).toBeLessThan(most);
    const { starts, items } = vertexNeighbors(mesh.triangles, count);
    const jumps = [direct, carried].map((weights) => {
      let largest = 0;
      for (let v = 0; v < count; v++) {
        for (let i = starts[v]; i < starts[v + 1]; i++) {
          largest = Math.max(largest, rowL1(weights, v, weights, items[i], joints));
        }
      }
      return largest;
    });
    expect(jumps[1]).toBeLessThan(jumps[0] * 1.3);
    expect((await solve(prepared, half)).weights).toEqual(carried);
  });
});
