import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { lossText } from "../../src/formats/describe-file.ts";
import { byAssimp, hasAssimp } from "./by-assimp.ts";
import { type BlenderJob, type BlenderReading, boxShift, byBlender } from "./by-blender.ts";
import { byThree } from "./by-three.ts";
import { type Input, writeCorpus } from "./corpus.ts";
import { differences, type Reading } from "./inventory.ts";
import { type Outputs, writeOutputs } from "./write-outputs.ts";

/**
 * Lets Blender, three.js and assimp read every FBX and DAE of a folder (by default a generated corpus), and our
 * output for each of them in its own format and as GLB.
 *
 * npm run check:formats -- [folder] [--docs]    --docs writes the table into docs/lab/formats.md
 */
const args = process.argv.slice(2);
const given = args.find((arg) => !arg.startsWith("--"));

/** Losses that explain why a GLB has less of something. */
const EXPLAINED: Record<string, RegExp> = {
  maps: /maps|images/,
  takes: /takes/,
  lights: /lights/,
  shapes: /shapes/,
  "UV sets": /UV sets/,
  colors: /colours/,
};

interface Row {
  outputs: Outputs;
  /** By program: the input, our file in the same format, our GLB. */
  readings: Record<string, (Reading | undefined)[]>;
  blender: (BlenderReading | undefined)[];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-formats-"));
  try {
    const inputs = given ? filesIn(given) : writeCorpus(folder);
    const rows = await readAll(inputs, folder);
    const faults = rows.flatMap(findFaults);
    const table = tablesOf(rows);
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
  const { ensureBlender, browser } = await programs();
  const files = jobs.map(({ file }) => file);
  const blender = byBlender(ensureBlender(), jobs, folder);
  const three = await byThree(browser(), files);
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

interface Browsers {
  ensureBrowser(): string;
  findBrowser(): string;
}

/** Ensures that Blender and a browser are available; installs them if that needs no prompt. */
async function programs(): Promise<{ ensureBlender(): string; browser(): string }> {
  // Composed, so that the type check does not follow it into plain JavaScript.
  const [blender, browsers] = ["blender", "browser"].map((n) => `../../scripts/setup/${n}.mjs`);
  const { ensureBlender } = (await import(blender)) as { ensureBlender(): string };
  const { ensureBrowser, findBrowser } = (await import(browsers)) as Browsers;
  const browser = () => {
    ensureBrowser();
    return findBrowser();
  };
  return { ensureBlender, browser };
}

/** Faults: unreported losses, differing weights, bones that move the wrong vertices. */
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
  const [before, same, other] = blender;
  if (before && same && (boxShift(before, same) ?? 0) > 1e-3)
    faults.push(`${name}, ours by Blender: meshes are at another position`);
  // Programs differ in their notion of a bind pose, but not by a unit.
  if (before && other && (boxShift(before, other) ?? 0) > 0.2)
    faults.push(`${name}, GLB by Blender: meshes are at another position`);
  for (const [index, reading] of blender.entries()) {
    const which = ["", "ours", "GLB"][index];
    if (reading?.weights?.compared === 0 && reading.inventory?.meshes)
      faults.push(`${name}, ${which}: no weights could be compared`);
    if (reading?.weights && reading.weights.worst > 1e-4)
      faults.push(`${name}, ${which}: weights differ by ${reading.weights.worst}`);
    // Blender's COLLADA reader skips meshes whose skin is bound to a morph, in the original too.
    if (index === 1 && (before?.inventory?.meshes || reading?.inventory?.meshes))
      faults.push(
        ...(reading?.weights?.problems ?? []).map((what) => `${name}, ${which}: ${what}`),
      );
    faults.push(...(reading?.poses?.wrong ?? []).map((what) => `${name}, ${which}: ${what}`));
  }
  return faults;
}

/** Counts that are lower in a GLB than in the source, without an entry in `lost`. */
function unexplained(source: Reading, glb: Reading, { lost }: Outputs): string[] {
  const text = lossText(lost);
  return differences(
    source,
    glb,
    (was, is, what) => what !== "bones" && is < was && !EXPLAINED[what]?.test(text),
  );
}

/** Two tables: the same format in each program, and the GLB next to Blender's own reading. */
function tablesOf(rows: Row[]): string {
  const asTable = (head: string[], cells: string[][]) =>
    [head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |\n`).join("");
  const same = ["File", "Blender", "three.js", "assimp", "Weights off by, in Blender"];
  const glb = ["File", ...COUNTED, "stands", "`lost` says"];
  return `${asTable(same, rows.map(sameCells))}\n${asTable(glb, rows.map(glbCells))}`;
}

const COUNTED = [
  "meshes",
  "triangles",
  "materials",
  "UV sets",
  "colours",
  "shapes",
  "maps",
  "takes",
  "cameras",
  "lights",
];

function sameCells({ outputs, readings, blender }: Row): string[] {
  const cell = (program: string) => {
    const [source, own] = readings[program];
    if (!source) return "not at hand";
    if (source.error) return own?.inventory ? "ours, not the original" : "not the original either";
    if (!own) return "–";
    const found = differences(source, own);
    return found.length === 0 ? "same" : found.join(", ");
  };
  const name = path.basename(outputs.input);
  const refusal = outputs.refused?.replace(`${name}: `, "");
  const weights = blender[1]?.weights;
  const problems = weights?.problems.length ? `; ${weights.problems.join(", ")}` : "";
  const rows = weights?.compared
    ? `${weights.worst.toExponential(0)} at ${weights.compared} points`
    : "";
  return [
    refusal ? `${name} (${refusal})` : name,
    ...["Blender", "three", "assimp"].map(cell),
    weights ? `${rows}${problems}` : "–",
  ];
}

function glbCells({ outputs, blender: [source, , glb] }: Row): string[] {
  const cells = COUNTED.map((what) => {
    const [was, is] = [source?.inventory?.[what], glb?.inventory?.[what]];
    if (is === undefined) return "–";
    return was === undefined || was === is ? String(is) : `${was} → ${is}`;
  });
  const shift = source && glb && boxShift(source, glb);
  const stands =
    shift === undefined ? "–" : shift < 1e-3 ? "same" : `${Math.round(100 * shift)} % off`;
  const note = source?.error ? " (Blender does not read the original)" : "";
  return [`${path.basename(outputs.input)}${note}`, ...cells, stands, lossText(outputs.lost)];
}

function putIntoDocs(table: string): void {
  const file = "docs/lab/formats.md";
  const text = readFileSync(file, "utf8");
  const marks = /(<!-- table:readers -->\n)[\s\S]*?(<!-- \/table -->)/;
  if (!marks.test(text)) throw new Error(`${file} has no markers for the table.`);
  writeFileSync(
    file,
    text.replace(marks, (_, before, after) => `${before}${table}${after}`),
  );
}

await main();
