import { readFileSync, writeFileSync } from "node:fs";
import { DEFAULT_MAX_MEMORY } from "../../src/formats/budget.ts";
import { describeFile } from "../../src/formats/describe-file.ts";
import {
  type CharacterFile,
  type OutputFormat,
  readCharacter,
  writeCharacter,
} from "../../src/formats/index.ts";
import { applyWeights } from "../../src/formats/weight-files/apply-weights.ts";
import { parseWeights } from "../../src/formats/weight-files/weight-formats.ts";
import { InputError } from "../../src/input-error.ts";
import { createRandom } from "../../src/math/random.ts";
import type { MethodName } from "../../src/methods/methods.ts";
import { skin } from "../../src/skin.ts";
import { checkWeights } from "../../src/weights/check-weights.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { trimWeights } from "../../src/weights/trim-weights.ts";
import { mutate, restructure } from "./fuzz-mutate.ts";
import type { FuzzSeed } from "./fuzz-seeds.ts";

/** Outcome of a case: read and bound, refused in one sentence, or a fault. */
export interface FuzzAnswer {
  outcome: "bound" | "refused" | "fault";
  /** The file that was damaged. */
  seed: string;
  message: string;
  /** Processor time in milliseconds. */
  milliseconds: number;
  /** Peak memory of the process during the case, in bytes. */
  peak: number;
}

/** Methods for the damaged characters; mostly the fastest, since the readers are under test. */
const METHODS = [
  "inverse-distance",
  "inverse-distance",
  "inverse-distance",
  "heat",
  "hollow",
] as const;

/** Returns the damaged file of a case; the same number always yields the same file. */
export function fuzzFile(seeds: FuzzSeed[], number: number): { seed: FuzzSeed; bytes: Uint8Array } {
  const random = createRandom(`fuzz ${number}`);
  const seed = seeds[Math.floor(random() * seeds.length)];
  const others = seeds.map(({ bytes }) => bytes);
  if (random() < 0.5) {
    const bytes = restructure(seed.name, seed.bytes, random, seed.source?.bytes);
    if (bytes) return { seed, bytes };
  }
  if (seed.source && random() < 0.6) {
    const damaged = mutate(seed.source.bytes, random, others);
    try {
      return { seed, bytes: seed.source.build(damaged) };
    } catch {
      // What cannot be packed is damaged after packing.
    }
  }
  return { seed, bytes: mutate(seed.bytes, random, others) };
}

/** Reads, inspects, binds and writes the damaged file of a case. */
export async function runFuzzCase(seeds: FuzzSeed[], number: number): Promise<FuzzAnswer> {
  const { seed, bytes } = fuzzFile(seeds, number);
  const start = process.cpuUsage();
  const memory = watchMemory();
  const answer = (outcome: FuzzAnswer["outcome"], message: string): FuzzAnswer => ({
    outcome,
    seed: seed.name,
    message,
    milliseconds: processorTime(start),
    peak: memory(),
  });
  try {
    await useFile(seed, bytes, METHODS[number % METHODS.length], number);
    return answer("bound", "");
  } catch (error) {
    const { message, stack } = error as Error;
    // One sentence on one line, short enough to read.
    const isClear = error instanceof InputError && /^[^\n]{10,500}[.)!?"]$/.test(message);
    return answer(isClear ? "refused" : "fault", isClear ? message : (stack ?? String(error)));
  }
}

function processorTime(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns a function for the peak memory since this call; without /proc, since the start of the process. */
function watchMemory(): () => number {
  try {
    // 5 resets the high-water mark that VmHWM reports.
    writeFileSync("/proc/self/clear_refs", "5");
    return () => {
      const mark = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "latin1"));
      return Number(mark?.[1]) * 1024;
    };
  } catch {
    return () => process.resourceUsage().maxRSS * 1024;
  }
}

/** Above these counts only the fastest method runs: the limits are meant for readers and writers. */
const LARGE = { vertices: 5000, joints: 500 };

async function useFile(
  seed: FuzzSeed,
  bytes: Uint8Array,
  method: MethodName,
  number: number,
): Promise<void> {
  if (seed.target) return useWeights(seed.name, bytes, await readCharacter(seed.target));
  const damaged = { name: seed.name, bytes, resolve: async () => undefined };
  const file = seed.mesh
    ? await readCharacter(seed.mesh, { skeleton: damaged })
    : await readCharacter(damaged, seed.skeleton ? { skeleton: seed.skeleton } : {});
  describeFile(file);
  const { mesh, skeleton } = file.character;
  const isLarge =
    mesh.positions.length > LARGE.vertices * 3 || skeleton.parents.length > LARGE.joints;
  const { weights } = await skin(file.character, { method: isLarge ? METHODS[0] : method });
  const problems = checkWeights(weights, mesh.positions.length / 3, skeleton.parents.length);
  if (problems.length > 0) throw new Error(problems[0].message);
  const own = file.source.fbx ? "fbx" : file.source.dae ? "dae" : undefined;
  // A GLB and an FBX can be written from any input; one of them is enough for a case.
  const formats: OutputFormat[] = own ? ["glb", own] : [number % 2 === 1 ? "fbx" : "glb"];
  for (const format of formats) await writeAndRead(file, weights, format);
  // USD cannot be read.
  if (number % 4 === 0) writeCharacter(file, weights, { format: "usdz" });
}

/** Applies a file of weights to the character it belongs to. */
async function useWeights(name: string, bytes: Uint8Array, target: CharacterFile): Promise<void> {
  const { weights } = applyWeights(target, parseWeights(name, bytes), name);
  const trimmed = trimWeights(weights, { maxInfluences: 8, prune: 0 });
  if (!trimmed.weights.every((weight) => weight >= 0 && weight <= 1)) {
    throw new Error("a weight is not a number.");
  }
  await writeAndRead(target, trimmed, "glb");
}

/** Checks that our output for any input can be read again. */
async function writeAndRead(
  file: CharacterFile,
  weights: SkinWeights,
  format: OutputFormat,
): Promise<void> {
  const { bytes } = writeCharacter(file, weights, { format });
  // Another format may take slightly more memory.
  const maxMemory = 2 * DEFAULT_MAX_MEMORY;
  const reading = readCharacter({ name: `again.${format}`, bytes }, { maxMemory });
  const again = await reading.catch((error: Error) => {
    throw new Error(`the ${format} that was written cannot be read: ${error.message}`);
  });
  // A new FBX joins vertices, and fractions among the integers of a text are truncated, which may close a seam.
  if (format === "fbx" && (!file.source.fbx || file.source.fbx.isText)) return;
  const vertices = file.character.mesh.positions.length;
  if (again.character.mesh.positions.length !== vertices) {
    throw new Error(`the ${format} that was written has other vertices.`);
  }
}
