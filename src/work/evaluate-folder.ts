import type { Evaluation } from "../evaluate/evaluation.ts";
import { reportHtml } from "../evaluate/report/report-html.ts";
import type { EvaluationSettings } from "./evaluation-job.ts";
import { type ListOptions, listCharacters } from "./evaluation-list.ts";
import { evaluateAll, type PoolOptions } from "./evaluation-pool.ts";
import { reportSections } from "./report-sections.ts";

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
export const EVALUATED_METHODS: readonly string[] = ["heterskinnet", "heat", "geodesic-voxel"];

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
  const { methods = [...EVALUATED_METHODS], preset = "heterskinnet", details = false } = options;
  return { methods, preset, details, resolution: options.resolution, provider: options.provider };
}
