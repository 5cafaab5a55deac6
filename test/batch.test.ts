import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { temporaryPath } from "../src/disk/write-whole.ts";
import { readCharacterFile } from "../src/node.ts";
import { fbxSevenText } from "./helpers/fbx-sample.ts";
import { tubeGlb } from "./helpers/glb-builder.ts";
import { objText } from "./helpers/obj-text.ts";
import { glbOf, tube } from "./helpers/odd-characters.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();

/** Small tubes of different shapes, some in subfolders, and a file that is not a character. */
function writeInputs(count: number): void {
  for (const name of ["in", "in/a", "in/a/deep"]) mkdirSync(folder.at(name));
  for (let i = 0; i < count; i++) {
    const below = ["", "a/", "a/deep/"][i % 3];
    writeFileSync(folder.at(`in/${below}tube${i}.glb`), glbOf(tube(6 + i, 8, 2 + (i % 5))));
  }
  writeFileSync(folder.at("in/a/broken.glb"), "no GLB");
}

/** Every character below a folder with its bytes. */
function outputs(name: string): Record<string, string> {
  const files = readdirSync(folder.at(name), { recursive: true }).map(String).sort();
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith(".glb"))
      .map((file) => [file, readFileSync(path.join(folder.at(name), file), "base64")]),
  );
}

interface Row {
  file: string;
  status: string;
  error?: string;
  seconds: number;
}

/** The rows of a summary without the columns that differ between runs. */
function rows(name: string): Omit<Row, "seconds">[] {
  const summary = JSON.parse(readFileSync(folder.at(`${name}/summary.json`), "utf8"));
  return summary.rows.map(({ seconds: _, ...row }: Row) => row);
}

const METHOD = ["--method", "hollow"];

const batch = (out: string, ...more: string[]) =>
  runCli("batch", folder.at("in"), folder.at(out), ...METHOD, ...more);

describe("batch", () => {
  test("mirrors folders, lists a bad file, and does not depend on the number of jobs", async () => {
    writeInputs(7);
    const one = await batch("one", "--jobs", "1");
    expect(one.status).toBe(1);
    expect(one.stderr).toMatch(/^a\/broken\.glb: /);
    expect(one.stderr).toMatch(/1 of 8 files could not be bound/);
    expect(Object.keys(outputs("one"))).toContain("a/deep/tube2.glb");
    expect(Object.keys(outputs("one"))).toHaveLength(7);
    await batch("three", "--jobs", "3");
    expect(outputs("three")).toEqual(outputs("one"));
    expect(rows("three")).toEqual(rows("one"));
    const csv = readFileSync(folder.at("one/summary.csv"), "utf8").trimEnd().split("\n");
    expect(csv).toHaveLength(9);
    expect(csv[1]).toMatch(/^a\/broken\.glb,a\/broken\.glb,failed,/);
    // The same as `bind`.
    await runCli("bind", folder.at("in/tube0.glb"), folder.at("alone.glb"), ...METHOD);
    expect(readFileSync(folder.at("alone.glb"), "base64")).toBe(outputs("one")["tube0.glb"]);
  });

  test("fits a template into meshes without joints, and writes FBX as FBX", async () => {
    mkdirSync(folder.at("in"));
    writeFileSync(folder.at("in/body.obj"), objText(makeSample("robot").mesh));
    writeFileSync(folder.at("in/square.fbx"), fbxSevenText());
    const argv = ["--skeleton", "template:biped", "--fit", "--list", folder.at("list.txt")];
    writeFileSync(folder.at("list.txt"), "body.obj\n");
    expect(await batch("out", ...argv)).toMatchObject({ status: 0, stderr: "" });
    expect((await readCharacterFile(folder.at("out/body.glb"))).rig.nodes.length).toBeGreaterThan(
      9,
    );
    writeFileSync(folder.at("list.txt"), "square.fbx\n");
    const same = await batch("same", "--same-format", "--list", folder.at("list.txt"));
    expect(same.status).toBe(0);
    await runCli("bind", folder.at("in/square.fbx"), folder.at("alone.fbx"), ...METHOD);
    expect(readFileSync(folder.at("same/square.fbx"), "base64")).toBe(
      readFileSync(folder.at("alone.fbx"), "base64"),
    );
    const again = await batch("same", "--same-format", "--list", folder.at("list.txt"));
    expect(again.stdout).toContain("1 of 1 files are up to date.");
  });

  test("writes FBX from any input with --format fbx", async () => {
    mkdirSync(folder.at("in"));
    writeFileSync(folder.at("in/tube.gltf"), tubeGlb().builder.gltf());
    expect((await batch("fbx", "--format", "fbx")).status).toBe(0);
    const written = await readCharacterFile(folder.at("fbx/tube.fbx"));
    expect(written.format).toBe("fbx");
    expect(written.character.weights).toBeDefined();
  });

  test("writes a .gltf as .gltf with --same-format, with its buffer, and skips it in a second run", async () => {
    mkdirSync(folder.at("in"));
    writeFileSync(folder.at("in/tube.gltf"), tubeGlb().builder.gltf());
    const first = await batch("same", "--same-format");
    expect(first.status).toBe(0);
    const written = await readCharacterFile(folder.at("same/tube.gltf"));
    expect(written.character.weights).toBeDefined();
    expect((await batch("same", "--same-format")).stdout).toContain("1 of 1 files are up to date.");
  });

  test("shards divide the work by name, and their summaries merge into that of one run", async () => {
    writeInputs(9);
    await batch("straight", "--jobs", "2");
    await batch("out", "--shard", "1/2", "--jobs", "1");
    const early = await batch("out", "--merge");
    expect(early.stderr).toMatch(/shard 2 of 2 is not done yet/);
    await batch("out", "--shard", "2/2", "--jobs", "1");
    const merged = await batch("out", "--merge");
    expect(merged.stdout).toMatch(/^9 of 10 files bound/);
    expect(outputs("out")).toEqual(outputs("straight"));
    expect(rows("out")).toEqual(rows("straight"));
    // A run without shards finds everything up to date.
    const again = await batch("out");
    expect(again.stdout).toMatch(/^9 of 10 files are up to date/);
  });

  test("takes the files of a list, with the same output names as without it", async () => {
    writeInputs(5);
    writeFileSync(folder.at("list.txt"), "# two\na/tube1.glb\r\ntube3.glb\n");
    await batch("out", "--list", folder.at("list.txt"));
    expect(Object.keys(outputs("out")).sort()).toEqual(["a/tube1.glb", "tube3.glb"]);
    writeFileSync(folder.at("list.txt"), "../tube1.glb\n");
    const wrong = await batch("wrong", "--list", folder.at("list.txt"));
    expect(wrong.status).toBe(1);
    expect(wrong.stderr).toMatch(/no character "\.\.\/tube1\.glb"/);
  });

  test("takes the files of a pattern, with the same output names as without it", async () => {
    writeInputs(5);
    const matching = (pattern: string) =>
      runCli("batch", folder.at(pattern), folder.at("out"), ...METHOD);
    expect(await matching("in/**/tube?.*")).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(outputs("out")).sort()).toHaveLength(5);
    expect((await matching("in/*.fbx")).stderr).toMatch(/no character matches this pattern/);
  });

  test("lists files that need attention on a page with pictures, the most doubtful first", async () => {
    writeInputs(5);
    const { stdout } = await batch("out", "--attention", "0.3");
    const summary = JSON.parse(readFileSync(folder.at("out/summary.json"), "utf8"));
    const bound = summary.rows.filter((row: { status: string }) => row.status === "done");
    const doubts: number[] = bound.map((row: { doubt: number }) => row.doubt);
    expect(doubts).toEqual(doubts.toSorted((a, b) => b - a));
    expect(new Set(doubts).size).toBeGreaterThan(1);
    const above = bound.filter(
      (row: { doubt: number; findings: string[] }) => row.doubt >= 0.3 || row.findings.length > 0,
    );
    expect(stdout).toContain(`${above.length} to review`);
    const page = readFileSync(folder.at("out/summary.html"), "utf8");
    const pictures = [...page.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source);
    expect(pictures).toEqual(above.map(({ output }: { output: string }) => `${output}.png`));
    for (const picture of pictures) expect(existsSync(folder.at(`out/${picture}`))).toBe(true);
    expect(page).toContain("a/broken.glb");
    expect(folder.list().filter((file) => file.endsWith(".png"))).toHaveLength(pictures.length);
  });

  test("repeats only what changed, and overwrites no file of other origin", async () => {
    writeInputs(4);
    mkdirSync(folder.at("out"));
    writeFileSync(folder.at("out/tube3.glb"), "mine");
    const first = await batch("out", "--jobs", "1");
    expect(first.stderr).toMatch(/2 of 5 files could not be bound/);
    expect(readFileSync(folder.at("out/tube3.glb"), "utf8")).toBe("mine");
    const journal = () =>
      readFileSync(folder.at("out/batch.jsonl"), "utf8").match(/"begun"/g)!.length;
    expect(journal()).toBe(4);
    // Repeats only the broken file, a changed input, and a missing and a damaged output.
    await batch("out", "--jobs", "1");
    expect(journal()).toBe(5);
    const wanted = outputs("out");
    writeFileSync(folder.at("in/tube0.glb"), glbOf(tube(30)));
    rmSync(folder.at("out/a/tube1.glb"));
    writeFileSync(folder.at("out/a/deep/tube2.glb"), "half");
    await batch("out", "--jobs", "1");
    expect(journal()).toBe(9);
    const { "tube0.glb": changed, ...same } = outputs("out");
    expect(changed).not.toBe(wanted["tube0.glb"]);
    expect({ ...same, "tube0.glb": wanted["tube0.glb"] }).toEqual(wanted);
    // With other options it repeats all of them.
    const forced = await batch("out", "--max-influences", "2", "--force", "--reports");
    expect(journal()).toBe(14);
    expect(forced.stderr).toMatch(/1 of 5 files/);
    expect(
      JSON.parse(readFileSync(folder.at("out/tube3.glb.json"), "utf8")).output.maxInfluences,
    ).toBe(2);
  });

  test("resumes where it was killed, and ends with the result of an uninterrupted run", async () => {
    const count = 24;
    writeInputs(count);
    await batch("straight", "--jobs", "2");
    const args = ["bin/heterskin.js", "batch", folder.at("in"), folder.at("out"), ...METHOD];
    const child = spawn(process.execPath, [...args, "--jobs", "2"], { stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await until(() => finished("out") >= count / 3);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    const done = finished("out");
    expect(done).toBeLessThan(count);
    // A killed process may leave a truncated line and temporary files.
    writeFileSync(folder.at("out/batch.jsonl"), '\n{"file":"tu', { flag: "a" });
    rmSync(folder.at("out/tube0.glb"), { force: true });
    const draft = temporaryPath(folder.at("out/tube0.glb"));
    writeFileSync(draft.replace(`-${process.pid}-`, `-${child.pid}-`), "half");
    const resumed = await batch("out", "--jobs", "2");
    expect(resumed.stdout).toMatch(/\d+ of 25 files are up to date/);
    expect(outputs("out")).toEqual(outputs("straight"));
    expect(rows("out")).toEqual(rows("straight"));
    const left = readdirSync(folder.at("out"), { recursive: true }).map(String);
    expect(left.filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("reports problems with its folders", async () => {
    expect((await batch("out")).stderr).toMatch(/no such folder/);
    mkdirSync(folder.at("in"));
    expect((await batch("out")).stderr).toMatch(/no characters in it/);
    expect((await batch("in")).stderr).toMatch(/need a separate folder/);
  });
});

/** Files that the journal of a run lists as done. */
function finished(name: string): number {
  try {
    const text = readFileSync(folder.at(`${name}/batch.jsonl`), "utf8");
    return (text.match(/"status":"done"/g) ?? []).length;
  } catch {
    return 0;
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
