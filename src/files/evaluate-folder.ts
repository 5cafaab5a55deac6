import { readdir, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { readPlainFile } from "../disk/open-input.ts";
import {
  type CharacterResult,
  type Evaluation,
  failedCharacter,
} from "../evaluate/evaluate-character.ts";
import { DEFAULT_PRESET, findPreset, thinWeights } from "../evaluate/metrics.ts";
import {
  choosePictures,
  type PicturedCharacter,
  pictureSections,
} from "../evaluate/report/picture-sections.ts";
import { reportHtml } from "../evaluate/report/report-html.ts";
import { ENDINGS, endingOf } from "../formats/endings.ts";
import { InputError } from "../input-error.ts";
import { DEFAULT_METHOD } from "../methods/methods.ts";
import { createLocalPool, createWorkerPool, inFlight } from "../processes/worker-host.ts";
import type { OnProgress } from "../stage-clock.ts";
import { readCharacterTable } from "../train/data/character-table.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import {
  createEvaluationJob,
  type EvaluationSettings,
  type ListedCharacter,
} from "./evaluation-job.ts";

/** Options for {@link evaluateFolder}. */
export interface EvaluateFolderOptions
  extends ListOptions,
    PoolOptions,
    Omit<EvaluationSettings, "methods" | "preset" | "details"> {
  /** Names of `METHOD_NAMES`, networks, `model:<file.onnx>` or `existing:<folder>`. */
  methods?: string[] | undefined;
  /** Scoring rules; by default the paper's. */
  preset?: EvaluationSettings["preset"] | undefined;
  /** Whether to collect the details of {@link evaluationReport}. */
  details?: boolean | undefined;
  onProgress?: OnProgress | undefined;
}

/** The methods compared by default. */
export const EVALUATED_METHODS: readonly string[] = [DEFAULT_METHOD, "heat", "geodesic-voxel"];

/**
 * Scores methods on rigged files against the weights their artists painted.
 *
 * @param inputs folders and files
 * @example
 * const evaluation = await evaluateFolder(["rigs"], { methods: ["heat", "hollow"], jobs: 2 });
 * console.log(resultCsv(evaluation));
 */
export async function evaluateFolder(
  inputs: string[],
  options: EvaluateFolderOptions = {},
): Promise<Evaluation> {
  const characters = await listCharacters(inputs, options);
  const settings = settingsOf(options);
  const { methods, preset } = settings;
  return { methods, preset, characters: await evaluateAll(characters, settings, options) };
}

/** Creates an HTML page with plots and pictures of an evaluation; binds the characters on the pictures again. */
export async function evaluationReport(
  evaluation: Evaluation,
  inputs: string[],
  options: EvaluateFolderOptions = {},
): Promise<string> {
  const { onProgress, signal } = options;
  const characters = await listCharacters(inputs, options);
  const settings = settingsOf(options);
  const choice = choosePictures(evaluation);
  const ids = [...new Set(Object.values(choice).flat())];
  // Bound again, because keeping the weights of all characters takes too much memory.
  const job = await createEvaluationJob({ ...settings, details: false });
  const preset = findPreset(settings.preset);
  const pictured = new Map<string, PicturedCharacter>();
  const chosen = evaluation.characters.filter(({ id }) => ids.includes(id));
  for (const [index, row] of chosen.entries()) {
    signal?.throwIfAborted();
    onProgress?.("pictures", index / chosen.length);
    const weights = new Map<string, SkinWeights>();
    let prepared: PicturedCharacter["prepared"] | undefined;
    const { id } = row;
    const file = characters.find((character) => character.id === id);
    if (!file) continue;
    await job(file, {
      onWeights: (method, from, { weights: given }) => {
        prepared = from;
        weights.set(method, thinWeights(given, preset));
      },
    });
    if (prepared) pictured.set(id, { row, prepared, weights });
  }
  return reportHtml(evaluation, pictureSections(evaluation, choice, pictured));
}

function settingsOf(options: EvaluateFolderOptions): EvaluationSettings {
  const { methods = [...EVALUATED_METHODS], preset = DEFAULT_PRESET, details = false } = options;
  return { methods, preset, details, resolution: options.resolution, provider: options.provider };
}

/** Options for {@link evaluateAll}. */
interface PoolOptions {
  /** Worker processes; by default one per core. */
  jobs?: number | undefined;
  signal?: AbortSignal | undefined;
  onDone?: ((result: CharacterResult, done: number, total: number) => void) | undefined;
}

/**
 * Evaluates characters in parallel worker processes.
 *
 * Results are in the order of the characters and, except for times, do not depend on the number of jobs. If
 * a process dies, its character fails and the process is replaced.
 */
export async function evaluateAll(
  characters: ListedCharacter[],
  settings: EvaluationSettings,
  options: PoolOptions = {},
): Promise<CharacterResult[]> {
  // Created here too, so that an unknown method is reported once and not once per process.
  const inProcess = await createEvaluationJob(settings);
  const jobs = Math.min(options.jobs ?? availableParallelism(), characters.length);
  const pool =
    jobs > 1 && canFork()
      ? createWorkerPool<ListedCharacter, CharacterResult>(jobs, {
          kind: "process",
          module: "./evaluation-job",
          name: "createEvaluationJob",
          settings,
          from: import.meta.url,
        })
      : createLocalPool(inProcess);
  const results: CharacterResult[] = [];
  let done = 0;
  options.signal?.addEventListener("abort", pool.close);
  try {
    await inFlight(characters, Math.max(1, jobs), async (character, at) => {
      options.signal?.throwIfAborted();
      results[at] = await pool
        .run(character)
        .catch(({ message }) =>
          failedCharacter(character.id, settings.methods, new Error(`Not scored: ${message}.`)),
        );
      // A process that was killed has no result.
      options.signal?.throwIfAborted();
      options.onDone?.(results[at], ++done, characters.length);
    });
  } finally {
    options.signal?.removeEventListener("abort", pool.close);
    await pool.close();
  }
  return results;
}

/** Whether a process can run this module: TypeScript sources need the tsx loader. */
function canFork(): boolean {
  const isSource = import.meta.url.endsWith(".ts");
  return !isSource || process.execArgv.some((argument) => argument.includes("tsx"));
}

/** Options for {@link listCharacters}. */
export interface ListOptions {
  /** A table with the columns `id` and `split`, tab or comma separated. */
  list?: string | undefined;
  /** Rows of the table to use; all by default. */
  split?: string | undefined;
}

/** Default names of the table and of the subfolder with the files. */
export const TABLE = "characters.tsv";
const FOLDER = "characters";

/**
 * Lists the characters among files and folders, sorted by name within each folder.
 *
 * With a table, or with a split and a folder that has a `characters.tsv`, lists `<folder>/<id>.glb` or
 * `<folder>/characters/<id>.glb` of the table's rows, in their order.
 */
export async function listCharacters(
  inputs: string[],
  options: ListOptions = {},
): Promise<ListedCharacter[]> {
  if (inputs.length === 0) {
    throw new InputError("Nothing to evaluate; name a folder or files with painted weights.");
  }
  const found: ListedCharacter[] = [];
  for (const input of inputs) {
    const info = await stat(input).catch(() => undefined);
    if (!info) throw new InputError(`${input}: no such file or folder.`);
    if (!info.isDirectory()) found.push({ id: baseName(input), file: input });
    else found.push(...(await listFolder(input, options)));
  }
  if (found.length === 0) {
    throw new InputError(
      `No characters in ${inputs.join(", ")}; expected ${ENDINGS.join(", ")} files.`,
    );
  }
  // Ids that occur more than once are replaced by paths, so that each row is unique.
  const counts = new Map<string, number>();
  for (const { id } of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  return found.map(({ id, file }) => ({ id: counts.get(id) === 1 ? id : file, file }));
}

async function listFolder(folder: string, { list, split }: ListOptions) {
  const table = list ?? (split ? path.join(folder, TABLE) : undefined);
  if (table) return listTable(folder, table, split);
  const direct = await characterFiles(folder);
  return direct.length > 0 ? direct : characterFiles(path.join(folder, FOLDER));
}

async function listTable(
  folder: string,
  table: string,
  split: string | undefined,
): Promise<ListedCharacter[]> {
  const bytes = await readPlainFile(table).catch(() => {
    throw new InputError(`${table}: cannot be read; use a table with the columns id and split.`);
  });
  const text = new TextDecoder().decode(bytes);
  const ids = readTable(text, table, split);
  const files = new Map<string, string>();
  for (const source of [path.join(folder, FOLDER), folder]) {
    for (const { id, file } of await characterFiles(source)) files.set(id, file);
  }
  // A missing file stays in the list, so that the result reports it.
  return ids.map((id) => ({ id, file: files.get(id) ?? path.join(folder, `${id}.glb`) }));
}

/** Returns the ids of a table, or of one split of it. */
export function readTable(text: string, name: string, split?: string): string[] {
  const rows = readCharacterTable(text, name, split !== undefined);
  const chosen = rows.filter((row) => split === undefined || row.split === split);
  if (chosen.length === 0 && split !== undefined) {
    const known = [...new Set(rows.map((row) => row.split))].join(", ");
    throw new InputError(`${name}: no row has the split "${split}"; choose one of ${known}.`);
  }
  return chosen.map(({ id }) => id);
}

async function characterFiles(folder: string): Promise<ListedCharacter[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => ENDINGS.includes(endingOf(name)))
    .sort()
    .map((name) => ({ id: baseName(name), file: path.join(folder, name) }));
}

function baseName(file: string): string {
  return path.basename(file, path.extname(file));
}
