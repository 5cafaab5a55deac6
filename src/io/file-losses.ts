import type { CharacterFile } from "./character-file.ts";
import type { OutputFormat } from "./formats.ts";
import { type Loss, type Losses, listLosses, lose } from "./losses.ts";

/**
 * What a file has that the output will not hold: nothing where it is edited in its own format, what the
 * reader does not take where it becomes glTF, all but joints and weights where it becomes RigNet's text.
 */
export function fileLosses(
  { source, character }: CharacterFile,
  format: OutputFormat | "txt",
): Loss[] {
  if (format === "fbx" || format === "dae") return [];
  const losses: Losses = new Map(source.lost);
  if (format === "txt") {
    const { meshes, materials, images, animations, cameras } = source.json;
    for (const [what, list] of Object.entries({ meshes, materials, images, animations, cameras })) {
      lose(losses, what, Array.isArray(list) ? list.length : 0);
    }
    lose(losses, "turns and sizes of joints", character.skeleton.names.length);
  }
  return listLosses(losses);
}

/** Losses for people: "area lights: 3, constraints: 1"; "nothing" where there are none. */
export function lossText(losses: Loss[]): string {
  if (losses.length === 0) return "nothing";
  return losses.map(({ what, count }) => `${what}: ${count}`).join(", ");
}

/** Losses as a note, for commands without a report; nothing where there are none. */
export function lossNotes(losses: Loss[]): string[] {
  return losses.length > 0
    ? [`The output does not hold all of the input: ${lossText(losses)}.`]
    : [];
}
