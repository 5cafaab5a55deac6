import { nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import { beforeAll, expect, test } from "vitest";
import { type Arrays, expectClose, toJax } from "../../test/helpers/compare-with-jax.ts";
import { exportFunction, type TensorSpec } from "../compile/export-function.ts";
import { startJax } from "../compile/jax.ts";
import { reverseList } from "../compile/reverse-list.ts";
import { createRandom } from "../math/random.ts";
import { createStepper } from "./resident-step.ts";
import { floatTensor, type HostTensor, hostTensor, scalarTensor } from "./runtime.ts";
import { createSession } from "./session.ts";

const SHAPES: Record<string, number[]> = { W1: [4, 8], b1: [8], W2: [16, 3], b2: [3] };
const NAMES = Object.keys(SHAPES);
const DATA: Record<string, TensorSpec> = {
  x: { dtype: "float32", shape: ["V", 4] },
  near: { dtype: "int32", shape: ["V", 3] },
  target: { dtype: "float32", shape: ["V", 3] },
  perVertex: { dtype: "float32", shape: [] },
};
const V = 23;

/** A two-layer network with neighbor maxima: cross-entropy to a target distribution. */
function loss(p: Arrays, { x, near, target, perVertex }: Arrays): np.Array {
  const own = nn.leakyRelu(np.matmul(x!, p.W1!).add(p.b1!), 0.2);
  const around = np.max(np.take(own.ref, near!, 0), 1);
  const logits = np.matmul(np.concatenate([own, around], 1), p.W2!).add(p.b2!);
  return np.sum(nn.logSoftmax(logits, -1).mul(target!)).mul(perVertex!).mul(-1);
}

const group = (arrays: Arrays, prefix: string): Arrays =>
  Object.fromEntries(NAMES.map((name) => [name, arrays[`${prefix}.${name}`]!]));

/** One step of Adam (Kingma and Ba 2015) with rate 0.05; `scale` is 1 - 0.9^t and 1 - 0.999^t. */
function adamStep(arrays: Arrays): Arrays {
  const { x, near, target, perVertex, scale1, scale2 } = arrays;
  const p = group(arrays, "p");
  const kept = Object.fromEntries(NAMES.map((name) => [name, p[name]!.ref]));
  const [value, gradient] = valueAndGrad(loss)(p, {
    x: x!,
    near: near!,
    target: target!,
    perVertex: perVertex!,
  }) as unknown as [np.Array, Arrays];
  const results: Arrays = { loss: value };
  for (const name of NAMES) {
    const g = gradient[name]!;
    const m = arrays[`m.${name}`]!.mul(0.9).add(g.ref.mul(0.1));
    const v = arrays[`v.${name}`]!.mul(0.999).add(np.square(g).mul(0.001));
    const root = np.sqrt(v.ref.div(scale2!.ref)).add(1e-8);
    results[`next.p.${name}`] = kept[name]!.sub(m.ref.div(scale1!.ref).div(root).mul(0.05));
    results[`next.m.${name}`] = m;
    results[`next.v.${name}`] = v;
  }
  return results;
}

function stepGraph() {
  const inputs: Record<string, TensorSpec> = { ...DATA };
  for (const name of ["scale1", "scale2"]) inputs[name] = { dtype: "float32", shape: [] };
  const stateOutputs: Record<string, string> = {};
  for (const kind of ["p", "m", "v"]) {
    for (const name of NAMES) {
      inputs[`${kind}.${name}`] = { dtype: "float32", shape: SHAPES[name]! };
      stateOutputs[`next.${kind}.${name}`] = `${kind}.${name}`;
    }
  }
  return { graph: exportFunction({ fn: adamStep, inputs }), stateOutputs };
}

function randomData(seed: number) {
  const random = createRandom(seed);
  const floats = (size: number) => Float32Array.from({ length: size }, () => 2 * random() - 1);
  const near = Int32Array.from({ length: V * 3 }, () => Math.floor(random() * V));
  const target = floats(V * 3).map(Math.abs);
  const parameters = Object.fromEntries(
    NAMES.map((name) => [
      name,
      floatTensor(floats(SHAPES[name]!.reduce((a, b) => a * b)), SHAPES[name]!),
    ]),
  );
  const data: Record<string, HostTensor> = {
    x: floatTensor(floats(V * 4), [V, 4]),
    near: hostTensor(near, [V, 3]),
    target: floatTensor(target, [V, 3]),
    perVertex: scalarTensor(1 / V),
  };
  const { data: slots, degree } = reverseList(near, V);
  return { parameters, data, reverse: hostTensor(slots, [V, degree]) };
}

function startState(parameters: Record<string, HostTensor>): Record<string, HostTensor> {
  const state: Record<string, HostTensor> = {};
  for (const name of NAMES) {
    state[`p.${name}`] = parameters[name]!;
    for (const kind of ["m", "v"]) {
      state[`${kind}.${name}`] = floatTensor(
        new Float32Array(parameters[name]!.data.length),
        SHAPES[name]!,
      );
    }
  }
  return state;
}

const scales = (step: number) => ({
  scale1: scalarTensor(1 - 0.9 ** step),
  scale2: scalarTensor(1 - 0.999 ** step),
});

beforeAll(startJax);

test("five steps of Adam in the graph equal five steps in jax-js", async () => {
  const { graph, stateOutputs } = stepGraph();
  const { parameters, data, reverse } = randomData(1);
  const stepper = await createStepper(graph.model, { stateOutputs, provider: "cpu", threads: 1 });
  let state = startState(parameters);
  stepper.setState(state);
  const losses: number[] = [];
  for (let step = 1; step <= 5; step++) {
    const got = await stepper.step({ ...data, ...scales(step), "near.reverse": reverse });
    expect(Object.keys(got)).toEqual(["loss"]);
    losses.push(got.loss!.data[0]!);
    const hosted = { ...state, ...data, ...scales(step) };
    const want = adamStep(
      Object.fromEntries(Object.entries(hosted).map(([name, tensor]) => [name, toJax(tensor)])),
    );
    expectClose(`loss ${step}`, got.loss!, want.loss!);
    state = await stepper.getState();
    for (const [output, input] of Object.entries(stateOutputs)) {
      expectClose(`${input} after ${step}`, state[input]!, want[output]!);
    }
  }
  expect(losses[4]!).toBeLessThan(losses[0]! - 0.1);
  await stepper.dispose();
});

test("the same steps twice produce the same bits", async () => {
  const { graph, stateOutputs } = stepGraph();
  const { parameters, data, reverse } = randomData(2);
  const stepper = await createStepper(graph.model, { stateOutputs, provider: "cpu", threads: 2 });
  const runs: Record<string, HostTensor>[] = [];
  for (let run = 0; run < 2; run++) {
    stepper.setState(startState(parameters));
    for (let step = 1; step <= 3; step++) {
      await stepper.step({ ...data, ...scales(step), "near.reverse": reverse });
    }
    runs.push(await stepper.getState());
  }
  expect(runs[1]).toEqual(runs[0]);
  await stepper.dispose();
});

test("a step without its state reports the missing state", async () => {
  const { graph, stateOutputs } = stepGraph();
  const stepper = await createStepper(graph.model, { stateOutputs, provider: "cpu" });
  await expect(stepper.step({})).rejects.toThrow('"p.W1" has not been set');
  await stepper.dispose();
});

test("exported gradients predict the change of the loss along random directions", async () => {
  const parameterSpecs = Object.fromEntries(
    NAMES.map((name) => [name, { dtype: "float32", shape: SHAPES[name]! } as TensorSpec]),
  );
  const inputs = { ...parameterSpecs, ...DATA };
  const graph = exportFunction({
    inputs,
    fn: (arrays) => {
      const p = Object.fromEntries(NAMES.map((name) => [name, arrays[name]!]));
      const data = Object.fromEntries(Object.keys(DATA).map((name) => [name, arrays[name]!]));
      const [value, gradient] = valueAndGrad(loss)(p, data) as unknown as [np.Array, Arrays];
      return {
        loss: value,
        ...Object.fromEntries(NAMES.map((name) => [`d_${name}`, gradient[name]!])),
      };
    },
  });
  const session = await createSession(graph.model, { threads: 1 });
  for (let seed = 10; seed < 20; seed++) {
    const { parameters, data, reverse } = randomData(seed);
    const random = createRandom(seed + 1000);
    const direction = NAMES.map((name) => parameters[name]!.data.map(() => 2 * random() - 1));
    const at = async (step: number) => {
      const moved = NAMES.map((name, k) => {
        const values = parameters[name]!.data as Float32Array;
        const data = values.map((value, i) => value + step * direction[k]![i]!);
        return [name, floatTensor(data, SHAPES[name]!)] as const;
      });
      return session.run({ ...Object.fromEntries(moved), ...data, "near.reverse": reverse });
    };
    const here = await at(0);
    let slope = 0;
    NAMES.forEach((name, k) => {
      here[`d_${name}`]!.data.forEach((value, i) => {
        slope += value * direction[k]![i]!;
      });
    });
    // Large enough for float32, small enough that hardly any neighbor maximum changes its argument.
    const h = 2e-3;
    const [ahead, behind] = [await at(h), await at(-h)];
    const measured = (ahead.loss!.data[0]! - behind.loss!.data[0]!) / (2 * h);
    expect(Math.abs(measured - slope), `seed ${seed}: ${measured} against ${slope}`).toBeLessThan(
      0.01 * Math.max(1, Math.abs(slope)),
    );
  }
  await session.dispose();
});
