import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { lossText } from "../../src/io/file-losses.ts";
import { byAssimp, hasAssimp } from "./by-assimp.ts";
import { type BlenderJob, type BlenderReading, byBlender } from "./by-blender.ts";
import { byThree } from "./by-three.ts";
import { type Input, writeCorpus } from "./corpus.ts";
import { differences, type Reading } from "./inventory.ts";
import { type Outputs, writeOutputs } from "./write-outputs.ts";

/**
 * Has Blender, three.js and assimp read every FBX and DAE of a folder (by default: a corpus made by code), and
 * what we write of it in its own format and as GLB.
 *
 * tsx test/formats/check-formats.ts [folder] [--docs]    --docs puts the table into docs/formats.md
 */
const args = process.argv.slice(2);
const given = args.find((arg) => !arg.startsWith("--"));

/** Which losses explain why a GLB has less of something. */
const EXPLAINED: Record<string, RegExp> = {
  maps: /maps|pictures/,
  takes: /takes/,
  lights: /lights/,
  shapes: /shapes/,
  "UV sets": /UV sets/,
  colours: /colours/,
};

interface Row {
  outputs: Outputs;
  /** By program: the input, our file of the same format, our GLB. */
  readings: Record<string, (Reading | undefined)[]>;
  blender: (BlenderReading | undefined)[];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-formats-"));
  try {
    const inputs = given ? filesIn(given) : writeCorpus(folder);
    const rows = await readAll(inputs, folder);
    const faults = rows.flatMap(findFaults);
    const table = [...tableOf(rows), ""].join("\n");
    console.log(table);
    if (args.includes("--docs")) putIntoDocs(table);
    for (const fault of faults) console.log(`fault: ${fault}`);
    console.log(`${rows.length} files, ${faults.length} faults`);
    process.exitCode = faults.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesIn(folder: string): Input[] {
  const names = readdirSync(folder).filter((name) => /\.(?:fbx|dae)$/i.test(name));
  return names.sort().map((name) => ({ file: path.resolve(folder, name) }));
}

async function readAll(inputs: Input[], folder: string): Promise<Row[]> {
  const outputs: Outputs[] = [];
  for (const input of inputs) outputs.push(await writeOutputs(input, folder));
  const jobs = outputs.flatMap(({ input, own, glb, weights }): BlenderJob[] => [
    { file: input },
    ...(own ? [{ file: own, pose: true, ...(weights ? { weights } : {}) }] : []),
    ...(glb ? [{ file: glb, pose: true }] : []),
  ]);
  const { findBlender, findBrowser } = await programs();
  const files = jobs.map(({ file }) => file);
  const blender = byBlender(findBlender(), jobs, folder);
  const three = await byThree(findBrowser(), files);
  const assimp = hasAssimp() ? new Map(files.map((file) => [file, byAssimp(file)])) : new Map();
  return outputs.map((each) => {
    const of = <T>(map: Map<string, T>) =>
      [each.input, each.own, each.glb].map((file) => (file ? map.get(file) : undefined));
    return {
      outputs: each,
      blender: of(blender),
      readings: { Blender: of(blender), three: of(three), assimp: of(assimp) },
    };
  });
}

async function programs(): Promise<{ findBlender(): string; findBrowser(): string }> {
  // Composed, so that the type check does not follow them into plain JavaScript.
  const [blender, browser] = ["blender", "browser"].map((n) => `../../scripts/setup/${n}.mjs`);
  const { findBlender } = (await import(blender)) as { findBlender(): string };
  const { findBrowser } = (await import(browser)) as { findBrowser(): string };
  return { findBlender, findBrowser };
}

/** What must not be: something missing without a word, weights that differ, bones that move the wrong thing. */
function findFaults({ outputs, blender, readings }: Row): string[] {
  const name = path.basename(outputs.input);
  const faults: string[] = [];
  for (const [program, [source, own, glb]] of Object.entries(readings)) {
    if (!source) continue;
    if (own) {
      const found = differences(source, own, (was, is, what) => what !== "bones" && was !== is);
      faults.push(...found.map((difference) => `${name}, ours by ${program}: ${difference}`));
    }
    if (glb && program === "Blender") {
      faults.push(...unexplained(source, glb, outputs).map((what) => `${name}, GLB: ${what}`));
    }
  }
  for (const [index, reading] of blender.entries()) {
    const which = ["", "ours", "GLB"][index];
    if (reading?.weights && reading.weights.worst > 1e-4)
      faults.push(`${name}, ${which}: weights differ by ${reading.weights.worst}`);
    faults.push(...(reading?.poses?.wrong ?? []).map((what) => `${name}, ${which}: ${what}`));
  }
  return faults;
}

/** What a GLB has less of than the source, and `lost` does not say. */
function unexplained(source: Reading, glb: Reading, { lost }: Outputs): string[] {
  const text = lossText(lost);
  return differences(
    source,
    glb,
    (was, is, what) => what !== "bones" && is < was && !EXPLAINED[what]?.test(text),
  );
}

function tableOf(rows: Row[]): string[] {
  const head = [
    "File",
    "Same format by Blender",
    "three.js",
    "assimp",
    "Weights, Blender",
    "GLB by Blender",
    "`lost`",
  ];
  return [
    `| ${head.join(" | ")} |`,
    `|${head.map(() => "---").join("|")}|`,
    ...rows.map((row) => `| ${cellsOf(row).join(" | ")} |`),
  ];
}

function cellsOf({ outputs, readings, blender }: Row): string[] {
  const same = (program: string) => {
    const [source, own] = readings[program];
    if (!source) return "not there";
    if (source.error)
      return own && !own.error ? "reads ours, not the original" : "does not read the original";
    if (!own) return "not written";
    const found = differences(source, own);
    return found.length === 0 ? "same" : found.join(", ");
  };
  const [source, own, glb] = blender;
  const weights = own?.weights;
  const problems = weights?.problems.length ? `; ${weights.problems.join(", ")}` : "";
  const converted =
    !source || !glb || source.error || glb.error
      ? glb?.inventory
        ? "reads ours, not the original"
        : "–"
      : differences(source, glb).join(", ") || "same";
  return [
    path.basename(outputs.input),
    outputs.own ? same("Blender") : (outputs.refused ?? "not written"),
    ...["three", "assimp"].map(same),
    weights ? `${weights.worst.toExponential(0)} (${weights.compared} points)${problems}` : "–",
    converted,
    lossText(outputs.lost),
  ];
}

function putIntoDocs(table: string): void {
  const file = "docs/formats.md";
  const text = readFileSync(file, "utf8");
  const marks = /(<!-- table:readers -->\n)[\s\S]*?(<!-- \/table -->)/;
  if (!marks.test(text)) throw new Error(`${file} has no place for the table.`);
  writeFileSync(
    file,
    text.replace(marks, (_, before, after) => `${before}${table}${after}`),
  );
}

await main();
