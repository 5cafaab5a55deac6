import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { csvCell } from "../../src/csv-cell.ts";
import { temporaryPath } from "../../src/disk/write-whole.ts";
import { glbOf, tube } from "../helpers/odd-characters.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";

const folder = useFolder();
const QUICK = ["--method", "inverse-distance"];
/** An id that no process has. */
const NOBODY = 2 ** 22 - 3;

function writeInput(name = "in.glb"): string {
  mkdirSync(path.dirname(folder.at(name)), { recursive: true });
  writeFileSync(folder.at(name), glbOf(tube(4, 6, 2)));
  return folder.at(name);
}

describe("outputs", () => {
  test("a report never replaces the input or the buffer", async () => {
    const input = writeInput();
    const before = readFileSync(input);
    const over = await runCli("bind", input, folder.at("x.glb"), "-f", "--report", input, ...QUICK);
    expect([over.status, over.stderr]).toEqual([1, expect.stringMatching(/this is an input/)]);
    expect(readFileSync(input)).toEqual(before);
    symlinkSync(input, folder.at("link.json"));
    const link = ["--report", folder.at("link.json")];
    expect((await runCli("bind", input, folder.at("x.glb"), "-f", ...link, ...QUICK)).status).toBe(
      1,
    );
    const bin = ["--report", folder.at("x.bin")];
    const twice = await runCli("bind", input, folder.at("x.gltf"), ...bin, ...QUICK);
    expect([twice.status, twice.stderr]).toEqual([1, expect.stringMatching(/two outputs/)]);
  });

  test("an overwritten file keeps its mode, and a link its target", async () => {
    const input = writeInput();
    writeFileSync(folder.at("real.glb"), "old");
    chmodSync(folder.at("real.glb"), 0o600);
    symlinkSync(folder.at("real.glb"), folder.at("out.glb"));
    expect((await runCli("bind", input, folder.at("out.glb"), "-f", ...QUICK)).status).toBe(0);
    expect(lstatSync(folder.at("out.glb")).isSymbolicLink()).toBe(true);
    expect(statSync(folder.at("real.glb")).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.at("real.glb"), "latin1")).toMatch(/^glTF/);
  });

  test("the longest name is accepted, and a longer one is refused before any work", async () => {
    const input = writeInput();
    const longest = `${"n".repeat(251)}.glb`;
    expect((await runCli("bind", input, folder.at(longest), ...QUICK)).status).toBe(0);
    const stages = await runCli("bind", input, folder.at(`x${longest}`), ...QUICK);
    expect([stages.status, stages.stderr]).toEqual([1, expect.stringMatching(/too long/)]);
  });

  test("temporary files of dead processes are deleted, those of others are kept", async () => {
    const input = writeInput();
    const own = temporaryPath(folder.at("out.glb"));
    const gone = own.replace(`-${process.pid}-`, `-${NOBODY}-`);
    const other = temporaryPath(folder.at("other.glb")).replace(`-${process.pid}-`, `-${NOBODY}-`);
    for (const draft of [own, gone, other]) writeFileSync(draft, "half");
    await runCli("bind", input, folder.at("out.glb"), ...QUICK);
    const left = readdirSync(path.dirname(own)).filter((name) => name.endsWith(".tmp"));
    expect(left.sort()).toEqual([own, other].map((draft) => path.basename(draft)).sort());
  });

  test("inputs that are not regular files are refused unread", async () => {
    for (const name of ["/dev/zero", "/dev/stdin"]) {
      const run = await runCli("bind", name, folder.at("out.glb"), ...QUICK);
      expect([run.status, run.stderr]).toEqual([
        1,
        expect.stringMatching(/plain file|no such file/),
      ]);
    }
    const small = await runCli("inspect", writeInput(), "--max-memory", "1");
    expect(small.status).toBe(0);
  });
});

describe("batch", () => {
  const batch = (from: string, to: string, ...more: string[]) =>
    runCli("batch", folder.at(from), folder.at(to), "--jobs", "1", ...QUICK, ...more);

  test("references in a file are not read from forbidden paths, nor forever", async () => {
    mkdirSync(folder.at("in"));
    const json = {
      asset: { version: "2.0" },
      images: [{ uri: "/dev/zero" }],
      buffers: [{ uri: "/dev/zero", byteLength: 4 }],
    };
    writeFileSync(folder.at("in/zero.gltf"), JSON.stringify(json));
    writeFileSync(folder.at("in/spaces.obj"), `mtllib a${" ".repeat(100_000)}b\nv 0 0 0\n`);
    writeFileSync(folder.at("in/from.dae"), `<COLLADA><init_from>${" ".repeat(100_000)}`);
    writeInput("in/good.glb");
    const run = await batch("in", "out");
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/3 of 4 files could not be bound/);
    expect(run.stderr).not.toMatch(/took more than/);
  });

  test("gives up a file that takes too long, which is not an internal error", async () => {
    mkdirSync(folder.at("in"));
    writeFileSync(folder.at("in/large.glb"), glbOf(tube(1200, 128, 6)));
    const run = await batch("in", "out", "--timeout", "1", "--method", "heat");
    expect(run.stderr).toMatch(/took more than 1 s/);
    expect(run.status).toBe(1);
  });

  test("outputs never replace inputs, despite links", async () => {
    writeInput("in/a.glb");
    const before = readFileSync(folder.at("in/a.glb"));
    symlinkSync(folder.at("in"), folder.at("alias"));
    const same = await batch("in", "alias", "--force");
    expect([same.status, same.stderr]).toEqual([
      1,
      expect.stringMatching(/need a separate folder/),
    ]);
    // Inside the input, by another name: outputs are not bound again.
    mkdirSync(folder.at("in/out"));
    symlinkSync(folder.at("in/out"), folder.at("elsewhere"));
    await batch("in", "elsewhere");
    await batch("in", "elsewhere");
    expect(readdirSync(folder.at("in/out")).filter((name) => name.endsWith(".glb"))).toEqual([
      "a.glb",
    ]);
    // One output would be the input of a deeper file.
    writeInput("all/in/x.glb");
    writeInput("all/in/in/x.glb");
    const clash = await batch("all/in", "all", "--force");
    expect(clash.status).toBe(1);
    expect(readFileSync(folder.at("all/summary.csv"), "utf8")).toMatch(/this is an input/);
    expect(readFileSync(folder.at("in/a.glb"))).toEqual(before);
  });

  test("a folder that another run writes to is refused; an abandoned lock is taken over", async () => {
    writeInput("in/a.glb");
    mkdirSync(folder.at("out"));
    const lock = (pid: number) =>
      writeFileSync(
        folder.at("out/batch.lock"),
        JSON.stringify({ pid, host: hostname(), since: "now" }),
      );
    lock(process.pid);
    const held = await batch("in", "out");
    expect([held.status, held.stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`process ${process.pid} on`)),
    ]);
    lock(NOBODY);
    expect((await batch("in", "out")).status).toBe(0);
    expect(readdirSync(folder.at("out"))).not.toContain("batch.lock");
  });
});

test("names from files are harmless in a terminal and a spreadsheet", async () => {
  const character = tube(4, 6, 2);
  character.skeleton.names = ["\x1b]0;mine\x07root", "=cmd|calc\u202e"];
  writeFileSync(folder.at("in.glb"), glbOf(character));
  const run = await runCli("inspect", folder.at("in.glb"), "-v");
  const wrong = await runCli(
    "bind",
    folder.at("in.glb"),
    folder.at("out.glb"),
    "--exclude",
    "nobody",
    ...QUICK,
  );
  for (const text of [run.stdout, run.stderr, wrong.stderr]) {
    expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
  }
  expect(run.stdout).toMatch(/root/);
  expect(wrong.stderr).toMatch(/nobody/);
  expect(csvCell("=cmd|calc")).toBe("'=cmd|calc");
  expect(csvCell(-1)).toBe("-1");
});
