import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../src/cli/commands.ts";
import { parseArguments } from "../src/cli/parse-arguments.ts";
import { fillDocFolder } from "./helpers/doc-folder.ts";
import { commandsOf, documents, type Snippet, snippetsOf } from "./helpers/doc-snippets.ts";
import { exampleSnippets, publicNames } from "./helpers/public-names.ts";

const snippets = documents().flatMap(snippetsOf);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

/** Commands that would take hours, or never end, and replacements that make them short. */
const SHORTER: Record<string, string[]> = {
  train: ["--steps", "1", "--batch-vertices", "300", "--run", "batch-threads=1", "--device", "cpu"],
  prepare: ["--variants", "1"],
};

/** Commands that terminate neither here nor for the reader. */
const ENDLESS = new Set(["serve"]);

let filled: string;
const built = path.resolve("out/doc-snippets");

beforeAll(async () => {
  filled = mkdtempSync(path.join(tmpdir(), "heterskin-docs-"));
  await fillDocFolder(path.join(filled, "fresh"));
});

afterAll(() => {
  rmSync(filled, { recursive: true, force: true });
});

/** The snippets of a document run in one folder, in order. */
function folderOf({ file }: Snippet): string {
  const folder = path.join(filled, file.replaceAll("/", "-"));
  if (!existsSync(folder)) cpSync(path.join(filled, "fresh"), folder, { recursive: true });
  return folder;
}

const where = ({ file, line }: Snippet) => `${file}:${line}`;

describe("documents", () => {
  test("state the kind of each snippet", () => {
    const known = ["ts", "sh", "sh parsed", "text", "html", "json"];
    const wrong = snippets.filter(({ language }) => !known.includes(language));
    expect(wrong.map(where)).toEqual([]);
  });

  test("fence all their code, so that these tests see it", () => {
    const indented = documents().filter((file) => {
      const text = readFileSync(file, "utf8").replace(/^```[\s\S]*?^```/gm, "");
      return /^ {4}\S/m.test(text);
    });
    expect(indented).toEqual([]);
  });

  test("state the measured size of the package", () => {
    const [, most] = /less than (\d+) MB/.exec(readFileSync("README.md", "utf8"))!;
    const measured = JSON.parse(readFileSync("bench/results/package.json", "utf8"));
    expect(measured.node_modules_mb).toBeLessThan(Number(most));
    expect(Number(most)).toBeLessThanOrEqual(80);
  });

  test("link to existing files", () => {
    const wrong = documents().flatMap((file) => {
      const links = readFileSync(file, "utf8").matchAll(/\]\(([^)#\s]+)[^)]*\)/g);
      return [...links]
        .map(([, target]) => target)
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !isThere(path.join(path.dirname(file), target)))
        .map((target) => `${file}: ${target}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("shell snippets", () => {
  const shell = snippets.filter(({ language }) => language === "sh" || language === "sh parsed");

  test.each(shell.map((snippet) => [where(snippet), snippet] as const))(
    "%s names existing commands and options",
    async (_, snippet) => {
      for (const [program, ...rest] of commandsOf(snippet)) {
        const words = program === "npx" ? rest : [program, ...rest];
        if (words[0] === "npm") expectScript(words);
        else if (words[0] === "heterskin") {
          const command = await COMMANDS[words[1]]?.();
          expect(command, words.join(" ")).toBeDefined();
          const sub = command.commands?.find(({ name }) => name === words[2]);
          parseArguments(sub ?? command, words.slice(sub ? 3 : 2));
        }
      }
    },
  );

  const run = shell.filter(({ language }) => language === "sh");
  test.each(run.map((snippet) => [where(snippet), snippet] as const))(
    "%s runs",
    (_, snippet) => {
      const folder = folderOf(snippet);
      for (const words of commandsOf(snippet, folder)) {
        const args = words[0] === "npx" ? words.slice(1) : words;
        if (args[0] !== "heterskin" || ENDLESS.has(args[1])) continue;
        const shorter = args.includes("--help") ? [] : (SHORTER[args[1]] ?? []);
        const all = [path.resolve("bin/heterskin.js"), ...args.slice(1), ...shorter];
        const { status, stderr } = spawnSync(process.execPath, all, {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, XDG_CACHE_HOME: path.join(filled, "cache") },
        });
        expect(status, `${args.join(" ")}\n${stderr}`).toBe(0);
      }
    },
    240_000,
  );
});

describe("TypeScript snippets", () => {
  const scripts = [...snippets.filter(({ language }) => language === "ts"), ...exampleSnippets()];
  const nameOf = (i: number) => `snippet-${i}`;

  beforeAll(() => {
    rmSync(built, { recursive: true, force: true });
    mkdirSync(built, { recursive: true });
    scripts.forEach(({ code }, i) => {
      // A module even without imports.
      writeFileSync(path.join(built, `${nameOf(i)}.ts`), `${code}\nexport {};\n`);
    });
    writeFileSync(
      path.join(built, "tsconfig.json"),
      JSON.stringify({
        extends: "../../tsconfig.json",
        compilerOptions: {
          rootDir: ".",
          outDir: "js",
          declaration: false,
          isolatedDeclarations: false,
        },
        include: ["*.ts"],
      }),
    );
  });

  test("type-check against the package", () => {
    const { stdout } = spawnSync(
      process.execPath,
      ["node_modules/typescript/bin/tsc", "-p", built],
      { encoding: "utf8" },
    );
    const places = stdout.replace(/\S*snippet-(\d+)\.ts/g, (_, i) => where(scripts[Number(i)]));
    expect(places).toBe("");
  });

  test.each(scripts.map((snippet, i) => [where(snippet), i] as const))("%s runs", (_, i) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(built, "js", `${nameOf(i)}.js`)],
      {
        cwd: folderOf(scripts[i]),
        encoding: "utf8",
      },
    );
    expect(status, stderr).toBe(0);
  });
});

describe("the entries", () => {
  test.each([
    ["node", ["readCharacterFile", "shippedModel", "writeCharacterFile"]],
    ["three", ["characterFromThree", "createSkinnedMesh", "fillSkinnedMesh"]],
    ["gltf-transform", ["bind", "characterFromDocument"]],
  ])("of %s have the documented names", async (entry, names) => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
    const file = path.resolve(exports[`./${entry}`].default);
    expect(Object.keys(await import(/* @vite-ignore */ file)).sort()).toEqual(names);
  });
});

describe("the main entry", () => {
  test("has few names, each with a comment and an example", () => {
    const names = publicNames();
    expect(names.length).toBeLessThanOrEqual(41);
    const bare = names.filter(({ comment }) => !comment.includes("@example"));
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});

function expectScript([, verb, name]: string[]): void {
  if (verb === "run") expect(scripts, name).toHaveProperty([name]);
  else expect(["test", "install", "i"]).toContain(verb);
}

function isThere(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EISDIR";
  }
}
