import {
  type TransferFileOptions,
  type TransferredFile,
  transferFile,
} from "../../files/transfer-file.ts";
import { weightFormat } from "../../formats/weight-files/weight-formats.ts";
import type { Command } from "../command.ts";
import { FILE_OPTIONS, runFileJobs } from "../file-jobs.ts";
import { histogramText } from "../report-text.ts";
import { FORCE_OPTION, verbOptions } from "../verb-options.ts";

const OPTIONS = { ...verbOptions("transfer"), force: FORCE_OPTION };

/** `heterskin transfer`: transfers the skeleton and the weights of a skinned character to a mesh. */
export const transfer: Command = {
  name: "transfer",
  summary: "Transfer weights from a skinned body, or a file of weights, to another mesh.",
  usage: "transfer <skinned> <target> [out] [options]",
  positionals: [2, 3],
  options: { ...OPTIONS, ...FILE_OPTIONS },
  examples: [
    ["heterskin transfer body.glb coat.obj coat.glb", "The coat moves with the body."],
    ["heterskin transfer weights.xml hero.fbx", "Puts the weights of Maya on hero.fbx."],
    ["heterskin transfer hero.glb hero-lod2.glb", "Writes hero-lod2.skinned.glb next to it."],
  ],
  async run(args, context) {
    const [from, to, given] = args.positionals;
    const settings = args.settings<TransferFileOptions>(OPTIONS);
    const positionals = [to, ...(given === undefined ? [] : [given])];
    await runFileJobs({ ...args, positionals }, context, {
      reads: [from],
      async run({ input, output, shown }) {
        const { progress: onProgress, signal } = context;
        const result = await transferFile(from, input, output, {
          ...settings,
          onProgress,
          signal,
        });
        for (const note of result.notes) context.warn(`note: ${note}`);
        for (const line of resultLines(result, weightFormat(from) !== undefined))
          context.print(line);
        context.print(`written     ${shown}`);
        return { from, input, output, ...result };
      },
    });
  },
};

/** @param isAlone whether the weights came from a file that has no surface */
function resultLines(result: TransferredFile, isAlone: boolean): string[] {
  const { vertices, matched, filled, kept = 0, nearest, influences } = result;
  const percent = (count: number) => `${count} (${Math.round((count / vertices) * 100)} %)`;
  const found = isAlone
    ? [
        `vertices    ${vertices}`,
        `matched     ${percent(matched)} with rows of the file`,
        `kept        ${percent(kept)} without a match, which keep their weights`,
        `nearest     ${percent(nearest)} without a match and weights, which follow the nearest bone`,
      ]
    : [
        `vertices    ${vertices} (welded)`,
        `matched     ${percent(matched)} to the source surface`,
        `filled      ${percent(filled)} from matched vertices of the same part`,
        `nearest     ${percent(nearest)} in parts without a match`,
      ];
  return [...found, `influences  ${histogramText(influences)}`];
}
