import { checkOutput, readCharacterFile, writeCharacterFile } from "../../io/node.ts";
import { influenceHistogram } from "../../weights/influence-histogram.ts";
import {
  TRANSFER_DEFAULTS,
  type TransferResult,
  transferWeights,
} from "../../weights/transfer-weights.ts";
import { trimWeights } from "../../weights/trim-weights.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { TRIM_OPTIONS } from "../finishing-options.ts";
import { histogramText } from "../histogram-text.ts";
import { defaultOutput } from "../output-paths.ts";

/** `heterskin transfer`: gives a mesh the skeleton and the weights of a skinned character. */
export const transfer: Command = {
  name: "transfer",
  summary: "Take weights from a skinned body to clothes, or to another level of detail.",
  usage: "transfer <skinned> <target> [out] [options]",
  positionals: [2, 3],
  options: {
    distance: {
      type: "number",
      value: "x",
      default: TRANSFER_DEFAULTS.distance,
      least: 0,
      most: 10,
      help: "How far the body may be, in longest sides of it.",
    },
    angle: {
      type: "number",
      value: "degrees",
      default: TRANSFER_DEFAULTS.angle,
      least: 0,
      most: 180,
      help: "How much the directions of the two surfaces may differ.",
    },
    ...TRIM_OPTIONS,
    force: { type: "flag", short: "f", help: "Overwrite files that are there." },
  },
  examples: [
    ["heterskin transfer body.glb coat.obj coat.glb", "The coat moves with the body."],
    ["heterskin transfer hero.glb hero-lod2.glb", "Writes hero-lod2.skinned.glb beside it."],
  ],
  async run(args, context) {
    const [, target, output = defaultOutput(target)] = args.positionals;
    await checkOutput(output, args.flag("force"));
    await transferFile(output, args, context);
  },
};

async function transferFile(
  output: string,
  args: CommandArguments,
  context: CommandContext,
): Promise<void> {
  const [from, to] = args.positionals;
  context.progress("read", 0);
  const source = await readCharacterFile(from);
  const target = await readCharacterFile(to, { skeleton: from });
  context.progress("transfer", 0);
  const result = transferWeights(source.character, target.character.mesh, {
    distance: args.number("distance")!,
    angle: args.number("angle")!,
  });
  const maxInfluences = args.number("max-influences")!;
  const weights = trimWeights(result.weights, { maxInfluences, prune: args.number("prune")! });
  context.progress("write", 0);
  await writeCharacterFile(output, target, weights, { maxInfluences, force: args.flag("force") });
  for (const oddity of [...source.oddities, ...target.oddities]) context.warn(`note: ${oddity}`);
  if (result.matched === 0) {
    context.warn(
      "note: No vertex of the target lies beside the source; check that both have the same place and size.",
    );
  }
  for (const line of resultLines(result)) context.print(line);
  context.print(`influences  ${histogramText(influenceHistogram(weights))}`);
  context.print(`written     ${output}`);
}

function resultLines({ vertices, matched, filled, nearest }: TransferResult): string[] {
  const share = (count: number) => `${count} (${Math.round((count / vertices) * 100)} %)`;
  return [
    `vertices    ${vertices}`,
    `matched     ${share(matched)} beside the source`,
    `filled      ${share(filled)} from matched ones of the same part`,
    `nearest     ${share(nearest)} in parts without a match`,
  ];
}
