/** No command leaves a file anywhere but where it was asked to, and none opens a connection. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { glbOf, tube } from "./helpers/odd-characters.ts";
import { useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();
beforeEach(() => {
  for (const name of ["home", "tmp", "in", "out"]) mkdirSync(folder.at(name));
  for (const name of ["a", "b"]) writeFileSync(folder.at(`in/${name}.glb`), glbOf(tube()));
});

/** Refuses every connection and name look-up of the process it is loaded into. */
const OFFLINE = `
  const net = require("node:net"), dns = require("node:dns");
  const refuse = (what) => () => { process.stderr.write("CONNECTS " + what + "\\n"); process.exit(99); };
  net.Socket.prototype.connect = refuse("socket");
  dns.lookup = refuse("dns");
`;

/** Runs the built program with a home and a temporary folder of its own. */
async function run(...argv: string[]): Promise<string> {
  const offline = folder.at("offline.cjs");
  writeFileSync(offline, OFFLINE);
  const env = {
    PATH: process.env.PATH,
    HOME: folder.at("home"),
    TMPDIR: folder.at("tmp"),
    NODE_OPTIONS: `--require ${offline}`,
  };
  const child = spawn(process.execPath, ["bin/heterskin.js", ...argv], { env });
  let text = "";
  child.stdout.on("data", (data) => (text += data));
  child.stderr.on("data", (data) => (text += data));
  child.stdin.end();
  const status = await new Promise((resolve) => child.on("exit", resolve));
  expect([status, text]).toEqual([0, expect.any(String)]);
  return text;
}

const left = (name: string) =>
  readdirSync(folder.at(name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

describe("under a fresh home, without a network", { timeout: 240_000 }, () => {
  afterEach(() => {
    expect(left("home")).toEqual([]);
    expect(left("tmp")).toEqual([]);
  });
  const a = () => folder.at("in/a.glb");
  const out = (name: string) => folder.at(`out/${name}`);

  test("the native library records nothing", async () => {
    await run("bind", a(), out("a.glb"), "--provider", "cpu", "--report", out("a.json"));
    expect(left("out").sort()).toEqual(["a.glb", "a.json"]);
  });

  test("nor does WebAssembly", () => run("bind", a(), out("a.glb"), "--provider", "wasm"));

  test("nor do other commands", async () => {
    await run("inspect", a());
    await run("refine", a(), out("clean.glb"));
    await run("transfer", a(), folder.at("in/b.glb"), out("worn.glb"));
    await run("evaluate", folder.at("in"), "--methods", "network,heat", "--jobs", "2");
    await run("worker");
  });

  test("nor does a batch with its processes", () => run("batch", folder.at("in"), out("batch")));
});
