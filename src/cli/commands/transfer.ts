import { defaultOutput } from "../../disk/output-paths.ts";
import {
  type TransferFileOptions,
  type TransferredFile,
  transferFile,
} from "../../files/transfer-file.ts";
import type { Command } from "../command.ts";
import { histogramText } from "../report-text.ts";
import { FORCE_OPTION, verbOptions } from "../verb-options.ts";

/** `heterskin transfer`: transfers the skeleton and the weights of a skinned character to a mesh. */
export const transfer: Command = {
  name: "transfer",
  summary: "Transfer weights from a skinned body to clothes or to another level of detail.",
  usage: "transfer <skinned> <target> [out] [options]",
  positionals: [2, 3],
  options: { ...verbOptions("transfer"), force: FORCE_OPTION },
  examples: [
    ["heterskin transfer body.glb coat.obj coat.glb", "The coat moves with the body."],
    ["heterskin transfer hero.glb hero-lod2.glb", "Writes hero-lod2.skinned.glb next to it."],
  ],
  async run(args, context) {
    const [from, to, output = defaultOutput(to)] = args.positionals;
    const result = await transferFile(from, to, output, {
      ...args.settings<TransferFileOptions>(transfer.options),
      onProgress: context.progress,
    });
    for (const note of result.notes) context.warn(`note: ${note}`);
    for (const line of resultLines(result)) context.print(line);
    context.print(`written     ${output}`);
  },
};

function resultLines(result: TransferredFile): string[] {
  const { vertices, matched, filled, nearest, influences } = result;
  const percent = (count: number) => `${count} (${Math.round((count / vertices) * 100)} %)`;
  return [
    `vertices    ${vertices} (welded)`,
    `matched     ${percent(matched)} to the source surface`,
    `filled      ${percent(filled)} from matched vertices of the same part`,
    `nearest     ${percent(nearest)} in parts without a match`,
    `influences  ${histogramText(influences)}`,
  ];
}
