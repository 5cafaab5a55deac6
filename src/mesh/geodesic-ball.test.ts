import { describe, expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "./adjacency.ts";
import { geodesicBall } from "./geodesic-ball.ts";
import type { Mesh } from "./mesh.ts";

/** A bumpy sheet of n×n vertices, with a loose triangle and an isolated vertex. */
function bumpySheet(n: number, seed: number): Mesh {
  const random = createRandom(seed);
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i < n * n; i++) {
    positions.push((i % n) / n + random() * 0.03, random() * 0.05, Math.floor(i / n) / n);
    if (i % n === n - 1 || i + n >= n * n) continue;
    triangles.push(i, i + 1, i + n, i + 1, i + n + 1, i + n);
  }
  positions.push(0, 1, 0, 0.05, 1, 0, 0, 1, 0.05, 0.5, 1, 0.5);
  triangles.push(n * n, n * n + 1, n * n + 2);
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** All-pairs shortest paths by Floyd and Warshall. */
function allDistances(mesh: Mesh): number[][] {
  const count = mesh.positions.length / 3;
  const at = (v: number) => mesh.positions.subarray(v * 3, v * 3 + 3);
  const d = Array.from({ length: count }, (_, a) =>
    Array.from({ length: count }, (_, b) => (a === b ? 0 : Number.POSITIVE_INFINITY)),
  );
  for (let i = 0; i < mesh.triangles.length; i += 3) {
    const corners = mesh.triangles.subarray(i, i + 3);
    for (const a of corners)
      for (const b of corners)
        d[a][b] = Math.hypot(...[0, 1, 2].map((axis) => at(a)[axis] - at(b)[axis]));
  }
  for (let m = 0; m < count; m++)
    for (let a = 0; a < count; a++)
      for (let b = 0; b < count; b++) d[a][b] = Math.min(d[a][b], d[a][m] + d[m][b]);
  return d;
}

const members = (rows: Int32Array, v: number, limit: number): Set<number> =>
  new Set(rows.subarray(v * limit, (v + 1) * limit));

describe("geodesicBall", () => {
  const mesh = bumpySheet(13, 7);
  const count = mesh.positions.length / 3;
  const neighbors = vertexNeighbors(mesh.triangles, count);
  const distances = allDistances(mesh);

  test.each([0.06, 0.15, 0.3])(
    "radius %d: complete small balls, `limit` members of large ones",
    (radius) => {
      const limit = 12;
      const rows = geodesicBall(mesh, neighbors, radius, limit, 3);
      for (let v = 0; v < count; v++) {
        const ball = distances[v].flatMap((d, u) => (u !== v && d <= radius ? [u] : []));
        const row = members(rows, v, limit);
        if (ball.length === 0) expect([...row], `vertex ${v}`).toEqual([v]);
        else {
          for (const u of row) expect(ball, `vertex ${v}`).toContain(u);
          expect(row.size, `vertex ${v}`).toBe(Math.min(limit, ball.length));
        }
      }
    },
  );

  test("a full row reaches across the ball, not only to the nearest", () => {
    const [limit, radius] = [8, 0.3];
    const rows = geodesicBall(mesh, neighbors, radius, limit);
    let reach = 0;
    for (let v = 0; v < 169; v++) {
      for (const u of members(rows, v, limit)) reach += distances[v][u] / (169 * limit * radius);
    }
    // Uniform over a disc, the mean would be 2/3 of the radius; the eight nearest stay below 0.4.
    expect(reach).toBeGreaterThan(0.55);
  });

  test("permuted vertices permute the balls", () => {
    const random = createRandom(11);
    const order = Array.from({ length: count }, (_, v) => v);
    for (let i = count - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    const positions = new Float32Array(count * 3);
    order.forEach((to, v) => {
      positions.set(mesh.positions.subarray(v * 3, v * 3 + 3), to * 3);
    });
    const shuffled = { positions, triangles: mesh.triangles.map((v) => order[v]) };
    const rows = geodesicBall(mesh, neighbors, 0.2, 6);
    const others = geodesicBall(shuffled, vertexNeighbors(shuffled.triangles, count), 0.2, 6);
    for (let v = 0; v < count; v++) {
      const renamed = new Set([...members(rows, v, 6)].map((u) => order[u]));
      expect(members(others, order[v], 6), `vertex ${v}`).toEqual(renamed);
    }
  });

  test("the seed changes the sample", () => {
    const draw = (seed: number) => geodesicBall(mesh, neighbors, 0.3, 6, seed);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });
});
