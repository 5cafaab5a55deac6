import { defaultOutput } from "../../disk/output-paths.ts";
import { type RefineFileOptions, refineFile } from "../../files/refine-file.ts";
import type { Command, CommandOption } from "../command.ts";
import { FORCE_OPTION, verbOptions } from "../verb-options.ts";

const { "max-influences": influences, ...OTHERS } = verbOptions("refine");
const { default: _, ...INFLUENCES } = influences;

/** `heterskin refine`: removes weight from joints that are far from a vertex. */
export const refine: Command = {
  name: "refine",
  summary:
    "Clean weights made by any tool: remove weight from joints that are far away inside the body.",
  usage: "refine <skinned> [out] [options]",
  positionals: [1, 2],
  options: {
    "max-influences": {
      ...(INFLUENCES as CommandOption),
      help: "Maximum influences per vertex; by default the same as in the file.",
    },
    ...OTHERS,
    force: FORCE_OPTION,
  },
  examples: [["heterskin refine from-blender.glb clean.glb", "Prints the bleed before and after."]],
  async run(args, context) {
    const [input, output = defaultOutput(input)] = args.positionals;
    const { vertices, changed, bleed, notes } = await refineFile(input, output, {
      ...args.settings<RefineFileOptions>(refine.options),
      onProgress: context.progress,
      signal: context.signal,
    });
    for (const note of notes) context.warn(`note: ${note}`);
    const percent = (fraction: number) => `${(fraction * 100).toFixed(2)} %`;
    context.print(`changed     ${changed} of ${vertices} vertices (welded)`);
    context.print(`bleed       ${percent(bleed.before)} before, ${percent(bleed.after)} after`);
    context.print(`written     ${output}`);
  },
};
