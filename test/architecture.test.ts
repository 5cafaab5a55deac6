import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** Allowed imports, as in ARCHITECTURE.md: dependencies have one direction. A room may always import itself. */
const MAY_IMPORT = new Map(
  [
    ...readFileSync("ARCHITECTURE.md", "utf8").matchAll(
      /^\| ([a-z.-]+) \| ([a-z. -]+) \| .+ \|$/gm,
    ),
  ].map(([, room, others]) => [room, others.split(" ").filter((other) => other !== "nothing")]),
);

/** Files without dependencies that any room may import. */
const EVERYWHERE = [
  "csv-cell.ts",
  "event-loop.ts",
  "input-error.ts",
  "models.ts",
  "stage-clock.ts",
];

/** Rooms that may import Node's modules, and print. */
const NODE_HOMES = /^src\/(cli|files|batch|serve|farm|processes|train|disk)\/|worker[^/]*\.ts$/;
const PRINTERS = /^src\/cli\//;

/** Rooms that may import the library for training; users of weights must not need it. */
const TRAINS = /^src\/(network|train|compile)\//;

const sources = ["src", "samples"]
  .flatMap((root) =>
    readdirSync(root, { recursive: true }).map((name) => path.join(root, `${name}`)),
  )
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));

const texts = new Map(sources.map((file) => [file, readFileSync(file, "utf8")]));

/** The imports of a file, static and dynamic, including types. */
function importsOf(file: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)"([^"]+)"/g;
  return [...code(file).matchAll(pattern)].map((match) => match[1]);
}

/** The text without comments, which may mention anything. */
function code(file: string): string {
  return texts.get(file)!.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** The contents of all string and template literals. */
function literalsOf(file: string): string[] {
  return [...code(file).matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) =>
    text.slice(1, -1),
  );
}

function roomOf(file: string): string {
  const [root, room] = file.split("/");
  return root === "samples" ? "samples" : room;
}

function resolve(from: string, to: string): string {
  return path.posix.join(path.posix.dirname(from), to);
}

describe("rooms", () => {
  test("are in the order of the table, each with the rooms before it", () => {
    const order = [...MAY_IMPORT.keys()];
    const there = new Set(sources.map(roomOf).filter((room) => !EVERYWHERE.includes(room)));
    expect([...there].sort()).toEqual([...order].sort());
    const files = (room: string) => room.endsWith(".ts");
    const early = order.filter((room, at) =>
      (MAY_IMPORT.get(room) ?? []).some((other) => !files(other) && order.indexOf(other) >= at),
    );
    expect(early).toEqual([]);
  });

  test("use the rooms that their row names", () => {
    const used = new Map([...MAY_IMPORT.keys()].map((room) => [room, new Set<string>()]));
    for (const file of sources) {
      for (const target of importsOf(file)) {
        if (target.startsWith(".")) used.get(roomOf(file))?.add(roomOf(resolve(file, target)));
      }
    }
    const idle = [...MAY_IMPORT].flatMap(([room, others]) =>
      (room === "index.ts" ? [] : others)
        .filter((other) => !used.get(room)?.has(other))
        .map((other) => `${room}: ${other}`),
    );
    expect(idle).toEqual([]);
  });

  test("import only the rooms before them", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const room = roomOf(file);
      for (const target of importsOf(file)) {
        if (!target.startsWith(".") || !target.endsWith(".ts")) continue;
        const other = roomOf(resolve(file, target));
        if (other === room || EVERYWHERE.includes(other)) continue;
        if (!MAY_IMPORT.get(room)?.includes(other)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("import Node's modules only in the outer rooms", () => {
    const wrong = sources.filter(
      (file) => !NODE_HOMES.test(file) && importsOf(file).some((name) => name.startsWith("node:")),
    );
    expect(wrong).toEqual([]);
  });

  test("import the training library only for training", () => {
    const wrong = sources.filter(
      (file) => !TRAINS.test(file) && importsOf(file).some((name) => name.startsWith("@jax-js/")),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    "src/index.ts",
    "src/parts.ts",
    "src/formats/index.ts",
    "src/adapt/index.ts",
    "src/evaluate/index.ts",
  ])("%s can be loaded in a browser", (entry) => {
    const seen = new Set<string>();
    const open = [entry];
    const wrong: string[] = [];
    for (let file = open.pop(); file; file = open.pop()) {
      if (seen.has(file) || !texts.has(file)) continue;
      seen.add(file);
      for (const target of staticImportsOf(file)) {
        if (target.startsWith(".")) open.push(resolve(file, target));
        else if (/^(node:|@jax-js\/|onnxruntime-node)/.test(target)) {
          wrong.push(`${file} imports ${target}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(5);
  });
});

/** Files that are loaded together with a file: without types and dynamic imports. */
function staticImportsOf(file: string): string[] {
  const statements = code(file).matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)";/gm);
  return [...statements].map((match) => match[1]);
}

describe("library code", () => {
  test.each<[string, RegExp, RegExp]>([
    ["is silent", /\bconsole\./, PRINTERS],
    ["has named exports only", /^export default\b/m, /^$/],
    ["takes a seed for randomness", /\bMath\.random\b/, /^$/],
    // From Node 24 on, ** rounds differently, except for squares and powers of two. The output of samples/show is
    // shipped as files.
    ["computes powers by power()", /(?<!\b2) \*\* (?!2\b)|\bMath\.pow\b/, /^samples\/show\//],
  ])("%s", (_, forbidden, exempt) => {
    const wrong = sources.filter((file) => !exempt.test(file) && forbidden.test(code(file)));
    expect(wrong).toEqual([]);
  });

  test("does not name flags or commands in its messages", () => {
    const flag = /(^|[\s(])--[a-z]/;
    const command =
      /\bheterskin (bind|inspect|serve|batch|farm|refine|transfer|train|prepare|export|adapt)\b/;
    const wrong = sources.flatMap((file) =>
      file.startsWith("src/cli/")
        ? []
        : literalsOf(file)
            .filter((text) => flag.test(text) || command.test(text))
            // Style sheets and arguments for Node are not messages.
            .filter((text) => !/\{ --[a-z]+: /.test(text) && text !== "--import")
            .map((text) => `${file}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test("keeps files short, comments not counted", () => {
    const lines = (file: string) =>
      code(file)
        .split("\n")
        .filter((line) => line.trim()).length;
    expect(sources.filter((file) => lines(file) > 400)).toEqual([]);
  });
});

describe("the repository", () => {
  test("does not name folders of the author's machine", () => {
    const places = new RegExp(`(?<![\\w.:/-])/(?:${["work", "root", "home"].join("|")})/[\\w.]`);
    const wrong = trackedTexts().filter((file) => places.test(readFileSync(file, "utf8")));
    expect(wrong).toEqual([]);
  });
});

describe("the package", () => {
  test("points only at files that exist or are built", () => {
    const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"));
    const targets = [...Object.values(exports), ...Object.values(bin)]
      .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry as object)))
      .filter((target) => !target.includes("*"))
      .map((target) => target.replace(/^\.\/dist\/(.*?)(?:\.d\.ts|\.js)$/, "$1.ts"));
    expect(targets.filter((file) => !existsSync(file))).toEqual([]);
  });
});

function trackedTexts(): string[] {
  // A copy without history tracks no files, so only its sources are checked.
  if (!existsSync(".git")) return sources;
  const listed = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
  return listed.filter(
    (file) => /\.(ts|js|mjs|json|md|html|css|csv|tsv|py|sh|ya?ml)$/.test(file) && existsSync(file),
  );
}
