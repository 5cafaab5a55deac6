import type { Evaluation } from "../evaluate/evaluation.ts";
import { findPreset, thinWeights } from "../evaluate/presets.ts";
import { choosePictures } from "../evaluate/report/picture-choice.ts";
import { type PicturedCharacter, pictureSections } from "../evaluate/report/picture-sections.ts";
import type { ReportSection } from "../evaluate/report/report-html.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import type { CommandContext } from "./command.ts";
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
  { progress, signal }: Pick<CommandContext, "progress" | "signal">,
): Promise<ReportSection[]> {
  const choice = choosePictures(evaluation);
  const ids = [...new Set(Object.values(choice).flat())];
  const job = await createEvaluationJob({ ...settings, details: false });
  const preset = findPreset(settings.preset);
  const pictured = new Map<string, PicturedCharacter>();
  for (const [index, id] of ids.entries()) {
    signal.throwIfAborted();
    progress("pictures", index / ids.length);
    const weights = new Map<string, SkinWeights>();
    let prepared: PicturedCharacter["prepared"] | undefined;
    await job(listed.find((character) => character.id === id)!, {
      onWeights: (method, from, given) => {
        prepared = from;
        weights.set(method, thinWeights(given, preset));
      },
    });
    const row = evaluation.characters.find((character) => character.id === id)!;
    if (prepared) pictured.set(id, { row, prepared, weights });
  }
  return pictureSections(evaluation, choice, pictured);
}
