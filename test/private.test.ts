/** No command writes files other than the requested ones, and none opens a connection. */
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { COMMANDS } from "../src/cli/commands.ts";
import { objText } from "./helpers/obj-text.ts";
import { expectNothingLeft, useOfflineRuns } from "./helpers/offline-run.ts";
import { hasRedis, startRedis } from "./helpers/redis-server.ts";

const runs = useOfflineRuns();
const { at, run } = runs;
const a = () => at("in/a.glb");
const out = (name: string) => at(`out/${name}`);

/** Every command that terminates within seconds. */
const QUICK: Record<string, () => Promise<unknown>> = {
  batch: () => run("batch", at("in"), out("batch"), "--reports", "--pictures"),
  bind: () => run("bind", a(), out("a.glb"), "--picture", out("p.png")),
  blender: () => run("blender", at("out")),
  completion: () => run("completion", "bash"),
  evaluate: () => run("evaluate", at("in"), "--methods", "network,heat", "--jobs", "2"),
  fix: () => run("fix", a(), out("fixed.glb"), "--all"),
  inspect: () => run("inspect", a()),
  pack: () => run("pack", at("in"), out("all.pack")),
  prepare: () => run("prepare", at("in"), out("cache"), "--jobs", "1"),
  refine: () => run("refine", a(), out("clean.glb")),
  async rig() {
    writeFileSync(at("bare.obj"), objText(makeSample("fox").mesh));
    await run("rig", at("bare.obj"), out("walks.glb"), "--motion", "walk");
  },
  sample: () => run("sample", "fox", out("fox.glb")),
  transfer: () => run("transfer", a(), at("in/b.glb"), out("worn.glb")),
  worker: () => run("worker"),
};

/** Commands that run until they are stopped are below; those that learn are in private.long.test.ts. */
const OTHERS = ["farm", "serve", "adapt", "export", "train"];

describe("under a fresh home, without a network", { timeout: 240_000 }, () => {
  expectNothingLeft(runs);

  test("every command is run", () => {
    expect([...Object.keys(QUICK), ...OTHERS].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  test("the native library records nothing", async () => {
    await run("bind", a(), out("a.glb"), "--provider", "cpu", "--report", out("a.json"));
    expect(readdirSync(at("out")).sort()).toEqual(["a.glb", "a.json"]);
  });

  test("nor does WebAssembly", async () => {
    await run("bind", a(), out("a.glb"), "--provider", "wasm");
  });

  test.each(Object.entries(QUICK))("%s leaves no files", async (_, command) => {
    await command();
  });

  test("a piped bind leaves no files", async () => {
    const child = runs.start(["bind", "-", "-"]);
    child.stdin!.end(readFileSync(a()));
    child.stdout!.resume();
    expect(await once(child, "close")).toEqual([0, null]);
  });

  test("serve leaves no files after its end", async () => {
    const child = runs.start(["serve", "--api", "--port", "0"]);
    const ended = once(child, "close");
    const [said] = await Promise.race([once(child.stdout!, "data"), ended]);
    const jobs = `${said}`.trim().concat("api/jobs");
    const made = await fetch(`${jobs}?name=a.glb`, { method: "POST", body: readFileSync(a()) });
    const { id } = await made.json();
    await (await fetch(`${jobs}/${id}/events`)).text();
    expect(await (await fetch(`${jobs}/${id}`)).json()).toMatchObject({ state: "done" });
    child.kill("SIGTERM");
    await ended;
  });

  test.skipIf(!hasRedis())("a farm connects only to its Redis", async () => {
    const redis = await startRedis(at("."));
    try {
      const env = { ALLOWED_PORT: `${redis.port}` };
      for (const words of [
        ["submit", at("in"), at("out")],
        ["work", "--until-empty"],
        ["status"],
        ["summary", at("out")],
      ]) {
        const child = runs.start(["farm", ...words, "--redis", redis.url], env);
        child.stdout!.resume();
        child.stderr!.resume();
        expect(await once(child, "close"), words[0]).toEqual([0, null]);
      }
    } finally {
      await redis.kill();
    }
  });
});
