/** Every front end computes the same weights for the same character and options. */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile, writeCharacterFile } from "../src/disk/character-files.ts";
import { adaptFiles } from "../src/files/adapt-files.ts";
import { loadModel } from "../src/files/model-files.ts";
import { transferWeights } from "../src/finish/transfer-weights.ts";
import { fix } from "../src/fix.ts";
import { fileFromCharacter } from "../src/formats/file-from-character.ts";
import { readCharacter } from "../src/formats/index.ts";
import { refine } from "../src/refine.ts";
import { createApi } from "../src/serve/api/create-api.ts";
import { createLocalRunner } from "../src/serve/api/jobs.ts";
import { API_LIMITS } from "../src/serve/api/limits.ts";
import { createPageServer } from "../src/serve/page-server.ts";
import { type SkinOptions, skin } from "../src/skin.ts";
import { transfer } from "../src/transfer.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";
import { largestDifference } from "./helpers/largest-difference.ts";
import { runCli, useOneFolder } from "./helpers/run-cli.ts";
import { useShortLearning } from "./helpers/short-learning.ts";
import { smallSample } from "./helpers/small-sample.ts";
import { characterLine, startWorkerHere, weightsIn } from "./helpers/worker-here.ts";

useShortLearning();

const folder = useOneFolder();
const worker = startWorkerHere();
/** As every front end reads them from their files. */
const characters: Record<string, Character> = {};
let model: Uint8Array;

beforeAll(async () => {
  vi.stubEnv("XDG_CACHE_HOME", folder.at("cache"));
  mkdirSync(folder.at("in"));
  for (const name of ["fish", "mushroom"]) {
    const character = await smallSample(name);
    const file = folder.at(`in/${name}.glb`);
    await writeCharacterFile(file, fileFromCharacter(character), character.weights!);
    characters[name] = (await readCharacterFile(file)).character;
  }
  model = (await loadModel("network", undefined))!;
});
afterAll(() => void vi.unstubAllEnvs());

const input = (name: string) => folder.at(`in/${name}.glb`);

async function fileWeights(file: string): Promise<SkinWeights> {
  return (await readCharacterFile(file)).character.weights!;
}

/** An option as words of a command line: `maxInfluences: 8` becomes `--max-influences 8`. */
function words(options: Record<string, unknown>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    if (value === false) return [`--no-${flag}`];
    if (value === true) return [`--${flag}`];
    return [`--${flag}`, Array.isArray(value) ? value.join(",") : `${value}`];
  });
}

let runs = 0;
async function throughCli(verb: string, ...argv: string[]): Promise<SkinWeights> {
  const out = folder.at(`cli-${runs++}.glb`);
  const positional = argv.findIndex((word) => word.startsWith("--"));
  const at = positional < 0 ? argv.length : positional;
  const run = await runCli(verb, ...argv.slice(0, at), out, ...argv.slice(at));
  expect(run.stderr.replace(/^note: .*\n/gm, "")).toBe("");
  return fileWeights(out);
}

async function throughBatch(name: string, ...argv: string[]): Promise<SkinWeights> {
  const out = folder.at(`batch-${runs++}`);
  const list = folder.at(`list-${runs}.txt`);
  writeFileSync(list, `${name}.glb\n`);
  const usual = ["--jobs", "1", "--list", list];
  const { status, stderr } = await runCli("batch", folder.at("in"), out, ...usual, ...argv);
  expect([status, stderr.replace(/^note: .*\n/gm, "")]).toEqual([0, ""]);
  return fileWeights(path.join(out, `${name}.glb`));
}

/** Sends a file to an endpoint of the service; a transfer is from an uploaded file. */
async function throughApi(
  endpoint: string,
  file: string,
  options: Record<string, unknown>,
  source?: string,
): Promise<SkinWeights> {
  const jobs = folder.at(`jobs-${runs++}`);
  mkdirSync(jobs);
  const api = createApi({
    folder: jobs,
    runner: createLocalRunner(1),
    limits: API_LIMITS,
    tokens: [],
  });
  const server = createPageServer([], { api });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const post = (route: string, sent: string, options: Record<string, unknown>) => {
      const entries = Object.entries({ name: path.basename(sent), ...options });
      const query = new URLSearchParams(entries.map(([key, value]) => [key, `${value}`]));
      const body = new Uint8Array(readFileSync(sent));
      return fetch(`${address}/api/${route}?${query}`, { method: "POST", body });
    };
    const uploaded = source && (await (await post("files", source, {})).json());
    const from = uploaded ? { from: `file:${uploaded.id}` } : {};
    const made = await post(endpoint, file, { ...options, ...from });
    expect(made.status, await made.clone().text()).toBe(202);
    const job = `${address}${made.headers.get("location")}`;
    await (await fetch(`${job}/events`)).text();
    const answer = await fetch(`${job}/result`);
    expect(answer.status).toBe(200);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return (await readCharacter({ name: "result.glb", bytes })).character.weights!;
  } finally {
    server.closeAllConnections();
    server.close();
    await api.close();
  }
}

describe("every front end computes the same bind", { timeout: 240_000 }, () => {
  const cases: [string, string, Record<string, unknown>][] = [
    ["fish", "by default", {}],
    ["fish", "by another model", { model: "permissive" }],
    ["mushroom", "by default", {}],
    ["fish", "with other options", { maxInfluences: 8, smooth: 2, prune: 0.05, adapt: 0.2 }],
    ["fish", "by heat, without symmetry", { method: "heat", symmetry: false, exclude: ["tail*"] }],
    [
      "fish",
      "with locks",
      { lock: ["tail*"], keepExisting: false, rigidIslands: true, blend: 0.4 },
    ],
  ];
  test.each(cases)("%s, %s", async (name, _, options) => {
    const other = options.model ? await loadModel("network", `${options.model}`) : model;
    const used = options.method ? {} : { model: other };
    const { weights } = await skin(characters[name], { ...(options as SkinOptions), ...used });
    const { keepExisting: __, ...typed } = options;
    const others = {
      cli: await throughCli("bind", input(name), ...words(typed)),
      batch: await throughBatch(name, ...words(typed)),
      api: await throughApi("jobs", input(name), options),
      worker: await worker.weights({ do: "bind", ...characterLine(characters[name]), options }),
    };
    for (const [door, found] of Object.entries(others)) {
      expect(largestDifference(found, weights), door).toBeLessThan(1e-6);
    }
  });

  test.each([
    ["fish", "a character that is kin to the example"],
    ["mushroom", "a character unrelated to the example"],
  ])("%s, %s", async (name) => {
    const { model: adapted } = await adaptFiles([input("fish")], model, {});
    const { weights } = await skin(characters[name], { model, adapted });
    const plain = await skin(characters[name], { model });
    expect(largestDifference(plain.weights, weights)).toBeGreaterThan(1e-3);
    const like = ["--like", input("fish")];
    const line = characterLine(characters[name]);
    const others = {
      cli: await throughCli("bind", input(name), ...like),
      batch: await throughBatch(name, ...like),
      "worker, by file": await worker.weights({
        do: "bind",
        ...line,
        like: [{ file: input("fish") }],
      }),
    };
    for (const [door, found] of Object.entries(others)) {
      expect(largestDifference(found, weights), door).toBeLessThan(1e-6);
    }
  });
});

test("every front end computes the same refine", { timeout: 240_000 }, async () => {
  // Weight on a distant joint, so that there is something to refine.
  const { weights: own, ...bare } = characters.fish;
  const dirty = { ...own!, weights: own!.weights.slice(), joints: own!.joints.slice() };
  const { influences } = dirty;
  const far = bare.skeleton.names.length - 1;
  for (let row = 0; row < dirty.weights.length; row += influences) {
    dirty.weights[row] *= 0.7;
    for (let slot = 1; slot < influences; slot++) dirty.weights[row + slot] *= 0.7;
    if (dirty.weights[row + influences - 1] === 0) dirty.joints[row + influences - 1] = far;
    dirty.weights[row + influences - 1] += 0.3;
  }
  const file = folder.at("dirty.glb");
  await writeCharacterFile(file, fileFromCharacter({ ...bare, weights: dirty }), dirty, {
    maxInfluences: influences,
  });
  const { character } = await readCharacterFile(file);
  for (const options of [{}, { maxInfluences: 2 }, { resolution: 40 }]) {
    const { weights, changed } = await refine(character, options);
    expect(changed).toBeGreaterThan(10);
    const line = characterLine(character, true);
    const others = {
      cli: await throughCli("refine", file, ...words(options)),
      api: await throughApi("refine", file, options),
      worker: await worker.weights({ do: "refine", ...line, options }),
    };
    for (const [door, found] of Object.entries(others)) {
      expect(largestDifference(found, weights), door).toBeLessThan(1e-6);
    }
  }
});

test("command line and service fix the given findings", { timeout: 240_000 }, async () => {
  // The weights of a third of the vertices are on a wrong joint, which the poses show.
  const { weights: own, ...bare } = characters.fish;
  const wrong = { ...own!, weights: own!.weights.slice(), joints: own!.joints.slice() };
  for (let v = 0; v < wrong.weights.length / wrong.influences; v += 3) {
    const row = v * wrong.influences;
    wrong.weights.fill(0, row, row + wrong.influences).fill(1, row, row + 1);
    wrong.joints[row] = bare.skeleton.names.length - 1;
  }
  const file = folder.at("wrong.glb");
  await writeCharacterFile(file, fileFromCharacter({ ...bare, weights: wrong }), wrong);
  const { character } = await readCharacterFile(file);
  const { weights, remedies } = await fix(character, { findings: [1] });
  expect(remedies).toHaveLength(1);
  const others = {
    cli: await throughCli("fix", file, "--finding", "1"),
    api: await throughApi("fix", file, { finding: "1" }),
  };
  for (const [door, found] of Object.entries(others)) {
    expect(largestDifference(found, weights), door).toBeLessThan(1e-6);
  }
});

test("every front end computes the same transfer and prunes small weights", {
  timeout: 240_000,
}, async () => {
  const source = characters.fish;
  // Soft rows with weights that pruning drops.
  const { influences, joints, weights: values } = source.weights!;
  const soft = values.slice();
  for (let row = 0; row < soft.length; row += influences) {
    soft[row] -= 0.004;
    soft[row + influences - 1] += 0.004;
    if (values[row + influences - 1] === 0) joints[row + influences - 1] = (joints[row] + 1) % 5;
  }
  const file = folder.at("soft.glb");
  const painted = { influences, joints, weights: soft };
  await writeCharacterFile(file, fileFromCharacter({ ...source, weights: painted }), painted, {
    maxInfluences: influences,
  });
  const { character } = await readCharacterFile(file);
  for (const options of [{}, { prune: 0, maxInfluences: 8 }, { distance: 0.1, angle: 60 }]) {
    const { weights } = await transfer(character, character.mesh, options);
    const others = {
      cli: await throughCli("transfer", file, input("fish"), ...words(options)),
      api: await throughApi("transfer", input("fish"), options, file),
      worker: await worker.weights({
        do: "transfer",
        from: characterLine(character, true),
        mesh: characterLine(character).mesh,
        options,
      }),
    };
    for (const [door, found] of Object.entries(others)) {
      expect(largestDifference(found, weights), door).toBeLessThan(1e-6);
    }
  }
  const trimmed = await transfer(character, character.mesh);
  const kept = await transfer(character, character.mesh, { prune: 0, maxInfluences: 8 });
  expect(largestDifference(trimmed.weights, kept.weights)).toBeGreaterThan(1e-3);
});

test("every front end refuses an unknown option", async () => {
  const wrong = { colour: 3 };
  const [{ fish }, file] = [characters, fileFromCharacter(characters.fish)];
  const doors: (() => unknown)[] = [
    () => skin(fish, wrong as never),
    () => refine(fish, wrong as never),
    () => fix(fish, wrong as never),
    () => transfer(fish, fish.mesh, wrong as never),
    () => transferWeights(fish, fish.mesh, wrong as never),
    () => readCharacterFile(input("fish"), wrong as never),
    () => writeCharacterFile(folder.at("none.glb"), file, fish.weights!, wrong as never),
  ];
  for (const door of doors) {
    await expect(async () => door()).rejects.toThrow('no option "colour"');
  }
  const { error } = await worker.request({
    do: "bind",
    ...characterLine(characters.fish),
    options: wrong,
  });
  expect(error.message).toBe('There is no option "colour".');
  expect((await runCli("bind", input("fish"), "--colour", "3")).stderr).toContain(
    "no option --colour",
  );
});

test("every front end refuses a value out of bounds in the same words", async () => {
  const wrong = { adapt: 1 };
  const words = "must be a number from 0 to 0.99, got 1.";
  await expect(skin(characters.fish, wrong)).rejects.toThrow(`adapt ${words}`);
  const { error } = await worker.request({
    do: "bind",
    ...characterLine(characters.fish),
    options: wrong,
  });
  expect(error.message).toBe(`adapt ${words}`);
  expect((await runCli("bind", input("fish"), "--adapt", "1")).stderr).toContain(
    `--adapt ${words}`,
  );
});

test("the worker's weights are read back as sent", async () => {
  const { result } = await worker.request({
    do: "bind",
    ...characterLine(characters.fish),
    options: { method: "heat" },
  });
  expect(weightsIn(result).weights.length).toBe(
    (result.influences * characters.fish.mesh.positions.length) / 3,
  );
});
