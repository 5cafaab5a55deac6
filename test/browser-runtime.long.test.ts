import { readFileSync } from "node:fs";
import { nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import type { Character } from "../src/character/character.ts";
import { type ExportedGraph, exportFunction } from "../src/compile/export-function.ts";
import { startJax } from "../src/compile/jax.ts";
import { reduceMesh } from "../src/learn/reduce.ts";
import { createStepper } from "../src/onnx/resident-step.ts";
import type { HostTensor } from "../src/onnx/runtime.ts";
import { createSession, type Provider } from "../src/onnx/session.ts";
import { skin } from "../src/skin.ts";
import { type Arrays, type Case, randomFeeds } from "./helpers/compare-with-jax.ts";
import { type SourcePage, startSourcePage } from "./helpers/source-page.ts";

type OpenSession = typeof createSession;
type OpenStepper = typeof createStepper;

/** A small network with the operators of the large ones, its loss and its gradient. */
const network: Case = {
  inputs: {
    x: { dtype: "float32", shape: ["V", 6] },
    bones: { dtype: "float32", shape: ["B", 5] },
    near: { dtype: "int32", shape: ["V", 4] },
    top: { dtype: "int32", shape: ["V", 3] },
    W1: { dtype: "float32", shape: [6, 16] },
    W2: { dtype: "float32", shape: [21, 8] },
    W3: { dtype: "float32", shape: [8, 1] },
  },
  rows: { near: "V", top: "B" },
  fn: ({ x, near, top, ...parameters }) => {
    const weights = (p: Arrays): np.Array => {
      const V = x!.shape[0]!;
      const own = nn.leakyRelu(np.matmul(x!.ref, p.W1!), 0.2);
      const around = np.max(np.take(own, near!.ref, 0), 1).reshape([V, 1, 16]);
      const each = np.take(p.bones!, top!.ref, 0);
      const pairs = np.concatenate([np.broadcastTo(around, [V, 3, 16]), each], 2);
      const scores = np.matmul(nn.leakyRelu(np.matmul(pairs, p.W2!), 0.2), p.W3!);
      return nn.softmax(scores.reshape([V, 3]), -1);
    };
    const loss = (p: Arrays) => np.sum(np.square(weights(p)));
    const kept = Object.entries(parameters).map(([name, array]) => [name, array.ref] as const);
    const [value, gradient] = valueAndGrad(loss)(parameters) as unknown as [np.Array, Arrays];
    const named = Object.entries(gradient).map(([name, array]) => [`d_${name}`, array]);
    return { value, weights: weights(Object.fromEntries(kept)), ...Object.fromEntries(named) };
  },
};

let graph: ExportedGraph;
let pages: SourcePage;

beforeAll(async () => {
  await startJax();
  graph = exportFunction({ fn: network.fn as never, inputs: network.inputs });
  pages = await startSourcePage(SCRIPT, [
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
  ]);
});

afterAll(() => pages?.close());

const SCRIPT = `
  import { createSession } from "/src/onnx/session.ts";
  import { createStepper } from "/src/onnx/resident-step.ts";
  import { skin } from "/src/skin.ts";
  Object.assign(window, { createSession, createStepper, skin });`;

/** Our session as a page would load it, isolated so that WebAssembly may use threads. */
async function openPage(): Promise<Page> {
  const page = await pages.open("/isolated");
  await page.waitForFunction("window.skin");
  return page;
}

/** Runs the graph in the page; arrays are passed as plain lists. */
async function runInBrowser(provider: Provider, feeds: Record<string, HostTensor>) {
  const page = await openPage();
  const plain = Object.entries(feeds).map(
    ([name, { dtype, shape, data }]) => [name, dtype, shape, [...data]] as const,
  );
  const outputs = await page.evaluate(
    async ({ provider, model, plain }) => {
      const { createSession } = globalThis as never as { createSession: OpenSession };
      const session = await createSession(Uint8Array.from(model), { provider, threads: 2 });
      const feeds = plain.map(([name, dtype, shape, data]) => {
        const values = dtype === "int32" ? Int32Array.from(data) : Float32Array.from(data);
        return [name, { dtype, shape, data: values }] as const;
      });
      const results = await session.run(Object.fromEntries(feeds));
      const used = session.provider;
      await session.dispose();
      return {
        used,
        outputs: Object.entries(results).map(([name, { data }]) => [name, [...data]] as const),
      };
    },
    { provider, model: [...graph.model], plain },
  );
  await page.close();
  return outputs;
}

/** Gradient descent on sum((W x - 1)^2): two state tensors of different rank, and the loss. */
function descentStep(): ExportedGraph {
  return exportFunction({
    inputs: {
      x: { dtype: "float32", shape: ["V", 3] },
      W: { dtype: "float32", shape: [3, 2] },
      count: { dtype: "float32", shape: [] },
    },
    fn: ({ x, W, count }) => {
      const loss = (p: { W: np.Array }) => np.sum(np.square(np.matmul(x!.ref, p.W).sub(1)));
      const kept = W!.ref;
      const [value, gradient] = valueAndGrad(loss)({ W: W! }) as unknown as [np.Array, Arrays];
      const next = kept.sub(gradient.W!.mul(0.01));
      return { loss: value, "W.next": next, "count.next": count!.add(1) };
    },
  });
}

const DESCENT_STATE = { "W.next": "W", "count.next": "count" };

test("state that stays on the GPU between steps follows the same path as in Node", async () => {
  const { model } = descentStep();
  const x = { dtype: "float32" as const, shape: [4, 3], data: Float32Array.from(Array(12).keys()) };
  const start = {
    W: { dtype: "float32" as const, shape: [3, 2], data: new Float32Array(6) },
    count: { dtype: "float32" as const, shape: [], data: new Float32Array(1) },
  };
  x.data.forEach((value, i) => {
    x.data[i] = Math.sin(value);
  });
  const node = await createStepper(model, { stateOutputs: DESCENT_STATE, provider: "cpu" });
  node.setState(start);
  const losses: number[] = [];
  for (let step = 0; step < 3; step++) losses.push((await node.step({ x })).loss!.data[0]!);
  const want = await node.getState();
  await node.dispose();

  const page = await openPage();
  const got = await page.evaluate(
    async ({ model, x, stateOutputs }) => {
      const { createStepper: open } = globalThis as never as { createStepper: OpenStepper };
      const stepper = await open(Uint8Array.from(model), { stateOutputs, provider: "webgpu" });
      stepper.setState({
        W: { dtype: "float32", shape: [3, 2], data: new Float32Array(6) },
        count: { dtype: "float32", shape: [], data: new Float32Array(1) },
      });
      const feed = { dtype: "float32" as const, shape: [4, 3], data: Float32Array.from(x) };
      const losses: number[] = [];
      for (let step = 0; step < 3; step++) {
        losses.push((await stepper.step({ x: feed })).loss!.data[0]!);
      }
      const { W, count } = await stepper.getState();
      await stepper.dispose();
      return { losses, W: [...W!.data], count: [...count!.data] };
    },
    { model: [...model], x: [...x.data], stateOutputs: DESCENT_STATE },
  );
  await page.close();
  expect(got.count).toEqual([3]);
  expect(losses[2]!).toBeLessThan(losses[0]!);
  got.losses.forEach((loss, i) => {
    expect(loss).toBeCloseTo(losses[i]!, 4);
  });
  got.W.forEach((value, i) => {
    expect(value).toBeCloseTo(want.W!.data[i]!, 5);
  });
});

describe("ONNX Runtime in Chromium computes what it computes in Node", () => {
  for (const [provider, expected] of [
    ["wasm", "wasm"],
    ["webgpu", "webgpu"],
    ["auto", "webgpu"],
  ] as const) {
    test(provider, async () => {
      const { feeds } = randomFeeds(graph, network, { V: 37, B: 5 }, 3);
      const node = await createSession(graph.model, { provider: "cpu" });
      const want = await node.run(feeds);
      const { used, outputs } = await runInBrowser(provider, feeds);
      expect(used).toBe(expected);
      expect(outputs.map(([name]) => name).sort()).toEqual(Object.keys(want).sort());
      for (const [name, values] of outputs) {
        const scale = Math.max(...want[name]!.data.map(Math.abs));
        values.forEach((value, i) => {
          expect(Math.abs(value - want[name]!.data[i]!) / scale, name).toBeLessThan(1e-4);
        });
      }
      await node.dispose();
    });
  }

  test("a provider of Node is refused, and the message names those of the browser", async () => {
    await expect(runInBrowser("cpu", {})).rejects.toThrow("webgpu or wasm");
  });
});

describe("the shipped model computes the same weights in Chromium as in Node", () => {
  const file = "models/heterskin.onnx";
  // No pruning: only the network is compared.
  const options = { maxInfluences: 8, prune: 0, threads: 2 };
  let character: Character;
  let expected: Map<string, number>;

  beforeAll(async () => {
    // A software GPU is slow: just enough vertices for several parts and all bones.
    const { name, mesh, skeleton } = makeSample("mushroom");
    const { vertices, triangles } = await reduceMesh(mesh, 400);
    const positions = Float32Array.from({ length: vertices.length * 3 }, (_, i) => {
      return mesh.positions[vertices[Math.floor(i / 3)]! * 3 + (i % 3)]!;
    });
    character = { name, skeleton, mesh: { positions, triangles } };
    const model = new Uint8Array(readFileSync(new URL(`../${file}`, import.meta.url)));
    expected = dense((await skin(character, { ...options, model, provider: "cpu" })).weights);
  });

  test.each(["wasm", "webgpu"] as const)(
    "%s",
    async (provider) => {
      const { mesh, skeleton } = character;
      const page = await openPage();
      const got = await page.evaluate(
        async ({ provider, options, file, positions, triangles, names, parents, joints }) => {
          const { skin: skinHere } = globalThis as never as { skin: typeof skin };
          const model = new Uint8Array(await (await fetch(`/${file}`)).arrayBuffer());
          const { weights } = await skinHere(
            {
              name: "sample",
              mesh: {
                positions: Float32Array.from(positions),
                triangles: Uint32Array.from(triangles),
              },
              skeleton: {
                names,
                parents: Int32Array.from(parents),
                positions: Float32Array.from(joints),
              },
            },
            { ...options, model, provider },
          );
          const { influences, joints: bones, weights: values } = weights;
          return { influences, joints: [...bones], weights: [...values] };
        },
        {
          provider,
          options,
          file,
          positions: [...mesh.positions],
          triangles: [...mesh.triangles],
          names: skeleton.names,
          parents: [...skeleton.parents],
          joints: [...skeleton.positions],
        },
      );
      await page.close();
      const weights = dense(got);
      expect(weights.size).toBeGreaterThan(500);
      expect(differenceOf(weights, expected)).toBeLessThan(1e-4);
      // Mostly a software GPU that compiles shaders.
    },
    240_000,
  );
});

/** Weights by vertex and joint. */
function dense(rows: {
  influences: number;
  joints: ArrayLike<number>;
  weights: ArrayLike<number>;
}): Map<string, number> {
  const entries = Array.from(rows.weights, (weight, i): [string, number] => [
    `${Math.floor(i / rows.influences)}/${rows.joints[i]}`,
    weight,
  ]);
  return new Map(entries.filter(([, weight]) => weight > 0));
}

function differenceOf(a: Map<string, number>, b: Map<string, number>): number {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].reduce(
    (most, key) => Math.max(most, Math.abs((a.get(key) ?? 0) - (b.get(key) ?? 0))),
    0,
  );
}
