import type { Evaluation } from "../evaluate/evaluation.ts";
import { findPreset, thinWeights } from "../evaluate/presets.ts";
import { choosePictures } from "../evaluate/report/picture-choice.ts";
import { type PicturedCharacter, pictureSections } from "../evaluate/report/picture-sections.ts";
import type { ReportSection } from "../evaluate/report/report-html.ts";
import type { SolveOptions } from "../solve/solver.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { createEvaluationJob, type EvaluationSettings } from "./evaluation-job.ts";
import type { ListedCharacter } from "./evaluation-list.ts";

/**
 * The pictures of a report: the characters worth showing are bound once more, since keeping the
 * weights of all would take too much room.
 */
export async function reportSections(
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
