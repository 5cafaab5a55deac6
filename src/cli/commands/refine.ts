import { measureDistances } from "../../distance/measure.ts";
import { InputError } from "../../input-error.ts";
import { checkOutput, readCharacterFile, writeCharacterFile } from "../../io/node.ts";
import { jointCount } from "../../skeleton/skeleton.ts";
import { meanBleed } from "../../solve/bleed.ts";
import { refineWeights } from "../../solve/refine-weights.ts";
import { limitInfluences } from "../../weights/limit-influences.ts";
import { prepareCharacter, restoreWeights } from "../../weights/prepare-character.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { THREADS_OPTION } from "../measure-options.ts";
import { defaultOutput } from "../output-paths.ts";

/** Bones measured per vertex; a joint beyond the 64 nearest is far on any character. */
const MEASURED_BONES = 64;

/** The most influences a file may have. */
const MOST_INFLUENCES = 8;

/** `heterskin refine`: takes weight off joints that are far from a vertex. */
export const refine: Command = {
  name: "refine",
  summary: "Clean the weights of any tool: no weight on joints far away inside the body.",
  usage: "refine <skinned> [out] [options]",
  positionals: [1, 2],
  options: {
    "max-influences": {
      type: "number",
      value: "n",
      least: 1,
      most: MOST_INFLUENCES,
      whole: true,
      help: "Most joints per vertex, 1 to 8; without it as many as the file has.",
    },
    resolution: {
      type: "number",
      value: "n",
      least: 16,
      most: 512,
      whole: true,
      help: "Cells along the longest side of the voxel grid.",
    },
    threads: THREADS_OPTION,
    force: { type: "flag", short: "f", help: "Overwrite files that are there." },
  },
  examples: [["heterskin refine from-blender.glb clean.glb", "Bleed before and after is printed."]],
  async run(args, context) {
    const [input, output = defaultOutput(input)] = args.positionals;
    await checkOutput(output, args.flag("force"));
    await refineFile(input, output, args, context);
  },
};

async function refineFile(
  input: string,
  output: string,
  args: CommandArguments,
  context: CommandContext,
): Promise<void> {
  context.progress("read", 0);
  const file = await readCharacterFile(input);
  const prepared = prepareCharacter(file.character);
  const before = prepared.character.weights;
  if (!before) throw new InputError(`${input}: it has no weights to clean; bind gives it some.`);
  const { distances } = await measureDistances(prepared.character, {
    k: Math.min(jointCount(prepared.character.skeleton), MEASURED_BONES),
    resolution: args.number("resolution"),
    threads: args.number("threads"),
    signal: context.signal,
    onProgress: (fraction) => context.progress("distances", fraction),
  });
  const { weights, changed } = refineWeights(before, distances);
  const maxInfluences =
    args.number("max-influences") ?? Math.min(file.character.weights!.influences, MOST_INFLUENCES);
  const limited = limitInfluences(weights, maxInfluences);
  context.progress("write", 0);
  await writeCharacterFile(output, file, restoreWeights(prepared, limited), {
    maxInfluences,
    force: args.flag("force"),
  });
  for (const oddity of file.oddities) context.warn(`note: ${oddity}`);
  const vertices = before.weights.length / before.influences;
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  context.print(`changed     ${changed} of ${vertices} vertices`);
  context.print(
    `bleed       ${percent(meanBleed(before, distances))} before, ${percent(meanBleed(limited, distances))} after`,
  );
  context.print(`written     ${output}`);
}
