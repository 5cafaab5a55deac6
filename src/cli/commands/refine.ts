import { type RefineFileOptions, refineFile } from "../../files/refine-file.ts";
import type { Command, CommandOption } from "../command.ts";
import { FILE_OPTIONS, runFileJobs } from "../file-jobs.ts";
import { FORCE_OPTION, verbOptions } from "../verb-options.ts";

const { "max-influences": influences, ...OTHERS } = verbOptions("refine");
const { default: _, ...INFLUENCES } = influences;

const OPTIONS: Record<string, CommandOption> = {
  "max-influences": {
    ...(INFLUENCES as CommandOption),
    help: "Maximum influences per vertex; by default the same as in the file.",
  },
  ...OTHERS,
  force: FORCE_OPTION,
};

/** `heterskin refine`: removes weight from joints that are far from a vertex. */
export const refine: Command = {
  name: "refine",
  summary:
    "Clean weights made by any tool: remove weight from joints that are far away inside the body.",
  usage: "refine <skinned> [out] [options], refine <skinned...> <folder> [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: { ...OPTIONS, ...FILE_OPTIONS },
  examples: [["heterskin refine from-blender.glb clean.glb", "Prints the bleed before and after."]],
  async run(args, context) {
    const settings = args.settings<RefineFileOptions>(OPTIONS);
    await runFileJobs(args, context, {
      async run({ input, output, shown }) {
        const refined = await refineFile(input, output, {
          ...settings,
          onProgress: context.progress,
          signal: context.signal,
        });
        const { vertices, changed, bleed, notes } = refined;
        for (const note of notes) context.warn(`note: ${note}`);
        const percent = (fraction: number) => `${(fraction * 100).toFixed(2)} %`;
        context.print(`changed     ${changed} of ${vertices} vertices (welded)`);
        context.print(`bleed       ${percent(bleed.before)} before, ${percent(bleed.after)} after`);
        context.print(`written     ${shown}`);
        return { input, output, ...refined };
      },
    });
  },
};
