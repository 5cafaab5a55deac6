import { describe, expect, test } from "vitest";
import { checkCharacter } from "../src/character/character.ts";
import { InputError } from "../src/input-error.ts";
import { connectedComponents, vertexNeighbors } from "../src/mesh/adjacency.ts";
import { type Mesh, vertexCount } from "../src/mesh/mesh.ts";
import { jointCount } from "../src/skeleton/skeleton.ts";
import { checkWeights } from "../src/weights/check-weights.ts";
import { makeFish } from "./fish.ts";
import { makeSample, SAMPLES } from "./index.ts";
import { openSides, volumeAndArea, windingNumber } from "./mesh-checks.ts";
import { otherSide } from "./rig.ts";

const PARTS: Record<string, number> = {
  dancer: 5,
  fox: 1,
  bird: 1,
  dragon: 1,
  octopus: 1,
  mushroom: 2,
  robot: 24,
  fish: 1,
};

/** The triangles of each connected part, as meshes over the same positions. */
function partsOf(mesh: Mesh): Mesh[] {
  const { count, component } = connectedComponents(
    vertexNeighbors(mesh.triangles, vertexCount(mesh)),
  );
  const triangles: number[][] = Array.from({ length: count }, () => []);
  mesh.triangles.forEach((vertex) => {
    triangles[component[vertex]].push(vertex);
  });
  return triangles.map((list) => ({
    positions: mesh.positions,
    triangles: Uint32Array.from(list),
  }));
}

describe.each(SAMPLES.map((sample) => sample.name))("sample %s", (name) => {
  const character = makeSample(name);
  const { mesh, skeleton } = character;
  const weights = character.weights!;

  test("is a valid character of 1,000 to 6,000 vertices", () => {
    checkCharacter(character);
    expect(character.name).toBe(name);
    expect(vertexCount(mesh)).toBeGreaterThanOrEqual(1000);
    expect(vertexCount(mesh)).toBeLessThanOrEqual(6000);
    expect(new Set(skeleton.names).size).toBe(jointCount(skeleton));
    expect(skeleton.parents.filter((parent) => parent < 0).length).toBe(1);
  });

  test("is closed, every part faces outward, and has the expected parts", () => {
    expect(openSides(mesh)).toBe(0);
    const parts = partsOf(mesh);
    for (const part of parts) expect(volumeAndArea(part).volume).toBeGreaterThan(0);
    expect(parts.length).toBe(PARTS[name]);
  });

  test("has valid weights that use every joint", () => {
    expect(checkWeights(weights, vertexCount(mesh), jointCount(skeleton))).toEqual([]);
    expect(weights.influences).toBeLessThanOrEqual(4);
    const used = new Set(weights.joints.filter((_, slot) => weights.weights[slot] > 0));
    expect(skeleton.names.filter((_, joint) => !used.has(joint))).toEqual([]);
  });

  test("has weights that change gradually along every edge", () => {
    const { starts, items } = vertexNeighbors(mesh.triangles, vertexCount(mesh));
    let steepest = 0;
    for (let v = 0; v < vertexCount(mesh); v++) {
      for (let i = starts[v]; i < starts[v + 1]; i++) {
        steepest = Math.max(steepest, weightDistance(v, items[i]));
      }
    }
    expect(steepest).toBeLessThan(name === "robot" ? 1e-6 : 1.2);
  });

  test("has a symmetric skeleton where joints have sides", () => {
    for (const [joint, joint2] of skeleton.names.map((n, i) => [
      i,
      skeleton.names.indexOf(otherSide(n)),
    ])) {
      if (joint === joint2) continue;
      const [x, y, z] = skeleton.positions.subarray(joint * 3, joint * 3 + 3);
      expect([...skeleton.positions.subarray(joint2 * 3, joint2 * 3 + 3)]).toEqual([-x, y, z]);
    }
  });

  /** The L1 distance of two vertices' weights. */
  function weightDistance(a: number, b: number): number {
    const row = new Map<number, number>();
    for (const [vertex, sign] of [
      [a, 1],
      [b, -1],
    ]) {
      for (let slot = 0; slot < weights.influences; slot++) {
        const at = vertex * weights.influences + slot;
        row.set(
          weights.joints[at],
          (row.get(weights.joints[at]) ?? 0) + sign * weights.weights[at],
        );
      }
    }
    return [...row.values()].reduce((sum, value) => sum + Math.abs(value), 0);
  }
});

describe("samples", () => {
  test("the robot's parts each follow exactly one joint", () => {
    const { mesh, skeleton, weights } = makeSample("robot");
    const owners = partsOf(mesh).map(({ triangles }) => {
      const joints = new Set([...triangles].map((v) => weights!.joints[v * weights!.influences]));
      expect(joints.size).toBe(1);
      return [...joints][0];
    });
    expect(new Set(owners).size).toBe(jointCount(skeleton));
    for (let v = 0; v < vertexCount(mesh); v++) {
      expect(weights!.weights[v * weights!.influences]).toBe(1);
    }
  });

  test("the skirt and braid bones of the dancer lie outside the body", () => {
    const { mesh, skeleton } = makeSample("dancer");
    const body = partsOf(mesh)[0];
    const outside = skeleton.names.filter((name) => /^(skirt|braid)/.test(name));
    expect(outside.length).toBe(18);
    skeleton.names.forEach((name, joint) => {
      const around = windingNumber(body, skeleton.positions.subarray(joint * 3, joint * 3 + 3));
      expect(`${name} ${around > 0.5}`).toBe(`${name} ${!outside.includes(name)}`);
    });
  });

  test("generates a character once per process, always the same", () => {
    expect(makeSample("fish")).toBe(makeSample("fish"));
    expect(makeFish()).toEqual(makeSample("fish"));
  });

  test("an unknown name is an InputError", () => {
    expect(() => makeSample("cow")).toThrow(InputError);
    expect(() => makeSample("cow")).toThrow(/dancer, fox/);
  });
});
