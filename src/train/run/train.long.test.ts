import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleCharacter } from "../../../test/helpers/example-character.ts";
import { SAMPLE_DEFAULTS } from "../../learn/sample-settings.ts";
import { fromHalf, toHalf } from "../../math/half-float.ts";
import { PRESETS } from "../../network/presets.ts";
import { createSession } from "../../onnx/session.ts";
import { PackWriter } from "../data/pack.ts";
import { prepare } from "../data/prepare.ts";
import { readParameters } from "../step/parameters.ts";
import { loadCheckpoint } from "./checkpoint.ts";
import { checkpointPath } from "./loop.ts";
import { readRunLog } from "./run-log.ts";
import { exportRun } from "./run-record.ts";

const STEPS = 24;
const PROGRAM = new URL("../../cli/program.ts", import.meta.url).href;
let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "train-"));
  const writer = new PackWriter();
  for (let i = 0; i < 6; i++) {
    writer.add(exampleCharacter(`tube${i}`, 8 + i, 3 + (i % 3)), i < 5 ? "train" : "val");
  }
  const pack = path.join(folder, "characters.pack");
  writeFileSync(pack, writer.finish());
  const settings = { ...SAMPLE_DEFAULTS, variants: 1, measure: PRESETS.default.measure };
  await prepare(pack, path.join(folder, "cache"), { settings, jobs: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a run killed twice with SIGKILL and resumed ends like an uninterrupted one", async () => {
  const whole = path.join(folder, "whole");
  await ended(start(whole));
  const broken = path.join(folder, "broken");
  for (const step of [6, 14]) {
    const child = start(broken);
    await until(() => savedStep(broken) >= step || child.exitCode !== null);
    child.kill("SIGKILL");
    await ended(child);
    expect(savedStep(broken)).toBeLessThan(STEPS);
  }
  await ended(start(broken));
  const [a, b] = [whole, broken].map((run) => loadCheckpoint(checkpointPath(run, "last"))!);
  expect(b.progress.step).toBe(STEPS);
  expect(b.state).toEqual(a.state);
  expect(b.progress.best).toEqual(a.progress.best);
  const [scores, resumed] = [whole, broken].map(valCurve);
  expect(scores.length).toBeGreaterThan(2);
  expect(resumed).toEqual(scores);
  // The run has learned something, and left a model that can be opened and trained further.
  expect(scores.at(-1)!.l1).toBeLessThan(scores[0].l1);
  const model = new Uint8Array(readFileSync(path.join(broken, "model.onnx")));
  const best = loadCheckpoint(checkpointPath(broken, "best"))!;
  const stored = fromHalf(toHalf(best.state.average));
  expect((await readParameters(model)).parameters).toEqual(stored);
  await (await createSession(model, { provider: "cpu" })).dispose();
}, 240_000);

test("a network learns its teachers' outputs; one of another kind cannot teach it", async () => {
  const teacher = path.join(folder, "teacher");
  await ended(start(teacher));
  const model = path.join(teacher, "model.onnx");
  const taught = path.join(folder, "taught");
  await ended(
    start(taught, `--teachers ${model},${model} --seed 5 --steps 80`, ",teacher-share=1"),
  );
  const losses = readRunLog(path.join(taught, "log.jsonl"))
    .filter((entry) => "loss" in entry)
    .map(({ loss }) => loss as number);
  expect(losses).toHaveLength(4);
  expect(losses[3]).toBeLessThan(0.5 * losses[0]);
  const { options } = JSON.parse(readFileSync(path.join(taught, "run.json"), "utf8"));
  expect(options).toMatchObject({ teachers: 2, teacherShare: 1 });
  const refused = path.join(folder, "refused");
  await expect(ended(start(refused, `--teachers ${model} --set blocks=2`))).rejects.toThrow(
    /with 1/,
  );
  expect(existsSync(refused)).toBe(false);
}, 240_000);

test("the mean of two networks has the mean of their parameters", async () => {
  const first = path.join(folder, "first");
  await ended(start(first));
  const model = path.join(first, "model.onnx");
  const further = path.join(folder, "further");
  await ended(start(further, `--from ${model} --steps 8`));
  const { model: mean } = await exportRun(further, { which: "last", meanWith: [model] });
  const [a, b] = [
    (await readParameters(new Uint8Array(readFileSync(model)))).parameters,
    loadCheckpoint(checkpointPath(further, "last"))!.state.average,
  ];
  const half = fromHalf(toHalf(a.map((value, i) => (value + b[i]) / 2)));
  expect((await readParameters(mean)).parameters).toBeAllClose(half, 1e-3);
  expect(a).not.toEqual(b);
  const paper = path.resolve("models/paper.onnx");
  await expect(exportRun(further, { which: "last", meanWith: [paper] })).rejects.toThrow(
    /another architecture/,
  );
}, 240_000);

function start(run: string, more = "", runMore = ""): ChildProcess {
  const line = `train ${path.join(folder, "cache")} --out ${run} --steps ${STEPS} --device cpu
    --set blocks=1,vertex=8,bone=8,pair=8,global=8 --batch-vertices 160 --learning-rate 0.01
    --threads 1 --run batch-threads=0,validate-every=2,checkpoint-every=0,average-steps=5${runMore} --quiet ${more}`;
  const code = `import { main } from ${JSON.stringify(PROGRAM)};
    process.exitCode = await main(${JSON.stringify(line.trim().split(/\s+/))});`;
  const options = ["--import", "tsx", "--input-type=module", "--eval", code];
  // The program runs from its sources, and so must its processes.
  const { HETERSKIN_BUILD: _, ...env } = process.env;
  return spawn(process.execPath, options, { stdio: ["ignore", "ignore", "inherit"], env });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on("exit", (code, signal) => {
      if (code === 0 || signal === "SIGKILL") resolve();
      else reject(new Error(`the training ended with ${code}`));
    });
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

function savedStep(run: string): number {
  const file = checkpointPath(run, "last");
  return existsSync(file) ? loadCheckpoint(file)!.progress.step : 0;
}

function valCurve(run: string): { step: number; l1: number }[] {
  return readRunLog(path.join(run, "log.jsonl"))
    .filter((entry) => "val" in entry)
    .map(({ step, val }) => ({ step: step as number, l1: (val as { l1: number }).l1 }))
    .sort((a, b) => a.step - b.step);
}
