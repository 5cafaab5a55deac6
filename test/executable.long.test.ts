// Tests the executable for this platform without Node in the path.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { useOneFolder } from "./helpers/run-cli.ts";

const folder = useOneFolder();
const name = `heterskin-${process.platform}-${process.arch}`;
const exe = folder.at(name);
const env = {
  PATH: folder.at("none"),
  HOME: folder.at("home"),
  HETERSKIN_CACHE: folder.at("cache"),
};
const run = (...argv: string[]) => spawnSync(exe, argv, { env, encoding: "utf8" });

describe.skipIf(process.platform !== "linux")("the executable", { timeout: 300_000 }, () => {
  beforeAll(() => {
    execFileSync(process.execPath, ["scripts/app.mjs"]);
    const platform = `${process.platform}-${process.arch}`;
    const argv = ["scripts/executables.mjs", platform, "--out", folder.at(".")];
    execFileSync(process.execPath, argv, { stdio: "pipe" });
    mkdirSync(folder.at("home"));
    mkdirSync(folder.at("tmp"), { mode: 0o777 });
    chmodSync(folder.at("tmp"), 0o777);
  }, 300_000);

  test("binds as Node does", () => {
    expect(run("sample", "fox", folder.at("fox.glb")).stderr).toBe("");
    const bound = run("bind", folder.at("fox.glb"), folder.at("out.glb"), "--provider", "wasm");
    expect([bound.status, bound.stderr]).toEqual([0, ""]);
    const words = ["bind", folder.at("fox.glb"), folder.at("node.glb"), "--provider", "wasm"];
    execFileSync(process.execPath, ["bin/heterskin.js", ...words], { stdio: "pipe" });
    const [mine, nodes] = ["out.glb", "node.glb"].map((file) => readFileSync(folder.at(file)));
    expect(mine.equals(nodes)).toBe(true);
  });

  test("binds a folder in worker processes", () => {
    mkdirSync(folder.at("rigs"));
    for (const each of ["fox", "fish"]) run("sample", each, folder.at(`rigs/${each}.glb`));
    const batch = run("batch", folder.at("rigs"), folder.at("bound"), "--jobs", "2", "--json");
    expect(JSON.parse(batch.stdout)).toMatchObject({ done: 2, failed: 0 });
  });

  test("is a worker, and serves the page and the API", async () => {
    const request = `${JSON.stringify({ id: 1, do: "version" })}\n`;
    const worker = spawnSync(exe, ["worker"], { env, input: request, encoding: "utf8" });
    expect(worker.stdout).toContain('"ready":true');
    const server = spawn(exe, ["serve", "--api", "--port", "0"], { env });
    try {
      const [said] = await once(server.stdout, "data");
      const url = `${said}`.trim();
      expect(await (await fetch(url)).text()).toContain("<title>");
      const fox = new Uint8Array(readFileSync(folder.at("fox.glb")));
      const job = `${url}api/jobs`;
      const made = await fetch(`${job}?name=fox.glb`, { method: "POST", body: fox });
      const { id } = await made.json();
      await (await fetch(`${job}/${id}/events`)).text();
      expect(await (await fetch(`${job}/${id}`)).json()).toMatchObject({ state: "done" });
    } finally {
      server.kill();
    }
  });

  test.skipIf(process.getuid?.() !== 0)("runs for a user without a home or a name", () => {
    chmodSync(folder.at("."), 0o755);
    const { status, stdout, stderr } = spawnSync(exe, ["--version"], {
      env: { PATH: folder.at("none"), TMPDIR: folder.at("tmp") },
      uid: 54321,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const own = path.join(folder.at("tmp"), "heterskin-54321");
    expect(statSync(own).mode & 0o777).toBe(0o700);
    chmodSync(own, 0o777);
    const shared = spawnSync(exe, ["--version"], {
      env: { PATH: folder.at("none"), TMPDIR: folder.at("tmp") },
      uid: 54321,
      encoding: "utf8",
    });
    expect(shared.stderr).toMatch(/other users can write to/);
  });

  test("packs the Blender zip with itself inside, and unpacks it once", () => {
    const made = run("blender", folder.at("zip"), "--with-executable", "--json");
    expect(made.status, made.stdout).toBe(0);
    const zip = new Uint8Array(readFileSync(path.join(folder.at("zip"), "heterskin-blender.zip")));
    const names = Object.keys(unzipSync(zip, { filter: () => true }));
    expect(names).toContain("heterskin/executable/heterskin");
    expect(names).toContain("heterskin/__init__.py");
    // Next to the code that Node has compiled.
    const unpacked = readdirSync(folder.at("cache")).filter((each) => each !== "code");
    expect(unpacked).toHaveLength(1);
  });
});
