// The command line in scripts: JSON, pipes, patterns, several inputs, dry runs, config files, completion.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { readCharacter } from "../src/formats/read-character.ts";
import { tubeGlb } from "./helpers/glb-builder.ts";
import { type CliRun, pipeCli, runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();
const FAST = ["--method", "inverse-distance"];
const glb = tubeGlb().builder.glb();
const here = process.cwd();

beforeEach(() => {
  for (const name of ["a.glb", "b.glb"]) writeFileSync(folder.at(name), glb);
});
afterEach(() => process.chdir(here));

const json = (run: CliRun) => JSON.parse(run.stdout);

describe("--json", () => {
  test("is an option of every command that computes something", async () => {
    for (const load of Object.values(COMMANDS)) {
      const command = await load();
      for (const each of command.commands ?? [command]) {
        // The scores of an evaluation go to a file, or to standard output as `-`.
        const type = each.name === "evaluate" ? "text" : undefined;
        expect(each.options.json?.type, each.name).toBe(type);
      }
      const words = command.commands ? [command.name, command.commands[0].name] : [command.name];
      const help = await runCli(...words, "--help");
      expect(help.stdout.match(/^ +--json\b/gm), command.name).toHaveLength(1);
    }
  });

  test("prints one value: the result of a bind, and its report", async () => {
    const run = await runCli("bind", folder.at("a.glb"), folder.at("c.glb"), ...FAST, "--json");
    expect(run.status).toBe(0);
    expect(json(run)).toMatchObject({ output: folder.at("c.glb"), report: { method: FAST[1] } });
  });

  test.each(["refine", "fix", "inspect"])("of %s", async (command) => {
    const run = await runCli(command, folder.at("a.glb"), "--json");
    expect(run.status).toBe(0);
    expect(json(run)).toBeTypeOf("object");
  });

  test("prints the parts of an error, and keeps the exit status", async () => {
    const run = await runCli("bind", folder.at("none.glb"), "--json");
    expect(run.status).toBe(1);
    expect(json(run).error).toEqual({
      code: "invalid-input",
      message: `${folder.at("none.glb")}: no such file.`,
      what: "no such file",
      where: folder.at("none.glb"),
    });
    const lost = await runCli("bind", folder.at("a.glb"), folder.at("x/b.glb"), "--json");
    expect(json(lost).error).toMatchObject({ where: folder.at("x/b.glb") });
    const typo = await runCli("bind", folder.at("a.glb"), "--metod", "heat", "--json");
    expect([typo.status, json(typo).error.code]).toEqual([1, "invalid-input"]);
    const taken = await runCli("bind", folder.at("a.glb"), folder.at("b.glb"), "--json");
    expect(json(taken).error.remedy.option).toBe("force");
  });
});

test("an error names a flag only if the command has it", async () => {
  const options = ["--max-memory", "2"];
  writeFileSync(folder.at("large.glb"), new Uint8Array(3 << 20));
  for (const command of ["bind", "fix", "refine", "inspect"]) {
    const run = await runCli(command, folder.at("large.glb"), ...options);
    expect(run.stderr, command).toMatch(/raise the limit .*\(--max-memory\)/);
  }
  // A file larger than the default limit, which takes no space on the disk.
  truncateSync(folder.at("large.glb"), 2 ** 30 + 1);
  const run = await runCli("adapt", folder.at("large.glb"), "--out", folder.at("m.onnx"));
  expect(run.status).toBe(1);
  expect(run.stderr).toMatch(/memory limit of 1024 MB/);
  expect(run.stderr).not.toContain("--max-memory");
});

describe("pipes", () => {
  test("bind reads standard input and writes standard output, and prints nothing else", async () => {
    const run = await pipeCli(glb, "bind", "-", "-", ...FAST);
    expect(run.stderr).toContain("method");
    expect(run.stderr).toMatch(/^written +standard output$/m);
    const file = await readCharacter({ name: "out.glb", bytes: run.bytes });
    await runCli("bind", folder.at("a.glb"), folder.at("c.glb"), ...FAST);
    const bytes = new Uint8Array(readFileSync(folder.at("c.glb")));
    const wanted = await readCharacter({ name: "c.glb", bytes });
    expect(file.character.weights).toEqual(wanted.character.weights);
    expect(folder.list()).toEqual(["a.glb", "b.glb", "c.glb"]);
  });

  test.each([
    ["fbx", "Kaydara FBX"],
    ["csv", ""],
  ])("writes another format: %s", async (format, start) => {
    const run = await pipeCli(glb, "bind", "-", ...FAST, "--format", format);
    expect(run.status, run.stderr).toBe(0);
    expect(run.stdout.startsWith(start)).toBe(true);
    expect(run.bytes.length).toBeGreaterThan(100);
  });

  test("refine, fix, transfer and inspect read and write pipes too", async () => {
    const target = folder.at("a.glb");
    for (const argv of [
      ["refine", "-", "-"],
      ["fix", "-", "-", "--all"],
    ]) {
      const run = await pipeCli(glb, ...argv);
      expect(run.stdout.slice(0, 4), run.stderr).toBe("glTF");
    }
    // The tube needs no remedy; a script still finds the file.
    const fixed = await runCli("fix", target, folder.at("fixed.glb"), "--all");
    expect(fixed.stdout).toMatch(/written {5}\S+ \(weights unchanged/);
    expect(readFileSync(folder.at("fixed.glb")).subarray(0, 4).toString()).toBe("glTF");
    const moved = await pipeCli(glb, "transfer", target, "-", "-");
    expect(moved.stdout.slice(0, 4), moved.stderr).toBe("glTF");
    expect(json(await pipeCli(glb, "inspect", "-", "--json")).joints).toBeGreaterThan(1);
  });

  test("--report - prints the report, and creates no file called -", async () => {
    const argv = ["bind", folder.at("a.glb"), folder.at("c.glb"), ...FAST, "--report", "-"];
    const run = await runCli(...argv);
    expect(json(run).method).toBe(FAST[1]);
    expect(existsSync("-")).toBe(false);
  });

  test("--json names the pipes as given", async () => {
    const run = await pipeCli(glb, "bind", "-", folder.at("c.glb"), ...FAST, "--json");
    expect(json(run)).toMatchObject({ input: "-", output: folder.at("c.glb") });
  });

  test("an input beyond the memory limit is not read completely", async () => {
    const endless = (async function* () {
      for (;;) yield new Uint8Array(1 << 20);
    })();
    const run = await pipeCli(endless, "inspect", "-", "--max-memory", "20");
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(/limit of 20 MB/)]);
  });

  test("two files on standard output, and an empty input, are refused", async () => {
    const both = await pipeCli(glb, "bind", "-", "-", ...FAST, "--report", "-");
    expect([both.status, both.stderr]).toEqual([1, expect.stringMatching(/takes one file/)]);
    const source = await pipeCli(glb, "transfer", "-", folder.at("a.glb"), "-");
    expect([source.status, source.stderr]).toEqual([1, expect.stringMatching(/that is changed/)]);
    const empty = await pipeCli(new Uint8Array(0), "bind", "-", "-", ...FAST);
    expect([empty.status, empty.stderr]).toEqual([1, expect.stringMatching(/input is empty/)]);
  });
});

describe("several inputs", () => {
  test("are written to a folder, which is created", async () => {
    const [a, b, out] = ["a.glb", "b.glb", "out/"].map(folder.at);
    const run = await runCli("bind", a, b, out, ...FAST, "--json");
    expect(run.status, run.stderr).toBe(0);
    expect(json(run)).toHaveLength(2);
    expect(readdirSync(out).sort()).toEqual(["a.glb", "b.glb"]);
  });

  test("a pattern expands to the files that match, with outputs next to them", async () => {
    const run = await runCli("bind", folder.at("*.glb"), ...FAST);
    expect(run.status, run.stderr).toBe(0);
    expect(existsSync(folder.at("a.skinned.glb")) && existsSync(folder.at("b.skinned.glb"))).toBe(
      true,
    );
    const described = await runCli("inspect", folder.at("?.glb"), "--json");
    expect(json(described)).toHaveLength(2);
    const none = await runCli("inspect", folder.at("*.fbx"));
    expect(none.stderr).toMatch(/no file matches/);
  });

  test("a failure does not stop the others; the status is 1", async () => {
    writeFileSync(folder.at("bad.glb"), "bad");
    const inputs = ["a.glb", "bad.glb", "b.glb"].map(folder.at);
    const run = await runCli("refine", ...inputs, folder.at("out/"), "--json");
    expect(run.status).toBe(1);
    const errors = json(run).map(({ error }: { error?: object }) => error);
    const refused = { code: "invalid-input", what: expect.stringMatching(/^bad\.glb/) };
    expect(errors).toEqual([undefined, expect.objectContaining(refused), undefined]);
  });

  test("need a folder", async () => {
    const run = await runCli("bind", ...["a.glb", "b.glb", "c.glb"].map(folder.at), ...FAST);
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(/must be a folder/)]);
  });
});

test("--dry-run lists what would be read and written, and writes nothing", async () => {
  mkdirSync(folder.at("rigs"));
  writeFileSync(folder.at("rigs/c.glb"), glb);
  const before = folder.list();
  const [a, c] = [folder.at("a.glb"), folder.at("c.glb")];
  for (const [argv, writes] of [
    [
      ["bind", a, c, "--report", folder.at("r.json")],
      [c, folder.at("r.json")],
    ],
    [["refine", a], [folder.at("a.skinned.glb")]],
    [["fix", a, "--all"], [folder.at("a.skinned.glb")]],
    [["transfer", a, folder.at("b.glb")], [folder.at("b.skinned.glb")]],
    [["batch", folder.at("rigs"), folder.at("out")], [folder.at("out/c.glb")]],
    [["sample", "fox", folder.at("f.glb")], [folder.at("f.glb")]],
    [["adapt", a, "--out", folder.at("m.onnx")], [folder.at("m.onnx")]],
    [["evaluate", a, "--csv", folder.at("s.csv")], [folder.at("s.csv")]],
    [["prepare", folder.at("rigs"), folder.at("cache")], [folder.at("cache")]],
    [["pack", folder.at("rigs"), folder.at("all.pack")], [folder.at("all.pack")]],
  ] as const) {
    const printed = argv[0] === "evaluate" ? ["--json", "-"] : ["--json"];
    const run = await runCli(...argv, "--dry-run", ...printed);
    expect(run.status, run.stderr).toBe(0);
    expect(json(run)).toMatchObject({ dryRun: true, writes });
  }
  expect(folder.list()).toEqual(before);
  const taken = await runCli("bind", a, folder.at("b.glb"), "--dry-run");
  expect([taken.status, taken.stderr]).toEqual([1, expect.stringMatching(/the file exists/)]);
});

describe("the config file", () => {
  const write = (value: object, name = "heterskin.config.json") =>
    writeFileSync(folder.at(name), JSON.stringify(value));
  const bind = async (...argv: string[]) =>
    runCli("bind", folder.at("a.glb"), folder.at("c.glb"), "--force", "--json", ...argv);

  test("of the folder, or a parent, has defaults that the command line overrides", async () => {
    write({ maxInfluences: 2, bind: { method: "inverse-distance" }, batch: { jobs: 2 } });
    mkdirSync(folder.at("below"));
    process.chdir(folder.at("below"));
    const { report } = json(await bind());
    expect([report.method, report.influences.length]).toEqual(["inverse-distance", 3]);
    expect(json(await bind("--max-influences", "1")).report.influences).toHaveLength(2);
    const none = json(await bind("--config", "none", "--method", "heat"));
    expect(none.report.method).toBe("heat");
  });

  test("can be given by path; paths that start with ./ are relative to it", async () => {
    mkdirSync(folder.at("conf"));
    write({ bind: { method: "inverse-distance", skeleton: "../a.glb" } }, "conf/mine.json");
    const run = await bind("--config", folder.at("conf/mine.json"));
    expect(run.status, run.stdout).toBe(0);
  });

  test.each([
    [{ metod: "heat" }, /no option "metod"; did you mean "method"/],
    [{ bind: { jobs: 2 } }, /no option "jobs"/],
    [{ bind: 3 }, /"bind" must be an object/],
    [{ method: "heeat" }, /"method" must be one of .*did you mean heat/],
    [{ symmetry: "no" }, /"symmetry" must be true or false/],
  ])("%j is refused", async (value, words) => {
    write(value);
    process.chdir(folder.at("."));
    const run = await bind();
    expect([run.status, json(run).error.message]).toEqual([1, expect.stringMatching(words)]);
  });
});

describe("completion", () => {
  const complete = async (...words: string[]) => {
    const script = (await runCli("completion", "bash")).stdout;
    const call = `COMP_WORDS=(heterskin ${words.map((w) => `"${w}"`).join(" ")}); COMP_CWORD=${words.length}; _heterskin; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, status, stderr } = spawnSync("bash", ["-c", `${script}\n${call}`]);
    expect(status, `${stderr}`).toBe(0);
    return `${stdout}`.split("\n").filter(Boolean);
  };

  test.skipIf(process.platform === "win32")(
    "of bash completes commands, options and choices",
    async () => {
      expect(await complete("tr")).toEqual(["train", "transfer"]);
      expect(await complete("bind", "--max-i")).toEqual(["--max-influences"]);
      expect(await complete("bind", "--method", "hea")).toEqual(["heat", "heat:blind"]);
      expect(await complete("farm", "su")).toEqual(["submit", "summary"]);
      expect(await complete("farm", "submit", "--met")).toEqual(["--method"]);
    },
  );

  test.each(["zsh", "fish"])("of %s names every command", async (shell) => {
    const { stdout } = await runCli("completion", shell);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toContain(name);
  });
});

test("a sample is a character that can be bound", async () => {
  const [fox, out] = [folder.at("fox.glb"), folder.at("bound.glb")];
  expect((await runCli("sample", "fox", fox)).status).toBe(0);
  expect((await runCli("bind", fox, out, ...FAST)).status).toBe(0);
  expect(json(await runCli("sample", "--json")).length).toBeGreaterThan(5);
  expect((await runCli("sample", "unicorn", out)).stderr).toMatch(/no sample called "unicorn"/);
  expect(readFileSync(out).length).toBeGreaterThan(1000);
});
