import { availableParallelism } from "node:os";
import { failedCharacter } from "../evaluate/evaluate-character.ts";
import type { CharacterResult, Evaluation } from "../evaluate/evaluation.ts";
import { DEFAULT_PRESET, findPreset, thinWeights } from "../evaluate/presets.ts";
import {
  choosePictures,
  type PicturedCharacter,
  pictureSections,
} from "../evaluate/report/picture-sections.ts";
import { type ReportSection, reportHtml } from "../evaluate/report/report-html.ts";
import { DEFAULT_METHOD } from "../methods/methods.ts";
import type { SolveOptions } from "../methods/solver.ts";
import { createLocalPool, createWorkerPool, inFlight } from "../processes/worker-pool.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { createEvaluationJob, type EvaluationSettings } from "./evaluation-job.ts";
import { type ListedCharacter, type ListOptions, listCharacters } from "./evaluation-list.ts";

/** Options for {@link evaluateFolder}. */
export interface EvaluateFolderOptions
  extends ListOptions,
    PoolOptions,
    Omit<EvaluationSettings, "methods" | "preset" | "details"> {
  /** A name of `METHOD_NAMES`, a network, `model:<file.onnx>` or `existing:<folder>` each. */
  methods?: string[] | undefined;
  /** Whose rules the scores follow; the paper's unless told. */
  preset?: EvaluationSettings["preset"] | undefined;
  /** Whether to gather what {@link evaluationReport} shows besides the scores. */
  details?: boolean | undefined;
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
}

/** The methods compared when nobody says. */
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

/** An HTML page of an evaluation with plots and pictures; the characters pictured are bound once more. */
export async function evaluationReport(
  evaluation: Evaluation,
  inputs: string[],
  options: EvaluateFolderOptions = {},
): Promise<string> {
  const characters = await listCharacters(inputs, options);
  const sections = await reportSections(evaluation, settingsOf(options), characters, options);
  return reportHtml(evaluation, sections);
}

function settingsOf(options: EvaluateFolderOptions): EvaluationSettings {
  const { methods = [...EVALUATED_METHODS], preset = DEFAULT_PRESET, details = false } = options;
  return { methods, preset, details, resolution: options.resolution, provider: options.provider };
}

/** Options for {@link evaluateAll}. */
export interface PoolOptions {
  /** Worker processes; one per core unless told. */
  jobs?: number | undefined;
  signal?: AbortSignal | undefined;
  onDone?: ((result: CharacterResult, done: number, total: number) => void) | undefined;
}

/**
 * Evaluates characters side by side in worker processes.
 *
 * Results come in the order of the characters and do not depend on the number of jobs (times do). A
 * process that dies costs the character it was at, and is replaced.
 */
export async function evaluateAll(
  characters: ListedCharacter[],
  settings: EvaluationSettings,
  options: PoolOptions = {},
): Promise<CharacterResult[]> {
  // Made here too, so that an unknown method is one message and not one per process.
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
      results[at] = await pool.run(character).catch((error) => lost(character, error));
      // What was ended with its process is no result.
      options.signal?.throwIfAborted();
      options.onDone?.(results[at], ++done, characters.length);
    });
  } finally {
    options.signal?.removeEventListener("abort", pool.close);
    await pool.close();
  }
  return results;

  function lost({ id }: ListedCharacter, { message }: Error): CharacterResult {
    return failedCharacter(id, settings.methods, new Error(`Not scored: ${message}.`));
  }
}

const isSource = import.meta.url.endsWith(".ts");

/** From sources a process takes a second to start: worth it only where the loader runs already. */
function canFork(): boolean {
  return !isSource || process.execArgv.some((argument) => argument.includes("tsx"));
}

/**
 * The pictures of a report: the characters worth showing are bound once more, since keeping the
 * weights of all would take too much room.
 */
async function reportSections(
  evaluation: Evaluation,
  settings: EvaluationSettings,
  listed: ListedCharacter[],
  { onProgress, signal }: Pick<SolveOptions, "onProgress" | "signal">,
): Promise<ReportSection[]> {
  const choice = choosePictures(evaluation);
  const ids = [...new Set(Object.values(choice).flat())];
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
    const file = listed.find((character) => character.id === id);
    if (!file) continue;
    await job(file, {
      onWeights: (method, from, { weights: given }) => {
        prepared = from;
        weights.set(method, thinWeights(given, preset));
      },
    });
    if (prepared) pictured.set(id, { row, prepared, weights });
  }
  return pictureSections(evaluation, choice, pictured);
}
