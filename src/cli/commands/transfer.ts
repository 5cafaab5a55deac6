import { defaultOutput } from "../../disk/output-paths.ts";
import {
  type TransferFileOptions,
  type TransferredFile,
  transferFile,
} from "../../files/transfer-file.ts";
import { TRANSFER_DEFAULTS } from "../../finish/transfer-weights.ts";
import { FORCE_OPTION, MAX_MEMORY_OPTION, maxMemoryOf, TRIM_OPTIONS } from "../bind-options.ts";
import { type Command, number } from "../command.ts";
import { histogramText } from "../report-text.ts";

/** `heterskin transfer`: gives a mesh the skeleton and the weights of a skinned character. */
export const transfer: Command = {
  name: "transfer",
  summary: "Take weights from a skinned body to clothes, or to another level of detail.",
  usage: "transfer <skinned> <target> [out] [options]",
  positionals: [2, 3],
  options: {
    distance: number(
      "x",
      [0, 10],
      "How far the body may be, in longest sides of it.",
      TRANSFER_DEFAULTS.distance,
    ),
    angle: number(
      "degrees",
      [0, 180],
      "How much the directions of the two surfaces may differ.",
      TRANSFER_DEFAULTS.angle,
    ),
    ...TRIM_OPTIONS,
    "max-memory": MAX_MEMORY_OPTION,
    force: FORCE_OPTION,
  },
  examples: [
    ["heterskin transfer body.glb coat.obj coat.glb", "The coat moves with the body."],
    ["heterskin transfer hero.glb hero-lod2.glb", "Writes hero-lod2.skinned.glb beside it."],
  ],
  async run(args, context) {
    const [from, to, output = defaultOutput(to)] = args.positionals;
    const result = await transferFile(from, to, output, {
      ...args.settings<TransferFileOptions>(transfer.options),
      maxMemory: maxMemoryOf(args),
      onProgress: context.progress,
    });
    for (const note of result.notes) context.warn(`note: ${note}`);
    for (const line of resultLines(result)) context.print(line);
    context.print(`written     ${output}`);
  },
};

function resultLines(result: TransferredFile): string[] {
  const { vertices, matched, filled, nearest, influences } = result;
  const share = (count: number) => `${count} (${Math.round((count / vertices) * 100)} %)`;
  return [
    `places      ${vertices}; vertices at one place move as one`,
    `matched     ${share(matched)} beside the source`,
    `filled      ${share(filled)} from matched ones of the same part`,
    `nearest     ${share(nearest)} in parts without a match`,
    `influences  ${histogramText(influences)}`,
  ];
}
