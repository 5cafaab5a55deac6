import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const GEOMETRY = ["math", "mesh", "skeleton"];
const MEASURES = [...GEOMETRY, "weights", "voxel", "distance"];

/** Who may import whom: data runs in one direction. A room may always import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  math: [],
  mesh: ["math"],
  skeleton: ["math"],
  weights: GEOMETRY,
  voxel: GEOMETRY,
  distance: [...GEOMETRY, "voxel"],
  graph: MEASURES,
  network: ["math", "graph"],
  onnx: ["math"],
  compile: ["math", "onnx"],
  solve: [...MEASURES, "graph", "onnx"],
  io: [...GEOMETRY, "weights"],
  picture: [...GEOMETRY, "weights"],
  evaluate: [...MEASURES, "graph", "solve", "picture", "io"],
  train: [
    ...[...MEASURES, "graph", "network", "onnx", "compile", "solve", "picture", "io", "evaluate"],
  ],
  cli: [
    ...[...MEASURES, "graph", "network", "onnx", "solve", "picture", "io", "evaluate", "train"],
    ...["skin.ts", "stage-clock.ts"],
  ],
  samples: [...GEOMETRY, "weights"],
  // Files that stand in no room.
  "index.ts": [...MEASURES, "solve", "skin.ts"],
  "parts.ts": [...MEASURES, "onnx", "solve", "skin.ts", "stage-clock.ts"],
  "node.ts": ["io"],
  "skin.ts": ["solve", "weights", "stage-clock.ts"],
  "stage-clock.ts": [],
  "input-error.ts": [],
};

/** Where Node's own modules, and printing, are at home. */
const NODE_HOMES = /^src\/(cli|train)\/|^src\/io\/node\.ts$|worker[^/]*\.ts$/;
const PRINTERS = /^src\/cli\//;

/** Who may need the library that training runs on; users of weights must not. */
const TRAINS = /^src\/(network|train|compile)\//;

const sources = ["src", "samples"]
  .flatMap((root) =>
    readdirSync(root, { recursive: true }).map((name) => path.join(root, `${name}`)),
  )
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));

const texts = new Map(sources.map((file) => [file, readFileSync(file, "utf8")]));

/** What a file imports, types too, be it at once or later. */
function importsOf(file: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s+|\bimport\(\s*|\bnew URL\(\s*)"([^"]+)"/g;
  return [...code(file).matchAll(pattern)].map((match) => match[1]);
}

/** The text without comments, in which anything may be spoken of. */
function code(file: string): string {
  return texts.get(file)!.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

function roomOf(file: string): string {
  const [root, room] = file.split("/");
  return root === "samples" ? "samples" : room;
}

function resolve(from: string, to: string): string {
  return path.posix.join(path.posix.dirname(from), to);
}

describe("rooms", () => {
  it("import only the rooms before them", () => {
    const wrong: string[] = [];
    for (const file of sources) {
      const room = roomOf(file);
      for (const target of importsOf(file)) {
        if (!target.startsWith(".") || !target.endsWith(".ts")) continue;
        const other = roomOf(resolve(file, target));
        if (other === room || other === "input-error.ts") continue;
        if (!MAY_IMPORT[room]?.includes(other)) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("leave Node's modules to the rooms at the edge", () => {
    const wrong = sources.filter(
      (file) => !NODE_HOMES.test(file) && importsOf(file).some((name) => name.startsWith("node:")),
    );
    expect(wrong).toEqual([]);
  });

  it("leave the training library to training", () => {
    const wrong = sources.filter(
      (file) => !TRAINS.test(file) && importsOf(file).some((name) => name.startsWith("@jax-js/")),
    );
    expect(wrong).toEqual([]);
  });

  it.each(["src/index.ts", "src/parts.ts", "src/io/index.ts"])(
    "%s can be loaded in a browser",
    (entry) => {
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
    },
  );
});

/** What is loaded along with a file: no types, nothing that is imported later. */
function staticImportsOf(file: string): string[] {
  const statements = code(file).matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)";/gm);
  return [...statements].map((match) => match[1]);
}

describe("library code", () => {
  it.each<[string, RegExp, RegExp]>([
    ["is silent", /\bconsole\./, PRINTERS],
    ["has named exports only", /^export default\b/m, /^$/],
    ["takes a seed where it needs chance", /\bMath\.random\b/, /^$/],
  ])("%s", (_, forbidden, exempt) => {
    const wrong = sources.filter((file) => !exempt.test(file) && forbidden.test(code(file)));
    expect(wrong).toEqual([]);
  });

  it("keeps files short enough to read, comments not counted", () => {
    const lines = (file: string) =>
      code(file)
        .split("\n")
        .filter((line) => line.trim()).length;
    expect(sources.filter((file) => lines(file) > 400)).toEqual([]);
  });
});

describe("the repository", () => {
  it("names no folder of the machine it was written on", () => {
    const places = new RegExp(`(?<![\\w.:/-])/(?:${["work", "root", "home"].join("|")})/[\\w.]`);
    const wrong = trackedTexts().filter((file) => places.test(readFileSync(file, "utf8")));
    expect(wrong).toEqual([]);
  });
});

describe("the package", () => {
  it("points only at files that are built or there", () => {
    const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"));
    const targets = [...Object.values(exports), ...Object.values(bin)]
      .flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry as object)))
      .filter((target) => !target.includes("*"))
      .map((target) => target.replace(/^\.\/dist\/(.*?)(?:\.d\.ts|\.js)$/, "$1.ts"));
    expect(targets.filter((file) => !existsSync(file))).toEqual([]);
  });
});

function trackedTexts(): string[] {
  // A copy without history has nothing tracked to look at but its sources.
  if (!existsSync(".git")) return sources;
  const listed = execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" }).split("\0");
  return listed.filter(
    (file) => /\.(ts|js|mjs|json|md|html|css|csv|tsv|py|sh|ya?ml)$/.test(file) && existsSync(file),
  );
}
