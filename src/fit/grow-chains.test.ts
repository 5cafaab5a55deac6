import { describe, expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { distance, type Vec3 } from "../math/vec3.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { fitTemplate, meshDepth } from "./fit-template.ts";
import { growChains } from "./grow-chains.ts";
import { depthAt } from "./joint-doubts.ts";

/** A skeleton without its last joints whose names start with a word. */
function without({ names, parents, positions }: Skeleton, word: string): Skeleton {
  const kept = [...names.keys()].filter((joint) => !names[joint].startsWith(word));
  return {
    names: kept.map((joint) => names[joint]),
    parents: Int32Array.from(kept, (joint) => kept.indexOf(parents[joint])),
    positions: Float32Array.from(kept.flatMap((j) => [...positions.subarray(j * 3, j * 3 + 3)])),
  };
}

describe("growChains", () => {
  test("adds a chain along the middle of a boneless tail, attached to the hips", () => {
    const { mesh } = makeSample("fox");
    const body = meshDepth(mesh);
    const whole = fitTemplate(mesh, "quadruped", body, false);
    const bare = without(whole, "tail");
    const { skeleton, chains } = growChains(mesh, bare);
    const tail = chains.find(({ name }) => name === "tail")!;
    expect(tail.joints.length).toBeGreaterThan(1);
    expect(skeleton.names[tail.joints[0]]).toBe("tail_01");
    expect(skeleton.names[skeleton.parents[tail.joints[0]]]).toBe("hips");
    const at = ({ positions }: Skeleton, joint: number): Vec3 => [
      positions[joint * 3],
      positions[joint * 3 + 1],
      positions[joint * 3 + 2],
    ];
    for (const joint of tail.joints)
      expect(depthAt(body, ...at(skeleton, joint))).toBeGreaterThan(0);
    // The chain ends where the bones of the template end.
    const last = at(skeleton, tail.joints[tail.joints.length - 1]);
    expect(distance(last, at(whole, whole.names.indexOf("tail2")))).toBeLessThan(0.2);
    expect(skeleton.names.slice(0, bare.names.length)).toEqual(bare.names);
  });

  test("adds several hanging chains to a skirt", () => {
    const { mesh } = makeSample("dancer");
    const { skeleton, chains } = growChains(mesh, fitTemplate(mesh, "biped", meshDepth(mesh)));
    const cloth = chains.filter(({ name }) => name.startsWith("cloth"));
    const y = (joint: number) => skeleton.positions[joint * 3 + 1];
    const hanging = cloth.filter(
      ({ joints }) => joints.length === 1 || y(joints[joints.length - 1]) < y(joints[0]),
    );
    expect(hanging.length).toBeGreaterThan(2);
  });

  test("adds nothing if the bones explain the body", () => {
    const { mesh } = makeSample("robot");
    const fitted = fitTemplate(mesh, "biped", meshDepth(mesh));
    expect(growChains(mesh, fitted)).toEqual({ skeleton: fitted, chains: [] });
  });

  test("sides of a pair mirror each other", () => {
    const { mesh } = makeSample("dancer");
    const { skeleton, chains } = growChains(mesh, fitTemplate(mesh, "biped", meshDepth(mesh)));
    const left = chains.filter(({ name }) => name.endsWith("_L"));
    expect(left.length).toBeGreaterThan(0);
    for (const { name, joints } of left) {
      const twin = chains.find((other) => other.name === name.replace(/_L$/, "_R"));
      if (!twin) continue;
      expect(twin.joints).toHaveLength(joints.length);
      const x = (joint: number) => skeleton.positions[joint * 3];
      const middles = joints.map((joint, i) => (x(joint) + x(twin.joints[i])) / 2);
      for (const middle of middles) expect(middle).toBeCloseTo(middles[0], 4);
    }
  });
});
