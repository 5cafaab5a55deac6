import { describe, expect, test } from "vitest";
import { joinMeshes } from "../../test/helpers/join-meshes.ts";
import type { Character } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { createRandom } from "../math/random.ts";
import { vertexNeighbors } from "../mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../mesh/mesh.ts";
import { linearBlend } from "../weights/deform.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { scoringPoses } from "./deformation-error.ts";
import { visibleFaults } from "./visible-faults.ts";

/** The surface of a box of n×n×n cells. */
function box(n: number, [x, y, z]: number[], size: number[]): Mesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const index = new Map<string, number>();
  const at = (p: number[]) => {
    const key = p.join();
    if (!index.has(key)) {
      index.set(key, index.size);
      positions.push(...p.map((value, i) => [x, y, z][i] + (value / n - 0.5) * size[i]));
    }
    return index.get(key)!;
  };
  for (let axis = 0; axis < 3; axis++) {
    for (const end of [0, n]) {
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const corner = (a: number, b: number) => {
            const p = [0, 0, 0];
            p[axis] = end;
            p[(axis + 1) % 3] = i + a;
            p[(axis + 2) % 3] = j + b;
            return at(p);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          triangles.push(a, b, c, a, c, d);
        }
      }
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const NAMES = ["root", "spine", "arm.L", "hand.L", "arm.R", "hand.R"];
const skeleton = {
  names: NAMES,
  parents: Int32Array.of(-1, 0, 1, 2, 1, 4),
  positions: Float32Array.of(
    0,
    0,
    0,
    0,
    0.4,
    0,
    0.3,
    0.5,
    0,
    0.45,
    0.5,
    0,
    -0.3,
    0.5,
    0,
    -0.45,
    0.5,
    0,
  ),
};

/** A wide body with arms, and a separate brooch on the chest; every part moves rigidly by its position. */
function withBrooch(): { character: Character; brooch: number[] } {
  const body = box(32, [0, 0.5, 0], [1, 0.5, 0.2]);
  const brooch = box(4, [0.05, 0.5, 0.106], [0.06, 0.06, 0.01]);
  const mesh = joinMeshes(body, brooch);
  const first = vertexCount(body);
  const joints = Uint16Array.from({ length: vertexCount(mesh) }, (_, v) => {
    const x = mesh.positions[v * 3];
    return x > 0.4 ? 3 : x > 0.2 ? 2 : x < -0.4 ? 5 : x < -0.2 ? 4 : 1;
  });
  const weights = { influences: 1, joints, weights: new Float32Array(joints.length).fill(1) };
  const { character } = prepareCharacter({ name: "brooch", mesh, skeleton, weights });
  const list = Array.from({ length: vertexCount(brooch) }, (_, v) => first + v);
  return { character, brooch: list };
}

const changed = (weights: SkinWeights, joint: (old: number, v: number) => number): SkinWeights => ({
  ...weights,
  joints: weights.joints.map(joint),
});

describe("visibleFaults", () => {
  const { character, brooch } = withBrooch();
  const artist = character.weights!;

  test("finds none in the artist's own weights", () => {
    const faults = visibleFaults(character, artist, artist);
    expect(faults).toMatchObject({
      deadJoints: 0,
      floatingParts: 0,
      tornEdges: 0,
      crossedVertices: 0,
    });
    expect(faults).toMatchObject({ usedJoints: 5, touchingParts: 1 });
    expect(faults.edges).toBeGreaterThan(500);
    expect(faults.sidedVertices).toBeGreaterThan(100);
  });

  test("reports a floating brooch that follows an arm", () => {
    const wrong = changed(artist, (joint, v) => (brooch.includes(v) ? 2 : joint));
    expect(visibleFaults(character, wrong, artist).floatingParts).toBe(1);
    // It is not a fault if the artist has it on the arm too.
    expect(visibleFaults(character, wrong, wrong).floatingParts).toBe(0);
  });

  test("reports a joint without weight", () => {
    const wrong = changed(artist, (joint) => (joint === 3 ? 2 : joint));
    expect(visibleFaults(character, wrong, artist).deadJoints).toBe(1);
  });

  test("reports weight across the middle", () => {
    const swap = [0, 1, 4, 5, 2, 3];
    const wrong = changed(artist, (joint) => swap[joint]);
    const { crossedVertices, sidedVertices } = visibleFaults(character, wrong, artist);
    const outer = artist.joints.filter((joint) => joint > 1).length;
    expect(crossedVertices).toBe(outer);
    expect(sidedVertices).toBeGreaterThan(outer);
  });

  test.each([1, 2, 3])("counts torn edges like a literal version (seed %i)", (seed) => {
    const random = createRandom(seed);
    const wrong = changed(artist, (joint) => (random() < 0.1 ? Math.floor(random() * 6) : joint));
    const { positions, triangles } = character.mesh;
    const rings = vertexNeighbors(triangles, vertexCount(character.mesh));
    const gap = (p: Float32Array, a: number, b: number) =>
      Math.hypot(...[0, 1, 2].map((i) => p[a * 3 + i] - p[b * 3 + i]));
    const isTorn = (weights: SkinWeights, a: number, b: number) =>
      scoringPoses(character).some((pose) => {
        const posed = linearBlend(positions, weights, pose);
        const [rest, now] = [gap(positions, a, b), gap(posed, a, b)];
        return now - rest > 2 * rest && now - rest > 0.02;
      });
    let torn = 0;
    for (let a = 0; a + 1 < rings.starts.length; a += 61) {
      for (const b of rings.items.subarray(rings.starts[a], rings.starts[a + 1])) {
        if (b > a && isTorn(wrong, a, b) && !isTorn(artist, a, b)) torn++;
      }
    }
    const all = visibleFaults(character, wrong, artist).tornEdges;
    expect(torn).toBeGreaterThan(0);
    expect(all).toBeGreaterThanOrEqual(torn);
  });
});
