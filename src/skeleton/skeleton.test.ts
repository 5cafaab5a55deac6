import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { depthsAndSizes } from "./skeleton.ts";

test.each([1, 2, 3])("depths and sizes equal those of a walk to the root (seed %i)", (seed) => {
  const random = createRandom(seed);
  const J = 40;
  // Parents come before and after their children.
  const shuffled = Array.from({ length: J }, (_, i) => i).sort(() => random() - 0.5);
  const parents = new Int32Array(J).fill(-1);
  for (let i = 1; i < J; i++) {
    if (random() < 0.9) parents[shuffled[i]] = shuffled[Math.floor(random() * i)];
  }
  const { depth, size } = depthsAndSizes({
    names: [...parents.keys()].map(String),
    parents,
    positions: new Float32Array(J * 3),
  });
  const counted = new Int32Array(J);
  for (let joint = 0; joint < J; joint++) {
    let steps = 0;
    for (let at = joint; at >= 0; at = parents[at]) {
      counted[at]++;
      steps++;
    }
    expect(depth[joint]).toBe(steps - 1);
  }
  expect(size).toEqual(counted);
});
