import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openQueue } from "../src/farm/queue.ts";
import { createFolderStore } from "../src/farm/store.ts";
import { submitStored } from "../src/farm/submit-folder.ts";
import { workFarm } from "../src/farm/work-farm.ts";
import { glbOf, tube } from "./helpers/odd-characters.ts";
import { hasRedis } from "./helpers/redis-server.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { type UsedRedis, useRedis } from "./helpers/use-redis.ts";

const folder = useFolder();
const METHOD = ["--method", "hollow"];

let redis: UsedRedis;

function writeInputs(count: number): void {
  mkdirSync(folder.at("in/a"), { recursive: true });
  for (let i = 0; i < count; i++) {
    writeFileSync(folder.at(`in/${i % 2 ? "a/" : ""}tube${i}.glb`), glbOf(tube(6 + i, 8, 2 + i)));
  }
  writeFileSync(folder.at("in/broken.glb"), "no GLB");
}

const farm = (...words: string[]) => runCli("farm", ...words, ...redis.flags);
const submit = (from: string, to: string, ...more: string[]) =>
  farm("submit", folder.at(from), folder.at(to), ...METHOD, "--jobs", "1", ...more);
const work = () => farm("work", "--jobs", "2", "--until-empty");

/** Every character below a folder with its bytes. */
function outputs(where: string): Record<string, string> {
  const files = readdirSync(folder.at(where), { recursive: true }).map(String).sort();
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith(".glb"))
      .map((file) => [file, readFileSync(path.join(folder.at(where), file), "base64")]),
  );
}

/** A summary without the columns that differ between runs. */
function summary(where: string) {
  const { rows, ...rest } = JSON.parse(readFileSync(folder.at(`${where}/summary.json`), "utf8"));
  return { ...rest, rows: rows.map(({ seconds: _, ...row }: { seconds: number }) => row) };
}

describe.skipIf(!hasRedis())("farm", { timeout: 240_000 }, () => {
  redis = useRedis();

  test("writes the bytes and the summary of batch, reports a bad file, and repeats nothing", async () => {
    writeInputs(5);
    await runCli("batch", folder.at("in"), folder.at("ref"), ...METHOD, "--jobs", "1");
    expect((await submit("in", "out")).stdout).toMatch(/^6 files submitted/);
    expect((await submit("in", "out")).stdout).toMatch(
      /^0 files submitted; 6 are queued or done already/,
    );
    const early = await farm("summary", folder.at("out"));
    expect(early.stderr).toMatch(/6 of 6 files are not done yet/);
    const worked = await work();
    expect(worked.stderr).toMatch(/^broken\.glb: /);
    const made = await farm("summary", folder.at("out"));
    expect(made.status).toBe(1);
    expect(outputs("out")).toEqual(outputs("ref"));
    expect(summary("out")).toEqual(summary("ref"));
    // One output is missing, and the input of another has changed.
    rmSync(folder.at("out/a/tube1.glb"));
    writeFileSync(folder.at("in/tube0.glb"), glbOf(tube(20, 8, 3)));
    expect((await submit("in", "out")).stdout).toMatch(
      /^2 files submitted; 4 are queued or done already/,
    );
    const state = JSON.parse((await farm("status", "--json")).stdout);
    expect(state.jobs).toEqual({ waiting: 2, active: 0, delayed: 0, done: 3, failed: 1 });
    expect(state.failures).toEqual([expect.objectContaining({ file: "broken.glb" })]);
    await work();
    await farm("summary", folder.at("out"));
    expect(
      summary("out")
        .rows.map((row: { file: string }) => row.file)
        .sort(),
    ).toEqual([...Object.keys(outputs("out")), "broken.glb"].sort());
    expect((await submit("in", "out")).stdout).toMatch(/^0 files submitted/);
  });

  test("cancels waiting jobs, takes patterns, and overwrites no file of other origin", async () => {
    writeInputs(4);
    expect((await submit("in/**/tube1*.glb", "out")).stdout).toMatch(/^1 files submitted/);
    expect((await submit("in/tube*.glb", "out")).stdout).toMatch(/^2 files submitted/);
    expect((await farm("cancel", folder.at("out"))).stdout).toMatch(/^3 waiting jobs/);
    await farm("summary", folder.at("out"));
    expect(summary("out").rows[0].error).toMatch(/its job was cancelled; submit it again/);
    writeFileSync(folder.at("out/tube2.glb"), "ours, though damaged");
    mkdirSync(folder.at("other"));
    writeFileSync(folder.at("other/tube2.glb"), "mine");
    expect((await submit("in", "other")).stderr).toMatch(/tube2\.glb: the file exists/);
    expect((await submit("in", "in")).stderr).toMatch(/need a separate folder/);
    expect((await submit("in/tube2.glb*", "out")).stdout).toMatch(/^1 files submitted/);
    expect((await farm("drain")).status).toBe(0);
    expect(JSON.parse((await farm("status", "--json")).stdout).isDrained).toBe(true);
    await farm("resume");
    await work();
    expect(outputs("out")["tube2.glb"]).not.toBe("ours, though damaged");
  });

  test("retries an internal error and then lists it; retry queues it again", async () => {
    writeInputs(0);
    rmSync(folder.at("in/broken.glb"));
    writeFileSync(folder.at("in/crash.glb"), glbOf(tube()));
    await submit("in", "out");
    const argv = ["farm", "work", "--jobs", "1", "--until-empty", ...redis.flags];
    const poison = new URL("farm/poison.mjs", import.meta.url).href;
    const child = spawn(process.execPath, ["bin/heterskin.js", ...argv], {
      env: { ...process.env, NODE_OPTIONS: `--import ${poison}` },
    });
    const said: string[] = [];
    child.stderr.on("data", (text) => said.push(`${text}`));
    await once(child, "exit");
    // Once, and not for every attempt.
    expect(said.join("")).toMatch(/^crash\.glb: Not bound: the worker process ended \(.*\)\.\n$/);
    const queue = await openQueue(redis.address);
    const [job] = await queue.getFailed();
    expect(job.attemptsMade).toBe(3);
    await queue.close();
    expect((await farm("retry")).stdout).toMatch(/^1 failed jobs/);
    await work();
    expect((await farm("summary", folder.at("out"))).stdout).toMatch(/^1 of 1 files bound/);
  });

  test("works on a store as on a disk", async () => {
    writeInputs(1);
    await runCli("batch", folder.at("in"), folder.at("ref"), ...METHOD, "--jobs", "1");
    const store = createFolderStore(folder.at("store"));
    await store.write("in/tube.glb", readFileSync(folder.at("in/tube0.glb")));
    const module = folder.at("store.mjs");
    writeFileSync(module, "export const createStore = () => globalThis.testStore;");
    Object.assign(globalThis, { testStore: store });
    const queue = await openQueue(redis.address);
    const bind = { method: "hollow" } as const;
    const send = (key: string) => {
      const character = { input: `in/${key}.glb`, output: `out/${key}.glb` };
      return submitStored(queue, store, [character], { bind, out: "out", attention: 0 });
    };
    const nowhere = { input: "in/tube.glb", output: "elsewhere/tube.glb" };
    await expect(submitStored(queue, store, [nowhere], { out: "out" })).rejects.toThrow(
      /does not have the prefix out/,
    );
    const ids = [...(await send("tube")), ...(await send("tube"))];
    expect(new Set(ids).size).toBe(1);
    expect(await queue.count()).toBe(1);
    await store.write("in/none.glb", new Uint8Array(9));
    await send("none");
    rmSync(folder.at("store/in/none.glb"));
    const early = await farm("summary", "out", "--store", module);
    expect(early.stderr).toMatch(/^heterskin: out: 2 of 2 files are not done yet/);
    await workFarm(redis.address, { jobs: 1, store, untilEmpty: true });
    expect((await queue.getFailed())[0].failedReason).toMatch(/does not have this key/);
    await queue.close();
    expect(await store.exists("out/none.glb")).toBe(false);
    expect(await store.exists("out/tube.glb.png")).toBe(true);
    // The summary of batch, with keys instead of paths.
    const made = await farm("summary", "out/", "--store", module);
    expect(made.stdout).toMatch(/^1 of 2 files bound, 1 to review; see out\/summary\.html and/);
    const { rows, ...facts } = summary("store/out");
    const { rows: same, ...wanted } = summary("ref");
    const options = { method: "hollow", threads: 1 };
    expect(facts).toEqual({ ...wanted, options, files: 2, attention: 0, attentive: 1 });
    expect(rows.map(({ error: _, ...row }: { error?: string }) => row)).toEqual([
      expect.objectContaining({ file: "in/none.glb", output: "none.glb", status: "failed" }),
      {
        ...same.find(({ file }: { file: string }) => file === "tube0.glb"),
        file: "in/tube.glb",
        output: "tube.glb",
      },
    ]);
    expect(rows[0].error).toMatch(/does not have this key/);
    expect(Buffer.from(await store.read("out/summary.html")).toString()).toContain("tube.glb.png");
    expect(Buffer.from(await store.read("out/summary.csv")).toString()).toContain("in/none.glb");
    const bytes = Buffer.from(await store.read("out/tube.glb")).toString("base64");
    expect(bytes).toBe(outputs("ref")["tube0.glb"]);
    await expect(store.read("../in/tube0.glb")).rejects.toThrow(/is not a key inside the store/);
  });
});

describe("a farm", () => {
  test.each([
    [["status", "--redis", "redis://127.0.0.1:1"], /no Redis answers there/],
    [["status", "--redis", "http://x"], /is not a Redis address/],
    [["status", "--name", "a b"], /is not a valid farm name/],
    [["stats"], /did you mean status\?/],
    [["submit", "in"], /An argument is missing/],
  ])("%j is refused in a sentence", async (words, sentence) => {
    const { status, stderr } = await runCli("farm", ...words);
    expect(status).toBe(1);
    expect(stderr).toMatch(sentence);
  });

  test("reports what to install if its packages are missing", () => {
    const deny = new URL("helpers/deny-packages.mjs", import.meta.url).href;
    const argv = ["--import", deny, "bin/heterskin.js", "farm", "status"];
    const env = { ...process.env, DENIED: "bullmq" };
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", env });
    expect(status).toBe(1);
    expect(stderr).toBe("heterskin: A farm needs two more packages: npm install bullmq ioredis.\n");
  });
});
