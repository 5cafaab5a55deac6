/**
 * Measures speed and memory of the networks on this machine's processor:
 *
 *     npm run bench network                   writes bench/results/network.csv
 *     npm run bench network -- --webgpu NAME  times training steps on the GPU called NAME, and adds
 *                                             them to bench/results/network-gpu.csv
 *
 * Each case runs in a separate process to measure its peak memory.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeSample } from "../samples/index.ts";
import { prepareCharacter } from "../src/character/prepare-character.ts";
import { subdivideTo } from "../src/character/subdivide-character.ts";
import { measureDistancesSync } from "../src/distance/measure.ts";
import { graphInputOf } from "../src/graph/graph-input.ts";
import type { GraphInput } from "../src/graph/skin-graph.ts";
import { batchFeeds } from "../src/learn/batch-feeds.ts";
import type { Sample } from "../src/learn/sample.ts";
import { stepFeeds } from "../src/learn/step.ts";
import { openSkinModel, runSkinModel } from "../src/methods/network.ts";
import { PRESETS } from "../src/network/presets.ts";
import type { Provider } from "../src/onnx/session.ts";
import { exportModel } from "../src/train/step/export-model.ts";
import { readParameters } from "../src/train/step/parameters.ts";
import { createTrainStep } from "../src/train/step/train-step.ts";
import { resizeSkeleton } from "./resize-skeleton.ts";
import { machineText, RESULTS_FOLDER, saveLines } from "./save-results.ts";

/** A case to time. */
interface Case {
  task: "inference" | "training step";
  /** Name of a preset; inference uses the parameters of the default model, exported again. */
  network: string;
  vertices: number;
  bones: number;
  threads: number;
  provider: Provider;
}

/** A case with its measurements. */
interface Row extends Case {
  /** Median of several runs. */
  seconds: number;
  /** Minimum processor time over all threads: independent of other load on the machine. */
  processor: number;
  /** Peak memory of the process, including the generation of the character. */
  megabytes: number;
}

type Times = Pick<Row, "seconds" | "processor">;

const MODELS: Record<string, string> = { default: "heterskin", paper: "paper" };
const HEADER = "task,network,vertices,bones,threads,seconds,processor seconds,megabytes";

const cpu = { threads: 2, provider: "cpu" as const };
const CASES: Case[] = [
  ...["default", "paper"].flatMap((network): Case[] => [
    { task: "inference", network, vertices: 4096, bones: 32, ...cpu },
    { task: "inference", network, vertices: 100_000, bones: 64, ...cpu },
    { task: "training step", network, vertices: 4096, bones: 32, ...cpu },
    // A single thread does not spin while it waits, so this is the minimum processor time.
    { task: "inference", network, vertices: 4096, bones: 32, ...cpu, threads: 1 },
    { task: "training step", network, vertices: 4096, bones: 32, ...cpu, threads: 1 },
  ]),
];

const GPU_CASES: Case[] = ["default", "paper"].flatMap((network) =>
  [4096, 8192, 16384].map(
    (vertices): Case => ({
      task: "training step",
      network,
      vertices,
      bones: 64,
      threads: 0,
      provider: "webgpu",
    }),
  ),
);

/** The dancer with about as many vertices and bones, measured as the preset requires. */
async function measuredDancer({ network, vertices, bones }: Case): Promise<GraphInput> {
  const { character } = prepareCharacter(makeSample("dancer"));
  const { measure, graph } = PRESETS[network];
  const mesh =
    character.mesh.positions.length / 3 < vertices
      ? subdivideTo(character.mesh, vertices).mesh
      : firstVertices(character.mesh, vertices);
  const skeleton = resizeSkeleton(character.skeleton, bones);
  const resized = { mesh, skeleton };
  const { distance, variant, tails, resolution } = measure;
  const options = { distance, variant, tails, resolution, k: graph.k };
  return graphInputOf(resized, measureDistancesSync(resized, options), measure, graph);
}

function firstVertices(mesh: GraphInput["mesh"], count: number): GraphInput["mesh"] {
  const triangles: number[] = [];
  for (let face = 0; face < mesh.triangles.length; face += 3) {
    const corners = [...mesh.triangles.subarray(face, face + 3)];
    if (corners.every((vertex) => vertex < count)) triangles.push(...corners);
  }
  return {
    positions: mesh.positions.slice(0, count * 3),
    triangles: Uint32Array.from(triangles),
  };
}

async function timeInference(test: Case, input: GraphInput): Promise<Times> {
  const file = new URL(`../models/${MODELS[test.network]}.onnx`, import.meta.url);
  const { provider, threads } = test;
  const { config, parameters } = await readParameters(new Uint8Array(readFileSync(file)));
  const model = await openSkinModel(await exportModel(config, parameters), { provider, threads });
  return times(test.vertices > 50_000 ? 3 : 9, async () => {
    await runSkinModel(model, input);
  });
}

async function timeStep(test: Case, input: GraphInput): Promise<Times> {
  const { provider, threads } = test;
  const config = PRESETS[test.network];
  const V = input.mesh.positions.length / 3;
  const labels = Float32Array.from(input.distances.bones, (_, i) =>
    i % input.distances.k === 0 ? 1 : 0,
  );
  const sample: Sample = { input, labels, counts: new Uint16Array(V).fill(1) };
  const trainStep = await createTrainStep(config, { provider, threads, seed: 1 });
  const batch = batchFeeds([sample], config, trainStep.dropoutWidths, "bench");
  const feeds = stepFeeds(batch, trainStep);
  let step = 0;
  return times(9, async () => {
    step++;
    await trainStep.step(feeds, { learningRate: 1e-4, weightDecay: 0, averageSteps: 100, step });
  });
}

/** Seconds of `count` runs after a warm-up. */
async function times(count: number, run: () => Promise<void>): Promise<Times> {
  await run();
  const seconds: number[] = [];
  let processor = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    processor = Math.min(processor, (user + system) / 1e6);
    seconds.push((performance.now() - start) / 1000);
  }
  seconds.sort((a, b) => a - b);
  return { seconds: seconds[count >> 1], processor };
}

async function measure(test: Case): Promise<Row> {
  const input = await measuredDancer(test);
  const taken =
    test.task === "inference" ? await timeInference(test, input) : await timeStep(test, input);
  return {
    ...test,
    ...taken,
    vertices: input.mesh.positions.length / 3,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** Runs a case in a separate process. */
function measureApart(test: Case): Row {
  const file = fileURLToPath(import.meta.url);
  const args = ["--import", "tsx", file, "--case", JSON.stringify(test)];
  const row = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Row;
  const { task, network, vertices, bones, threads, seconds, processor, megabytes } = row;
  console.log(
    `${`${task}, ${network}`.padEnd(26)}${vertices} vertices, ${bones} bones, ${threads} threads: ` +
      `${seconds.toFixed(3)} s (${processor.toFixed(3)} s of processor), ${megabytes.toFixed(0)} MB`,
  );
  return row;
}

function line(row: Row): string {
  const { task, network, vertices, bones, threads, seconds, processor, megabytes } = row;
  const measured = [seconds.toFixed(3), processor.toFixed(3), megabytes.toFixed(0)];
  return [task, network, vertices, bones, threads, ...measured].join(",");
}

const [flag, value] = process.argv.slice(2);
if (flag === "--case") {
  console.log(JSON.stringify(await measure(JSON.parse(value) as Case)));
  process.exit();
} else if (flag === "--webgpu") {
  const rows = GPU_CASES.map(measureApart);
  const lines = rows.map(
    (row) =>
      `${value ?? "unnamed GPU"},${row.task},${row.network},${row.vertices},${row.seconds.toFixed(3)},`,
  );
  appendFileSync(path.join(RESULTS_FOLDER, "network-gpu.csv"), `${lines.join("\n")}\n`);
} else {
  // Under load, processor time is more reliable than seconds.
  const load = `load ${loadavg()[0].toFixed(1)} before the first case`;
  const machine = `${machineText()}, ${load}`;
  const rows = CASES.map(measureApart);
  saveLines("network.csv", [`# ${machine}`, HEADER, ...rows.map(line)]);
}
